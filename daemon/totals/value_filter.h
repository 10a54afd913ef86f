#pragma once

#include <memory>
#include <optional>
#include <string>

#include "daemon/model/filter.h"

namespace analytics::totals {

/// A filter that daily totals can answer: all its conditions are of one dimension, so that it says
/// of each value whether its totals count.
class ValueFilter {
 public:
  /// Returns nothing if totals cannot answer the filter: it has conditions of several dimensions,
  /// asks what visits have done, or has no condition.
  [[nodiscard]] static std::optional<ValueFilter> of(const Filter& filter);

  [[nodiscard]] const Dimension& dimension() const { return dimension_; }
  /// True if it means exactly one value: only then are the visitors of its totals those whom the
  /// filter finds, because those of several values may be the same.
  [[nodiscard]] bool is_one_value() const { return is_one_value_; }
  /// `text`: a value as it is stored, empty if there is none. One thread at a time.
  [[nodiscard]] bool holds(const std::string& text) const;

 private:
  struct Node;
  ValueFilter() = default;

  Dimension dimension_{};
  bool is_one_value_ = false;
  std::shared_ptr<const Node> root_{};
};

}  // namespace analytics::totals
