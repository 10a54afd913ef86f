#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "daemon/model/sums.h"

namespace analytics {

/// The groups that a query has counted, such as one per page, in no particular order. The values
/// of a group's dimensions are ids. The text of an id is looked up only on request, because few of
/// many groups are shown.
///
/// Functions that look up a text throw the store's errors.
class Groups {
 public:
  /// Identifies the set of ids that a dimension's values come from. If two dimensions of one query,
  /// perhaps in different groupings, have the same space, equal ids mean equal texts. 0 if the ids
  /// of the dimension cannot be compared with those of any other dimension.
  using Space = std::uint64_t;

  virtual ~Groups() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Sums sums(std::size_t group) = 0;
  /// Returns the index of the group's time bucket; 0 if no dimension is time.
  [[nodiscard]] virtual std::size_t bucket(std::size_t group) const = 0;
  /// Returns the id of the group's value in a dimension; 0 if the dimension is time. Values of a
  /// dimension with different ids have different texts.
  [[nodiscard]] virtual std::uint32_t value(std::size_t group, std::size_t dimension) const = 0;
  /// Returns the space of the ids of a dimension's values.
  [[nodiscard]] virtual Space space(std::size_t dimension) const = 0;
  /// Returns the text to show for a value of a dimension. `value`: id of the value.
  [[nodiscard]] virtual std::string text(std::size_t dimension, std::uint32_t value) = 0;
};

}  // namespace analytics
