#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

/// A catalogue is a constexpr array with a row for each value of an enum, in the enum's order. Each
/// row has a `name`.
namespace analytics {

/// Returns true if every row i describes enum value i and the last row describes `last`, for a
/// static_assert. `key` is the member with a row's enum value.
template <typename Catalogue, typename Row, typename Enum>
constexpr bool is_complete(const Catalogue& rows, Enum Row::*key, Enum last) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<std::size_t>(rows[i].*key) != i) return false;
  }
  return rows.back().*key == last;
}

/// Returns the row with that name; null if the catalogue lacks it.
template <typename Catalogue>
const typename Catalogue::value_type* find_row(const Catalogue& rows, std::string_view name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace analytics
