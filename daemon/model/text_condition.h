#pragma once

#include <string>

#include "daemon/model/filter.h"
#include "daemon/model/text_match.h"

namespace analytics {

/// A condition of a filter made ready, to judge texts one by one. One thread at a time.
class TextCondition {
 public:
  /// REQUIRES: a filter of kind kValue, with values as they are stored.
  explicit TextCondition(const Filter& condition);
  /// `text`: a stored value, empty if there is none.
  [[nodiscard]] bool holds(const std::string& text) const;

 private:
  TextMatcher matcher_;
  bool negated_;
  bool needs_value_;
};

}  // namespace analytics
