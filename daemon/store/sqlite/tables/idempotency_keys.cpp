#include "daemon/store/sqlite/tables/idempotency_keys.h"

#include <algorithm>

#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kExpireKeys = 20'000;  // number of keys that a slice looks at

}  // namespace

IdempotencyKeys::IdempotencyKeys(Connection& connection)
    : connection_(connection),
      spend_(connection,
             "INSERT INTO idempotency(hash, expires_at) VALUES(?1, ?2) ON CONFLICT(hash)"
             " DO UPDATE SET expires_at = ?2 WHERE expires_at <= ?3") {}

bool IdempotencyKeys::is_spent(const IdempotencyKey& key, UnixSeconds now) {
  Statement find(connection_, "SELECT 1 FROM idempotency WHERE hash = ? AND expires_at > ?");
  return find.query(Bytes(key.hash), seconds(now)).next();
}

bool IdempotencyKeys::spend(const IdempotencyKey& key, UnixSeconds now) {
  spend_.run(Bytes(key.hash), seconds(key.expires_at), seconds(now));
  return connection_.changes() > 0;
}

bool IdempotencyKeys::expire_slice(UnixSeconds now) {
  Digest upto{};
  bool more = false;
  {
    Statement bound(connection_, "SELECT hash FROM idempotency WHERE hash > ? LIMIT 1 OFFSET ?");
    auto rows = bound.query(Bytes(expire_from_), kExpireKeys);
    more = rows.next() && rows.blob(0).size() == upto.size();
    if (more) std::copy_n(rows.blob(0).begin(), upto.size(), upto.begin());
  }
  if (!more) upto.fill(0xff);
  Statement remove(connection_,
                   "DELETE FROM idempotency WHERE hash >= ? AND hash <= ? AND expires_at <= ?");
  remove.run(Bytes(expire_from_), Bytes(upto), seconds(now));
  expire_from_ = more ? upto : Digest{};
  return more;
}

}  // namespace analytics::sqlite
