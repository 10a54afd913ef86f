#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "daemon/model/sums.h"

namespace analytics {

/// The groups that a grouping has found, in no order. Their values are numbers, and a text is
/// looked up only when it is asked for, because of many groups few are shown.
///
/// Functions that look something up throw what the store's own failures are.
class Groups {
 public:
  /// Tells whose values have the same numbers: dimensions with the same one, of groups that were
  /// found in the same run. 0: no other dimension.
  using Space = std::uint64_t;

  virtual ~Groups() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Sums sums(std::size_t group) = 0;
  /// The place of the group's time bucket among the buckets; 0 if no dimension is time.
  [[nodiscard]] virtual std::size_t bucket(std::size_t group) const = 0;
  /// Returns the number of the group's value in a dimension; 0 where that is time. Two values of a
  /// dimension with different numbers have different texts.
  [[nodiscard]] virtual std::uint32_t value(std::size_t group, std::size_t dimension) const = 0;
  [[nodiscard]] virtual Space space(std::size_t dimension) const = 0;
  /// Returns the text as it is shown.
  [[nodiscard]] virtual std::string text(std::size_t dimension, std::uint32_t value) = 0;
};

}  // namespace analytics
