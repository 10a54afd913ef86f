#pragma once

#include <cstdint>
#include <string>

namespace analytics::cli {

/// How the content of two files, unpacked, compares.
enum class Likeness : std::uint8_t {
  kOther,
  kFirstIsPart,   ///< The second goes on where the first ends.
  kSecondIsPart,  ///< The other way round, or both are the same.
};
/// Reads both as far as they are the same. What cannot be read is kOther.
[[nodiscard]] Likeness compare_files(const std::string& first, const std::string& second);

}  // namespace analytics::cli
