#include "daemon/parts/bytes.h"

#include <xxhash.h>

#include <array>
#include <cstring>

#include "daemon/parts/packed.h"

namespace analytics::parts {
namespace {

// Version of the format. Increase it if older programs would misread the bytes.
constexpr std::uint64_t kFormat = 1;

std::uint64_t checksum(std::string_view bytes, std::int64_t part, std::uint32_t column) {
  const std::array<std::uint64_t, 3> place{kFormat, static_cast<std::uint64_t>(part), column};
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), XXH3_64bits(place.data(), sizeof place));
}

}  // namespace

void ByteWriter::number(std::uint64_t value) {
  out_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void ByteWriter::bytes(std::string_view bytes) {
  number(bytes.size());
  out_.append(bytes);
}

std::uint64_t ByteReader::number() {
  std::uint64_t value = 0;
  if (rest_.size() < sizeof value) throw Damaged("a part ends too early");
  std::memcpy(&value, rest_.data(), sizeof value);
  rest_.remove_prefix(sizeof value);
  return value;
}

std::uint32_t ByteReader::small_number() {
  const auto value = number();
  if (value > UINT32_MAX) throw Damaged("a number of a part is too large");
  return static_cast<std::uint32_t>(value);
}

std::string_view ByteReader::bytes() {
  const auto size = number();
  if (size > rest_.size()) throw Damaged("a part ends too early");
  const auto bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

void ByteReader::end() const {
  if (!rest_.empty()) throw Damaged("a part has bytes that mean nothing");
}

std::string with_checksum(std::string_view bytes, std::int64_t part, std::uint32_t column) {
  ByteWriter writer;
  writer.number(checksum(bytes, part, column));
  return writer.take().append(bytes);
}

std::string_view verified(std::string_view bytes, std::int64_t part, std::uint32_t column) {
  const auto written = ByteReader(bytes).number();
  bytes.remove_prefix(sizeof written);
  if (written != checksum(bytes, part, column)) throw Damaged("a checksum is wrong");
  return bytes;
}

}  // namespace analytics::parts
