#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "daemon/model/sums.h"

namespace analytics {

/// The groups that a query has counted, such as one per page, in no particular order. The values
/// of a group's dimensions are numbers. A text is looked up only on request, because few of many
/// groups are shown.
///
/// Functions that look up a text throw the store's errors.
class Groups {
 public:
  /// Tells which dimensions number their values alike. If two dimensions of one query, perhaps in
  /// different groupings, have the same space, the same number means the same text. 0: the numbers
  /// of the dimension cannot be compared with others.
  using Space = std::uint64_t;

  virtual ~Groups() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Sums sums(std::size_t group) = 0;
  /// Returns the index of the group's time bucket; 0 if no dimension is time.
  [[nodiscard]] virtual std::size_t bucket(std::size_t group) const = 0;
  /// Returns the number of the group's value in a dimension; 0 if the dimension is time. Values of
  /// a dimension with different numbers have different texts.
  [[nodiscard]] virtual std::uint32_t value(std::size_t group, std::size_t dimension) const = 0;
  /// Returns the numbering space of a dimension's values; see Space.
  [[nodiscard]] virtual Space space(std::size_t dimension) const = 0;
  /// Returns the text to show for a value number of a dimension.
  [[nodiscard]] virtual std::string text(std::size_t dimension, std::uint32_t value) = 0;
};

}  // namespace analytics
