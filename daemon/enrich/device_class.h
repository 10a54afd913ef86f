#pragma once

#include <string_view>

namespace analytics {

/// Names of the kinds of devices in statistics. device_class() never returns "Bot"; the detection
/// of bots sets it.
namespace device {
inline constexpr std::string_view kDesktop = "Desktop";
inline constexpr std::string_view kMobile = "Mobile";
inline constexpr std::string_view kTablet = "Tablet";
inline constexpr std::string_view kTv = "TV";
inline constexpr std::string_view kConsole = "Console";
inline constexpr std::string_view kBot = "Bot";
}  // namespace device

/// The kind of device that a User-Agent suggests.
struct DeviceGuess {
  std::string_view device;  ///< Kind of device; empty if unknown.
  bool is_sure = true;      ///< False if the screen's width should decide.
  /// True for an Android device that says "Mobile" in its User-Agent. It is a tablet if its screen
  /// is at least kLeastTabletWidth wide.
  bool may_be_tablet = false;
};

/// Least width of the screen, in CSS pixels, of a tablet that calls itself a phone. Phones are
/// narrower when held upright.
inline constexpr int kLeastTabletWidth = 768;

/// Derives the kind of device from the marks that makers put into User-Agents. Pure.
[[nodiscard]] DeviceGuess device_class(std::string_view user_agent);

/// Guesses the kind of device from the screen's width in CSS pixels, for User-Agents that do not
/// reveal it.
[[nodiscard]] std::string_view device_class(int screen_width);

}  // namespace analytics
