#pragma once

#include <string>
#include <vector>

#include "daemon/parts/bytes.h"
#include "daemon/parts/packed.h"

namespace analytics::parts {

/// Throws std::length_error if the number is too large for a column.
[[nodiscard]] std::uint32_t narrow(std::int64_t value);
[[nodiscard]] bool all_zero(const std::vector<std::uint32_t>& values);

/// Packs values as codes: places in the sorted list of those that occur, which is packed with them.
[[nodiscard]] std::string pack_coded(std::vector<std::uint32_t> values);

/// Packed codes and what they mean.
struct Coded {
  std::vector<std::int64_t>
      numbers;   ///< By code: an entry for each that the packed width can have.
  Packed codes;  ///< A view of the bytes.
};
/// Throws Damaged unless the bytes are `size` values that pack_coded() made.
[[nodiscard]] Coded read_coded(std::string_view bytes, std::size_t size);

[[nodiscard]] std::vector<std::uint32_t> unpack(const Packed& packed);

/// Packs places in ascending order, as their distances.
[[nodiscard]] std::string pack_places(std::vector<std::uint32_t> places);
/// Reads `count` of them. Throws Damaged unless each is less than `below`.
[[nodiscard]] std::vector<std::uint32_t> read_places(std::string_view bytes, std::size_t count,
                                                     std::uint32_t below);

}  // namespace analytics::parts
