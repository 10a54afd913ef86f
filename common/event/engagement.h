#pragma once

#include <cstdint>
#include <optional>

namespace analytics {

/// Time and scroll depth of a visitor on a page, from an event named kEngagement. A page that is
/// viewed again sends another such event: the times add up, and the greatest depth counts.
struct Engagement {
  static constexpr std::int32_t kMaxMillis = 86'400'000;
  static constexpr std::int32_t kMaxDepth = 100;
  std::optional<std::int32_t> millis;  ///< Time the page was visible.
  /// Greatest scroll depth, in percent of the page's height.
  std::optional<std::int32_t> scroll_depth;
  [[nodiscard]] bool is_empty() const { return !millis && !scroll_depth; }
  bool operator==(const Engagement&) const = default;
};

}  // namespace analytics
