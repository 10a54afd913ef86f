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

/// The salts that visitor ids are made with. Called on the writer thread; a change is on disk when
/// it returns. Errors: kOverloaded (worth retrying), kInternal.
class Salts {
 public:
  virtual ~Salts() = default;

  /// Returns the salts of the days, in their order. Those that are missing are made in one go.
  virtual Result<std::vector<HashKey>> ensure(std::span<const SaltDay> days) = 0;
  /// Returns the salt of a day, if it has one.
  virtual Result<std::optional<HashKey>> find(Days day) = 0;
  /// Destroys what is over, from every file. False when the last trace must wait for a reader.
  virtual Result<bool> destroy_expired(UnixSeconds now) = 0;
};

}  // namespace analytics::store
