#pragma once

#include <string>

#include "daemon/model/filter.h"
#include "daemon/model/text_match.h"

namespace analytics {

/// A filter condition on the text of a dimension, prepared for matching many texts. Use it on one
/// thread at a time.
class TextCondition {
 public:
  /// REQUIRES: the filter is of kind kValue, and its texts are written as in the store (see
  /// stats/stored_values.h).
  explicit TextCondition(const Filter& condition);
  /// Returns true if a stored value meets the condition. `text`: the text of the value; empty if
  /// there is no value.
  [[nodiscard]] bool holds(const std::string& text) const;

 private:
  TextMatcher matcher_;
  bool negated_;
  bool needs_value_;
};

}  // namespace analytics
