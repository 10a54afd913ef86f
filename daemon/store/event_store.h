#pragma once

#include <span>
#include <stdexcept>

#include "common/result.h"
#include "common/time.h"
#include "daemon/model/event.h"

namespace analytics::store {

/// Where events go. One thread at a time: the writer.
class EventStore {
 public:
  virtual ~EventStore() = default;

  /// Stores all of the batch, synced to disk, or none of it; `outcomes[i]` says what became of
  /// `events[i]`: stored, or not because its key was seen or its site is gone.
  /// Errors: kOverloaded (disk full or busy: worth retrying), kInternal (this batch never will).
  /// Throws StoreLost when nobody can know whether the batch is on disk.
  virtual Status append(std::span<const Event* const> events, std::span<EventOutcome> outcomes,
                        UnixSeconds now) = 0;

  /// Removes some rows of deleted sites. True while there is more to do.
  virtual Result<bool> purge_slice() = 0;

  /// Forgets some idempotency keys that are over. True while there is more to do.
  virtual Result<bool> expire_keys_slice(UnixSeconds now) = 0;

  /// Moves the log into the main file and empties it, if no reader is in the way.
  virtual Status checkpoint() = 0;
};

/// A sync failed: what is on disk is unknown. The process must end without another answer; the next
/// start reads what is really there.
struct StoreLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace analytics::store
