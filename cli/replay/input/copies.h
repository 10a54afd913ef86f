#pragma once

#include <cstdint>
#include <string>

namespace analytics::cli {

/// How the unpacked content of two files compares.
enum class Likeness : std::uint8_t {
  kOther,
  kFirstIsPart,   ///< The second file begins with the first and is longer.
  kSecondIsPart,  ///< The first file begins with the second, or both are equal.
};
/// Compares the files up to their first difference. Returns kOther if either cannot be read.
[[nodiscard]] Likeness compare_files(const std::string& first, const std::string& second);

}  // namespace analytics::cli
