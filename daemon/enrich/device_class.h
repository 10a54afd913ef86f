#pragma once

#include <string_view>

namespace analytics {

/// The kinds of devices that are told apart; "Bot" is given by who finds one.
namespace device {
inline constexpr std::string_view kDesktop = "Desktop";
inline constexpr std::string_view kMobile = "Mobile";
inline constexpr std::string_view kTablet = "Tablet";
inline constexpr std::string_view kTv = "TV";
inline constexpr std::string_view kConsole = "Console";
inline constexpr std::string_view kBot = "Bot";
}  // namespace device

struct DeviceGuess {
  std::string_view device;  ///< Empty: nothing is known.
  bool is_sure = true;      ///< Else the width of the screen knows better.
  /// An Android that says "Mobile": a tablet all the same when its screen is as wide as one.
  bool may_be_tablet = false;
};

/// CSS pixels from which a screen is a tablet's where the User-Agent says phone. Phones are
/// narrower upright.
inline constexpr int kLeastTabletWidth = 768;

/// Derives the device from the marks that makers put into their User-Agents. Pure.
[[nodiscard]] DeviceGuess device_class(std::string_view user_agent);

/// The best guess by the width of the screen in CSS pixels, for User-Agents that say nothing.
[[nodiscard]] std::string_view device_class(int screen_width);

}  // namespace analytics
