#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "common/time.h"

/// How much the fields of an event hold, and when it may have been.
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
inline constexpr std::int64_t kMaxScreenWidth = 100'000;
inline constexpr UnixMillis kEarliest = std::chrono::sys_days(std::chrono::year(1990) / 1 / 1);
inline constexpr std::chrono::hours kFuture{24};

}  // namespace analytics::event_limits
