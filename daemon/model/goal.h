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
  std::string value;  ///< Event name, or page pattern.
  bool operator==(const Goal&) const = default;
};

/// How it reads: "Signup", "Visit /thanks".
[[nodiscard]] std::string goal_name(const Goal& goal);

/// Trimmed and checked. Errors: kInvalidParameter with the field `event_name`.
[[nodiscard]] Result<std::string> normalise_event_name(std::string_view text);

/// Trimmed, with a leading `/` unless it begins with `*`. Errors: kInvalidParameter, `page_type`.
[[nodiscard]] Result<std::string> normalise_page_pattern(std::string_view text);

/// `*` is any run of characters but `/`, `**` any run; anchored, case-sensitive.
/// Time is at most pattern × text: no pattern can make it slow.
[[nodiscard]] bool page_matches(std::string_view pattern, std::string_view path);

/// Whether an event meets the goal.
[[nodiscard]] bool goal_matches(const Goal& goal, std::string_view event_name,
                                std::string_view path);

}  // namespace analytics
