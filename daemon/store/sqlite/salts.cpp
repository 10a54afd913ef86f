#include "daemon/store/sqlite/salts.h"

#include <algorithm>

#include "common/failpoint.h"
#include "daemon/store/sqlite/changes.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

HashKey read_salt(const Rows& row) {
  HashKey salt{};
  const auto blob = row.blob(0);
  std::copy_n(blob.begin(), std::min(blob.size(), salt.size()), salt.begin());
  return salt;
}

}  // namespace

Result<std::vector<HashKey>> SqliteSalts::ensure(std::span<const store::SaltDay> days) {
  return in_transaction(connection_, [&]() -> std::vector<HashKey> {
    std::vector<HashKey> all;
    Statement insert(connection_,
                     "INSERT OR IGNORE INTO salts(day, salt, expires_at) VALUES(?, ?, ?)");
    Statement select(connection_, "SELECT salt FROM salts WHERE day = ?");
    for (const auto& [day, expires_at] : days) {
      const auto number = static_cast<std::int64_t>(day.time_since_epoch().count());
      insert.run(number, Bytes(random_hash_key()), seconds(expires_at));
      auto rows = select.query(number);
      rows.next();
      all.push_back(read_salt(rows));
    }
    return all;
  });
}

Result<std::optional<HashKey>> SqliteSalts::find(Days day) {
  return guarded([&]() -> std::optional<HashKey> {
    Statement select(connection_, "SELECT salt FROM salts WHERE day = ?");
    auto rows = select.query(static_cast<std::int64_t>(day.time_since_epoch().count()));
    return rows.next() ? std::optional(read_salt(rows)) : std::nullopt;
  });
}

Result<bool> SqliteSalts::destroy_expired(UnixSeconds now) {
  return guarded([&]() -> bool {
    Statement remove(connection_, "DELETE FROM salts WHERE expires_at <= ?");
    remove.run(seconds(now));
    // secure_delete has overwritten the row; the log still has the page as it was.
    if (connection_.changes() > 0) connection_.want_truncation();
    failpoint("in_salt_rotation");
    return !connection_.truncation_due() || connection_.checkpoint_truncate();
  });
}

void forget_all_salts(Connection& connection) { connection.execute("DELETE FROM salts"); }

}  // namespace analytics::sqlite
