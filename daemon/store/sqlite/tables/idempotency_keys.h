#pragma once

#include "common/text/time.h"
#include "daemon/model/event.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Owns the table idempotency: the keys of single events, each spent once until it expires. Used
/// inside the writer's transactions; all functions throw SqliteError.
class IdempotencyKeys {
 public:
  /// `connection` must outlive this object.
  explicit IdempotencyKeys(Connection& connection);

  [[nodiscard]] bool is_spent(const IdempotencyKey& key, UnixSeconds now);
  /// Spends a key. Returns false if it was spent before.
  [[nodiscard]] bool spend(const IdempotencyKey& key, UnixSeconds now);
  /// Forgets some expired keys. Returns true while there is more to do.
  bool expire_slice(UnixSeconds now);

 private:
  Connection& connection_;
  Statement spend_;
  Digest expire_from_{};  ///< Hash at which the next expire_slice() begins.
};

}  // namespace analytics::sqlite
