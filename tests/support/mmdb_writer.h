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
  int bytes = 0;  ///< Width of `number` in bytes.
  /// Members of a map with their keys, or elements of a list with empty keys.
  std::vector<std::pair<std::string, MmdbValue>> members;

  MmdbValue(const char* value) : text(value) {}                                     // NOLINT
  MmdbValue(std::uint16_t value) : kind(Kind::kNumber), number(value), bytes(2) {}  // NOLINT
  MmdbValue(std::uint32_t value) : kind(Kind::kNumber), number(value), bytes(4) {}  // NOLINT
  MmdbValue(std::uint64_t value) : kind(Kind::kNumber), number(value), bytes(8) {}  // NOLINT
  MmdbValue(std::vector<std::pair<std::string, MmdbValue>> map)                     // NOLINT
      : kind(Kind::kMap), members(std::move(map)) {}
  static MmdbValue list(std::vector<MmdbValue> values);
};

/// A network and its value in a MaxMind DB. The written database has IPv6 networks and records of
/// 24 bits (format 2.0, https://maxmind.github.io/MaxMind-DB/), enough for tests. IPv4 networks are
/// written as IPv6: "::1.2.3.0" with 120 bits. No network may contain another.
struct MmdbNetwork {
  std::string address;
  int bits = 128;
  MmdbValue value;
};
void write_mmdb(const std::filesystem::path& file, const std::vector<MmdbNetwork>& networks);

}  // namespace analytics::test
