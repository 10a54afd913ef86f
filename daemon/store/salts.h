#pragma once

#include <optional>
#include <span>
#include <vector>

#include "common/result.h"
#include "common/secret.h"
#include "common/time.h"

namespace analytics::store {

/// The day a salt is for, and when it dies if it is made now.
struct SaltDay {
  Days day{};
  UnixSeconds expires_at{};
};

/// When a salt made now must be destroyed: 48 hours after a live day began, 48 hours from now for a
/// day that is over.
[[nodiscard]] inline UnixSeconds salt_expiry(Days day, UnixSeconds now) {
  constexpr std::chrono::hours kSaltLife{48};
  const auto today = std::chrono::floor<std::chrono::days>(now);
  return (day < today ? now : UnixSeconds(day)) + kSaltLife;
}

struct Salt {
  SaltDay of;
  HashKey value{};
};

/// The salts that visitor ids are made with. Called on the writer thread; a change is on disk when
/// it returns. Errors: kOverloaded (worth retrying), kInternal.
class Salts {
 public:
  virtual ~Salts() = default;

  /// Returns the salts of the days, in their order. Those that are missing are made in one go.
  virtual Result<std::vector<HashKey>> ensure(std::span<const SaltDay> days) = 0;
  /// Returns the salt of a day, if it has one.
  virtual Result<std::optional<HashKey>> find(Days day) = 0;
  /// Returns the salts that there are of these days.
  virtual Result<std::vector<Salt>> known(std::span<const Days> days) = 0;
  /// Stores salts that other nodes of a cluster use, too. A day that has another keeps it, and is
  /// returned.
  virtual Result<std::vector<Days>> add(std::span<const Salt> salts) = 0;
  /// Destroys what is over, from every file. False when the last trace must wait for a reader.
  virtual Result<bool> destroy_expired(UnixSeconds now) = 0;
};

}  // namespace analytics::store
