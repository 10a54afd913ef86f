#pragma once

#include <cstdint>
#include <optional>

namespace analytics {

/// How a page was read, as events named kEngagement tell. A page that is looked at again has more
/// of them: their times add up, and the greatest depth counts.
struct Engagement {
  static constexpr std::int32_t kMostMillis = 86'400'000;
  static constexpr std::int32_t kMostDepth = 100;
  std::optional<std::int32_t> millis;        ///< For how long it was seen.
  std::optional<std::int32_t> scroll_depth;  ///< How far down, in percent of its height.
  [[nodiscard]] bool is_empty() const { return !millis && !scroll_depth; }
  bool operator==(const Engagement&) const = default;
};

}  // namespace analytics
