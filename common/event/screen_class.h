#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace analytics {

/// Class of a visitor's screen width. The numbers are stored: never change one.
enum class ScreenClass : std::uint8_t {
  kUnknown = 0,
  kMobile = 1,
  kTablet = 2,   ///< From 576 CSS pixels.
  kLaptop = 3,   ///< From 992 CSS pixels.
  kDesktop = 4,  ///< From 1440 CSS pixels.
};
inline constexpr std::array<std::string_view, 5> kScreenNames = {"", "Mobile", "Tablet", "Laptop",
                                                                 "Desktop"};

/// Returns the name on the wire; empty for kUnknown and for a number without a class.
[[nodiscard]] constexpr std::string_view screen_name(ScreenClass screen) {
  const auto place = static_cast<std::size_t>(screen);
  return place < kScreenNames.size() ? kScreenNames[place] : std::string_view();
}

/// Returns the class with that name; nullopt if the name is unknown. An empty name is kUnknown.
[[nodiscard]] constexpr std::optional<ScreenClass> parse_screen(std::string_view name) {
  for (std::size_t i = 0; i < kScreenNames.size(); ++i) {
    if (kScreenNames[i] == name) return static_cast<ScreenClass>(i);
  }
  return std::nullopt;
}

/// Returns the class of a width in CSS pixels, as trackers send it.
[[nodiscard]] constexpr ScreenClass screen_class(int width) {
  if (width < 1) return ScreenClass::kUnknown;
  if (width < 576) return ScreenClass::kMobile;
  if (width < 992) return ScreenClass::kTablet;
  return width < 1440 ? ScreenClass::kLaptop : ScreenClass::kDesktop;
}

}  // namespace analytics
