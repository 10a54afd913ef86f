#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/dimension.h"
#include "daemon/model/text_match.h"

namespace analytics {

/// A tree of conditions that selects events. The default filter selects all.
struct Filter {
  enum class Kind {
    kAll,      ///< Every part holds.
    kAny,      ///< At least one part holds.
    kNot,      ///< The one part does not hold.
    kHasDone,  ///< The event's visit has, in the range, an event for which the one part holds.
    kValue,    ///< A dimension's text is one of those meant.
  };
  Kind kind = Kind::kAll;
  std::vector<Filter> parts;
  // The dimension that kValue compares. A goal is named as it is shown: "Signup", "Visit /thanks".
  Dimension dimension;
  TextMatch match;
  bool negated = false;  ///< is_not, contains_not, matches_not.
  /// An empty value never matches, not even under a negated condition.
  bool needs_value = false;
  bool operator==(const Filter&) const = default;
};

[[nodiscard]] inline bool is_everything(const Filter& filter) {
  return filter.kind == Filter::Kind::kAll && filter.parts.empty();
}

}  // namespace analytics
