#pragma once

#include <cstdint>
#include <string>

namespace analytics::cli {

/// Result of comparing the unpacked content of two files.
enum class Likeness : std::uint8_t {
  kOther,         ///< The files differ.
  kFirstIsPart,   ///< The second file begins with the content of the first and is longer.
  kSecondIsPart,  ///< The first file begins with the content of the second, or equals it.
};
/// Compares the unpacked content of two files up to the first difference. Returns kOther if either
/// file cannot be read.
[[nodiscard]] Likeness compare_files(const std::string& first, const std::string& second);

}  // namespace analytics::cli
