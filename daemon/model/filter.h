#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/wire/dimension.h"
#include "daemon/model/text_match.h"

namespace analytics {

/// A tree of conditions that selects events. The default filter selects all events.
struct Filter {
  enum class Kind {
    kAll,      ///< True if all of `parts` are true.
    kAny,      ///< True if at least one of `parts` is true.
    kNot,      ///< True if the only part is false.
    kHasDone,  ///< True if some event of the same visit in the range meets the only part.
    kValue,    ///< True if the text of `dimension` matches `match`.
  };
  Kind kind = Kind::kAll;
  std::vector<Filter> parts;
  // Only kValue uses the members below. For the dimension kGoal, `match` is compared with the
  // names of the goals that the event meets, such as "Signup" or "Visit /thanks".
  Dimension dimension;
  TextMatch match;
  bool negated = false;  ///< True for is_not, contains_not and matches_not.
  /// If true, an empty value never matches, not even under a negated condition.
  bool needs_value = false;
  bool operator==(const Filter&) const = default;
};

/// Returns true if the filter has no conditions, so that it selects all events.
[[nodiscard]] inline bool is_everything(const Filter& filter) {
  return filter.kind == Filter::Kind::kAll && filter.parts.empty();
}

}  // namespace analytics
