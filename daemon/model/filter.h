#pragma once

#include <string_view>
#include <vector>

#include "daemon/model/dimension.h"
#include "daemon/model/text_match.h"

namespace analytics {

/// Which events are meant: a tree of conditions. The default one means all.
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
  // Of kValue. A goal is named as shown: "Signup", "Visit /thanks".
  Dimension dimension;
  TextMatch match;
  bool negated = false;  ///< is_not, contains_not, matches_not.
  bool operator==(const Filter&) const = default;
};

[[nodiscard]] inline bool is_everything(const Filter& filter) {
  return filter.kind == Filter::Kind::kAll && filter.parts.empty();
}

}  // namespace analytics
