#pragma once

#include <algorithm>
#include <chrono>
#include <random>
#include <string_view>

#include "common/io/http_client.h"
#include "common/text/text.h"

namespace analytics {

/// Returns a random number in 0..1, for the jitter of a wait.
inline double random_part() {
  static thread_local std::mt19937_64 engine{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(engine);
}

/// Returns the wait after attempt `attempt` has failed, counted from 0: a random fraction of
/// min(30 s, 0.25 s · 2^attempt), "full jitter", but never less than `at_least`, the server's
/// Retry-After. `random` is in 0..1.
inline std::chrono::milliseconds backoff(int attempt, double random,
                                         std::chrono::milliseconds at_least) {
  const double most =
      std::min(30'000.0, 250.0 * static_cast<double>(1ULL << std::min(attempt, 20)));
  return std::max(at_least, std::chrono::milliseconds(static_cast<std::int64_t>(most * random)));
}

/// Returns the wait that a Retry-After field asks for, at most an hour; zero if the field is absent
/// or a date.
inline std::chrono::milliseconds retry_after(std::string_view field) {
  const auto seconds = parse_int(trim(field)).value_or(0);
  return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, 3'600));
}

/// Returns true if a request with this HTTP status may succeed when it is repeated.
inline bool is_transient(int status) {
  switch (status) {
    case 408:
    case 425:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504: return true;
    default: return false;
  }
}

/// Returns true if a request with this reply may succeed when it is repeated: the status is
/// transient, or the network failed before a reply came.
inline bool is_transient(const HttpReply& reply) {
  return reply.failure == HttpReply::Failure::kNone ? is_transient(reply.status)
                                                    : reply.failure != HttpReply::Failure::kInvalid;
}

}  // namespace analytics
