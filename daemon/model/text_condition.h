#pragma once

#include <string>

#include "daemon/model/filter.h"
#include "daemon/model/text_match.h"

namespace analytics {

/// A condition of a filter, prepared for matching texts. One thread at a time.
class TextCondition {
 public:
  /// REQUIRES: the filter is of kind kValue, and its texts are in stored form.
  explicit TextCondition(const Filter& condition);
  /// Returns true if a stored value meets the condition. `text` is empty if there is no value.
  [[nodiscard]] bool holds(const std::string& text) const;

 private:
  TextMatcher matcher_;
  bool negated_;
  bool needs_value_;
};

}  // namespace analytics
