#pragma once

#include <string_view>

namespace analytics {

/// Kinds of devices. device_class() never returns "Bot"; bot detection sets it.
namespace device {
inline constexpr std::string_view kDesktop = "Desktop";
inline constexpr std::string_view kMobile = "Mobile";
inline constexpr std::string_view kTablet = "Tablet";
inline constexpr std::string_view kTv = "TV";
inline constexpr std::string_view kConsole = "Console";
inline constexpr std::string_view kBot = "Bot";
}  // namespace device

struct DeviceGuess {
  std::string_view device;  ///< Empty if unknown.
  bool is_sure = true;      ///< False if the screen's width should decide.
  /// An Android device that says "Mobile" but is a tablet if its screen is at least
  /// kLeastTabletWidth wide.
  bool may_be_tablet = false;
};

/// Least width of a tablet's screen in CSS pixels, for devices that call themselves phones. Phones
/// are narrower when upright.
inline constexpr int kLeastTabletWidth = 768;

/// Derives the kind of device from the marks that makers put into User-Agents. Pure.
[[nodiscard]] DeviceGuess device_class(std::string_view user_agent);

/// Guesses the kind of device from the screen's width in CSS pixels, for User-Agents that do not
/// reveal it.
[[nodiscard]] std::string_view device_class(int screen_width);

}  // namespace analytics
