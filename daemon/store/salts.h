#pragma once

#include <optional>
#include <span>
#include <vector>

#include "common/run/result.h"
#include "common/run/secret.h"
#include "common/text/time.h"

namespace analytics::store {

/// The day of a salt, and when the salt must be destroyed if it is made now.
struct SaltDay {
  Days day{};
  UnixSeconds expires_at{};
};

/// Returns when a salt made now must be destroyed: 48 hours after the day began, or 48 hours from
/// now if the day is over.
[[nodiscard]] inline UnixSeconds salt_expiry(Days day, UnixSeconds now) {
  constexpr std::chrono::hours kSaltLife{48};
  const auto today = std::chrono::floor<std::chrono::days>(now);
  return (day < today ? now : UnixSeconds(day)) + kSaltLife;
}

/// Longest remaining life of a valid salt. A salt with a longer one was made while a clock was
/// wrong, because events arrive at most shortly before their day begins.
inline constexpr std::chrono::hours kLatestExpiry{72};

struct Salt {
  SaltDay of;
  HashKey value{};
};

/// The salts that visitor ids are made with. Called on the writer thread; a change is on disk when
/// it returns. Errors: kOverloaded (worth retrying), kInternal.
class Salts {
 public:
  virtual ~Salts() = default;

  /// Returns the salts of the days, in their order. Makes missing salts in a single transaction.
  virtual Result<std::vector<HashKey>> ensure(std::span<const SaltDay> days) = 0;
  /// Returns the salt of a day, if it has one.
  virtual Result<std::optional<HashKey>> find(Days day) = 0;
  /// Returns the existing salts of these days.
  virtual Result<std::vector<Salt>> known(std::span<const Days> days) = 0;
  /// Stores salts that other nodes of a cluster use, too. Returns the days that already have
  /// another salt, which they keep.
  virtual Result<std::vector<Days>> add(std::span<const Salt> salts) = 0;
  /// Destroys, in every file, salts that have expired and salts that would live for longer than
  /// kLatestExpiry. Returns false if the last trace must wait for a reader.
  virtual Result<bool> destroy_expired(UnixSeconds now) = 0;
};

}  // namespace analytics::store
