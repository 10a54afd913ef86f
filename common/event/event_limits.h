#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/text/time.h"

/// Limits of an event: the size and form of its fields, and the range of its time.
namespace analytics::event_limits {

inline constexpr std::size_t kMaxDomains = 10;
inline constexpr std::size_t kMaxNameCharacters = 120;
inline constexpr std::size_t kMaxUrlBytes = 2'000;
inline constexpr std::size_t kMaxReferrerBytes = 2'000;
inline constexpr std::size_t kMaxPropKeyBytes = 300;
inline constexpr std::size_t kMaxPropValueBytes = 2'000;
inline constexpr std::size_t kMaxProps = 30;
inline constexpr std::size_t kMaxUserAgentBytes = 16'384;
inline constexpr std::size_t kMaxLanguageBytes = 100;
inline constexpr std::size_t kMaxDerivedBytes = 200;
inline constexpr std::size_t kMaxTokenBytes = 64;
/// Maximum number of ignored fields of a body that an answer names.
inline constexpr std::size_t kMaxIgnoredFields = 20;
/// Maximum number of combinations of a site and a UTC day in one bulk request. Each combination
/// takes the writer extra time, for which the events of all other clients wait.
inline constexpr std::size_t kMaxSiteDays = 1'000;
inline constexpr std::int64_t kMaxScreenWidth = 100'000;
inline constexpr UnixMillis kEarliest = std::chrono::sys_days(std::chrono::year(1990) / 1 / 1);
/// Longest time that an event may be ahead of the clock.
inline constexpr std::chrono::hours kFuture{24};

/// Returns true for two capital letters, the form of ISO 3166-1 codes.
[[nodiscard]] constexpr bool is_country(std::string_view code) {
  return code.size() == 2 && code[0] >= 'A' && code[0] <= 'Z' && code[1] >= 'A' && code[1] <= 'Z';
}
/// Returns true if the tag begins with a code of two or three characters, as in ISO 639: "de",
/// "deu", "de-AT".
[[nodiscard]] constexpr bool is_language(std::string_view tag) {
  const auto size = std::min(tag.find_first_of("-_"), tag.size());
  return size == 2 || size == 3;
}
/// Returns true if the text can identify a visitor or visit of another server: 1 to kMaxTokenBytes
/// characters of printable ASCII.
[[nodiscard]] constexpr bool is_token(std::string_view text) {
  return !text.empty() && text.size() <= kMaxTokenBytes &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
}

}  // namespace analytics::event_limits
