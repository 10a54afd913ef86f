#pragma once

#include <optional>
#include <span>
#include <vector>

#include "common/run/result.h"
#include "common/run/secret.h"
#include "common/text/time.h"

namespace analytics::store {

/// A UTC day for which a salt is wanted, and the time at which a salt made now must be destroyed.
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

/// Longest remaining life of a valid salt, which is made at most shortly before its day begins. A
/// salt that would live longer was made while a clock was wrong.
inline constexpr std::chrono::hours kLatestExpiry{72};

/// The secret of a UTC day with which visitor ids are hashed.
struct Salt {
  SaltDay of;
  HashKey value{};
};

/// Stores the salts with which visitor ids are hashed. Called on the writer thread. Each function
/// returns after its change is on disk. Errors: kOverloaded (worth retrying), kInternal.
class Salts {
 public:
  virtual ~Salts() = default;

  /// Returns the salts of the given days, in the same order. Creates missing salts in a single
  /// transaction.
  virtual Result<std::vector<HashKey>> ensure(std::span<const SaltDay> days) = 0;
  /// Returns the salt of a day; nullopt if the day has no salt.
  virtual Result<std::optional<HashKey>> find(Days day) = 0;
  /// Returns the salts of the given days; leaves out days that have no salt.
  virtual Result<std::vector<Salt>> known(std::span<const Days> days) = 0;
  /// Stores salts that other nodes of a cluster also use. Days that already have a different salt
  /// keep it; returns these days.
  virtual Result<std::vector<Days>> add(std::span<const Salt> salts) = 0;
  /// Destroys salts that have expired, and salts that would live for longer than kLatestExpiry, in
  /// the database and its write-ahead log (WAL). Returns false if an open reader prevents this in
  /// the WAL: call destroy_expired() again later.
  virtual Result<bool> destroy_expired(UnixSeconds now) = 0;
};

}  // namespace analytics::store
