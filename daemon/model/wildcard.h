#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace analytics {

/// The meaning of a single `*`. `**` always matches any run of characters.
enum class Star {
  kAnything,       ///< Equal to `**`: page goals and filters, as in Plausible.
  kWithinSegment,  ///< Any run of characters but `/`: exclusions.
};

/// True if the whole text matches; case counts. Time: text × number of wildcards where a `*` is
/// anything, else text × pattern / 64; 20 µs for 2,000 bytes and a pattern of 500.
[[nodiscard]] bool wildcard_matches(std::string_view pattern, std::string_view text, Star star);

/// The number of wildcards: a run of stars is one.
[[nodiscard]] std::size_t count_wildcards(std::string_view pattern);

/// Limits of stored patterns with wildcards; a pattern without one may be longer.
inline constexpr std::size_t kMaxWildcards = 8;
inline constexpr std::size_t kMaxWildcardBytes = 500;
/// Why a pattern is over these bounds; empty: it is not.
[[nodiscard]] std::string wildcard_problem(std::string_view pattern);

}  // namespace analytics
