#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace analytics::test {

/// A value of a MaxMind DB: a text, a number, a map or a list.
struct MmdbValue {
  enum class Kind { kText, kNumber, kMap, kList };
  Kind kind = Kind::kText;
  std::string text;
  std::uint64_t number = 0;
  int bytes = 0;  ///< The width of the number.
  /// The members; those of a list have no keys.
  std::vector<std::pair<std::string, MmdbValue>> members;

  MmdbValue(const char* value) : text(value) {}                                     // NOLINT
  MmdbValue(std::uint16_t value) : kind(Kind::kNumber), number(value), bytes(2) {}  // NOLINT
  MmdbValue(std::uint32_t value) : kind(Kind::kNumber), number(value), bytes(4) {}  // NOLINT
  MmdbValue(std::uint64_t value) : kind(Kind::kNumber), number(value), bytes(8) {}  // NOLINT
  MmdbValue(std::vector<std::pair<std::string, MmdbValue>> map)                     // NOLINT
      : kind(Kind::kMap), members(std::move(map)) {}
  static MmdbValue list(std::vector<MmdbValue> values);
};

/// Writes a database of IPv6 networks (format 2.0, https://maxmind.github.io/MaxMind-DB/) with
/// records of 24 bits: small ones, for tests. A network is an address (v4 ones as "::1.2.3.0") and
/// its bits of 128; none may lie in another.
struct MmdbNetwork {
  std::string address;
  int bits = 128;
  MmdbValue value;
};
void write_mmdb(const std::filesystem::path& file, const std::vector<MmdbNetwork>& networks);

}  // namespace analytics::test
