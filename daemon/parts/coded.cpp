#include "daemon/parts/coded.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

namespace analytics::parts {
namespace {

/// Maximum size of the table of encode_by_table(), in entries per value to encode. If the table
/// would be larger, encode() sorts the values instead.
constexpr std::size_t kTableOfValues = 4;

constexpr std::size_t whole_blocks(std::size_t size) {
  return (size + kBlock - 1) / kBlock * kBlock;
}

/// Does the same as encode(), but with a table of all numbers up to `most`, the highest value,
/// instead of sorting.
std::vector<std::uint32_t> encode_by_table(std::vector<std::uint32_t>& values, std::uint32_t most) {
  std::vector<std::uint32_t> codes(std::size_t{most} + 1);
  for (const auto value : values) codes[value] = 1;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 0; number <= most; ++number) {
    if (codes[number] == 0) continue;
    codes[number] = static_cast<std::uint32_t>(numbers.size());
    numbers.push_back(number);
  }
  for (auto& value : values) value = codes[value];
  return numbers;
}

/// Replaces the values with codes. Returns the value of each code, in ascending order.
std::vector<std::uint32_t> encode(std::vector<std::uint32_t>& values) {
  // Most text ids of a site are small, so a table is several times faster than sorting.
  const auto most = std::max_element(values.begin(), values.end());
  if (most != values.end() && *most / kTableOfValues <= values.size()) {
    return encode_by_table(values, *most);
  }
  auto numbers = values;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (auto& value : values) {
    const auto at = std::lower_bound(numbers.begin(), numbers.end(), value);
    value = static_cast<std::uint32_t>(at - numbers.begin());
  }
  return numbers;
}

/// Replaces ascending numbers with the differences between neighbours.
void to_distances(std::vector<std::uint32_t>& numbers) {
  std::adjacent_difference(numbers.begin(), numbers.end(), numbers.begin());
}

/// Reads the numbers of a dictionary. They are ascending and stored as differences.
std::vector<std::int64_t> read_dictionary(ByteReader& reader, std::size_t size) {
  const auto count = reader.small_number();
  if (count > size) throw Damaged("a dictionary is too large");
  std::int64_t last = 0;
  std::vector<std::int64_t> numbers;
  numbers.reserve(count);
  for (const auto distance : unpack(Packed(reader.bytes(), count))) {
    last += distance;
    numbers.push_back(last);
  }
  return numbers;
}

}  // namespace

std::uint32_t narrow(std::int64_t value) {
  if (value < 0 || value >= UINT32_MAX) throw std::length_error("a number is too large for a part");
  return static_cast<std::uint32_t>(value);
}

bool all_zero(const std::vector<std::uint32_t>& values) {
  return std::all_of(values.begin(), values.end(), [](auto value) { return value == 0; });
}

std::vector<std::uint32_t> unpack(const Packed& packed) {
  std::vector<std::uint32_t> values(whole_blocks(packed.size()));
  packed.read_all(values);
  values.resize(packed.size());
  return values;
}

std::string pack_coded(std::vector<std::uint32_t> values) {
  auto numbers = encode(values);
  to_distances(numbers);
  ByteWriter writer;
  writer.number(numbers.size());
  writer.bytes(pack(numbers));
  writer.bytes(pack(values));
  return writer.take();
}

Coded read_coded(std::string_view bytes, std::size_t size) {
  ByteReader reader(bytes);
  Coded coded;
  coded.numbers = read_dictionary(reader, size);
  coded.codes = Packed(reader.bytes(), size);
  reader.end();
  if (coded.codes.limit() > std::bit_ceil(coded.numbers.size())) {
    throw Damaged("a column has codes that its dictionary lacks");
  }
  coded.numbers.resize(std::bit_ceil(coded.numbers.size()));
  return coded;
}

std::string pack_places(std::vector<std::uint32_t> places) {
  to_distances(places);
  return pack(places);
}

std::vector<std::uint32_t> read_places(std::string_view bytes, std::size_t count,
                                       std::uint32_t below) {
  auto places = unpack(Packed(bytes, count));
  std::uint64_t last = 0;
  for (auto& place : places) {
    last += place;
    if (last >= below) throw Damaged("a part has an index past its end");
    place = static_cast<std::uint32_t>(last);
  }
  return places;
}

}  // namespace analytics::parts
