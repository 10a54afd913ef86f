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
    kAll,      ///< Every part holds.
    kAny,      ///< At least one part holds.
    kNot,      ///< The only part does not hold.
    kHasDone,  ///< The event's visit has an event in the range for which the only part holds.
    kValue,    ///< A dimension's text matches `match`.
  };
  Kind kind = Kind::kAll;
  std::vector<Filter> parts;
  // For kValue. A goal is compared by its shown name: "Signup", "Visit /thanks".
  Dimension dimension;
  TextMatch match;
  bool negated = false;  ///< True for is_not, contains_not and matches_not.
  /// If true, an empty value never matches, not even under a negated condition.
  bool needs_value = false;
  bool operator==(const Filter&) const = default;
};

[[nodiscard]] inline bool is_everything(const Filter& filter) {
  return filter.kind == Filter::Kind::kAll && filter.parts.empty();
}

}  // namespace analytics
