#pragma once

#include <memory>
#include <optional>
#include <string>

#include "daemon/model/filter.h"

namespace analytics::totals {

/// A filter that daily totals can answer. All its conditions are on the same dimension, so that the
/// filter decides for each of the dimension's values whether the value's totals count.
class ValueFilter {
 public:
  /// Returns `filter` as a ValueFilter; nullopt if totals cannot answer it, because it has
  /// conditions on several dimensions or on time, contains kHasDone, or has no condition.
  [[nodiscard]] static std::optional<ValueFilter> of(const Filter& filter);

  [[nodiscard]] const Dimension& dimension() const { return dimension_; }
  /// Returns true if the filter matches exactly one value. Only then are the visitors of the totals
  /// exact, because a visitor may be in the totals of several values.
  [[nodiscard]] bool is_one_value() const { return is_one_value_; }
  /// Returns true if a value meets the filter. `text`: the stored text of the value; empty for
  /// events without a value. One thread at a time.
  [[nodiscard]] bool holds(const std::string& text) const;

 private:
  struct Node;
  ValueFilter() = default;

  Dimension dimension_{};
  bool is_one_value_ = false;
  std::shared_ptr<const Node> root_{};
};

}  // namespace analytics::totals
