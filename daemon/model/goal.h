#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/wire/api_types.h"
#include "common/wire/provisioned.h"
#include "daemon/model/site.h"

namespace analytics {

using GoalId = std::int64_t;

struct Goal {
  GoalId id = 0;
  SiteId site = 0;
  GoalType type = GoalType::kEvent;
  std::string value;  ///< Event name or page pattern.
  /// Name that the site's owner chose; empty if the goal has none, see goal_name().
  std::string display_name{};
  bool operator==(const Goal&) const = default;
};

/// Returns the name that stats show and filter by: the display name if there is one, else "Signup"
/// or "Visit /thanks".
[[nodiscard]] std::string goal_name(const Goal& goal);

/// Maximum number of goals that a site may have.
inline constexpr std::size_t kMaxGoals = 1'000;

/// Returns true if an event with this name and path meets the goal. Page goals need a pageview.
[[nodiscard]] bool goal_matches(const Goal& goal, std::string_view event_name,
                                std::string_view path);

}  // namespace analytics
