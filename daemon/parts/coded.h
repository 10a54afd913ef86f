#pragma once

#include <string>
#include <vector>

#include "daemon/parts/bytes.h"
#include "daemon/parts/packed.h"

namespace analytics::parts {

/// Returns the number as 32 bits. Throws std::length_error if it is negative or too large for a
/// column.
[[nodiscard]] std::uint32_t narrow(std::int64_t value);
[[nodiscard]] bool all_zero(const std::vector<std::uint32_t>& values);

/// Packs values as codes together with a dictionary, the sorted list of distinct values. A code is
/// an index into the dictionary.
[[nodiscard]] std::string pack_coded(std::vector<std::uint32_t> values);

/// Packed codes and the values that they stand for.
struct Coded {
  /// Value of each code. Every code that fits in the packed width has an entry.
  std::vector<std::int64_t> numbers;
  Packed codes;  ///< A view of the bytes passed to read_coded().
};
/// Reads `size` values from pack_coded(). Throws Damaged if the bytes are anything else.
[[nodiscard]] Coded read_coded(std::string_view bytes, std::size_t size);

[[nodiscard]] std::vector<std::uint32_t> unpack(const Packed& packed);

/// Packs ascending places (indexes of events or visits) as the differences between neighbours.
[[nodiscard]] std::string pack_places(std::vector<std::uint32_t> places);
/// Reads `count` places from pack_places(). Throws Damaged unless each place is less than `below`.
[[nodiscard]] std::vector<std::uint32_t> read_places(std::string_view bytes, std::size_t count,
                                                     std::uint32_t below);

}  // namespace analytics::parts
