#include "daemon/model/text_condition.h"

namespace analytics {

TextCondition::TextCondition(const Filter& condition)
    : matcher_(condition.match), negated_(condition.negated), needs_value_(condition.needs_value) {}

bool TextCondition::holds(const std::string& text) const {
  if (needs_value_ && text.empty()) return false;
  return matcher_.matches(text) != negated_;
}

}  // namespace analytics
