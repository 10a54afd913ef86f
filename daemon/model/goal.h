#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/api_types.h"
#include "common/result.h"
#include "daemon/model/site.h"

namespace analytics {

using GoalId = std::int64_t;

struct Goal {
  GoalId id = 0;
  SiteId site = 0;
  GoalType type = GoalType::kEvent;
  std::string value;           ///< Event name, or page pattern.
  std::string display_name{};  ///< The owner's name for it; empty: goal_name() makes one.
  bool operator==(const Goal&) const = default;
};

/// The name that stats show and filter by: the display name, else "Signup" or "Visit /thanks".
[[nodiscard]] std::string goal_name(const Goal& goal);

/// Trimmed and checked. Errors: kInvalidParameter with the field `event_name`.
[[nodiscard]] Result<std::string> normalise_event_name(std::string_view text);

/// Trimmed, with a leading `/` unless it begins with `*`. Errors: kInvalidParameter, `page_type`.
[[nodiscard]] Result<std::string> normalise_page_pattern(std::string_view text);

/// Trimmed and checked: 1..100 characters. Errors: kInvalidParameter, `display_name`.
[[nodiscard]] Result<std::string> normalise_display_name(std::string_view text);

/// Goals that one site may have.
inline constexpr std::size_t kMaxGoals = 1'000;

/// True if the event meets the goal.
[[nodiscard]] bool goal_matches(const Goal& goal, std::string_view event_name,
                                std::string_view path);

}  // namespace analytics
