#pragma once

#include "common/text/time.h"
#include "daemon/model/event.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Owns the table idempotency: the idempotency keys of single events, each of which can be used
/// once until it expires. Used inside the writer's transactions; throws SqliteError.
class IdempotencyKeys {
 public:
  /// `connection` must outlive this object.
  explicit IdempotencyKeys(Connection& connection);

  /// Returns true if the key was used before and has not expired.
  [[nodiscard]] bool is_spent(const IdempotencyKey& key, UnixSeconds now);
  /// Marks a key as used. Returns false if it was already used and has not expired.
  [[nodiscard]] bool spend(const IdempotencyKey& key, UnixSeconds now);
  /// Deletes some expired keys. Returns true while there is more to do.
  bool expire_slice(UnixSeconds now);

 private:
  Connection& connection_;
  Statement spend_;
  Digest expire_from_{};  ///< Key hash at which the next expire_slice() begins.
};

}  // namespace analytics::sqlite
