#include "daemon/store/sqlite/registry/salts.h"

#include <algorithm>

#include "common/io/failpoint.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/tables/late_events.h"

namespace analytics::sqlite {
namespace {

/// Reads a salt from the first column. Throws SqliteError if it has the wrong size.
HashKey read_salt(const Rows& row) {
  HashKey salt{};
  const auto blob = row.blob(0);
  if (blob.size() != salt.size()) throw damage("a salt has another size");
  std::copy(blob.begin(), blob.end(), salt.begin());
  return salt;
}

/// Reads the salts of days, and adds salts.
class SaltRows {
 public:
  explicit SaltRows(Connection& connection)
      : connection_(connection),
        insert_(connection, "INSERT OR IGNORE INTO salts(day, salt, expires_at) VALUES(?, ?, ?)"),
        select_(connection, "SELECT salt FROM salts WHERE day = ?") {}

  void add(const store::SaltDay& of, const HashKey& value) {
    insert_.run(number_of(of.day), Bytes(value), seconds(of.expires_at));
    if (connection_.changes() > 0) count_salt(connection_, of.day);
  }
  [[nodiscard]] std::optional<HashKey> find(Days day) {
    auto rows = select_.query(number_of(day));
    return rows.next() ? std::optional(read_salt(rows)) : std::nullopt;
  }

 private:
  Connection& connection_;
  Statement insert_;
  Statement select_;
};

}  // namespace

Result<std::vector<HashKey>> SqliteSalts::ensure(std::span<const store::SaltDay> days) {
  return in_transaction(connection_, [&]() -> std::vector<HashKey> {
    std::vector<HashKey> all;
    SaltRows salts(connection_);
    for (const auto& of : days) {
      salts.add(of, random_hash_key());
      all.push_back(salts.find(of.day).value());
    }
    return all;
  });
}

Result<std::optional<HashKey>> SqliteSalts::find(Days day) {
  return guarded([&] { return SaltRows(connection_).find(day); });
}

Result<std::vector<store::Salt>> SqliteSalts::known(std::span<const Days> days) {
  return guarded([&] {
    std::vector<store::Salt> all;
    Statement select(connection_, "SELECT salt, expires_at FROM salts WHERE day = ?");
    for (const auto day : days) {
      auto rows = select.query(number_of(day));
      if (rows.next()) all.push_back({{day, to_time(rows.int64(1))}, read_salt(rows)});
    }
    return all;
  });
}

Result<std::vector<Days>> SqliteSalts::add(std::span<const store::Salt> salts) {
  return in_transaction(connection_, [&] {
    std::vector<Days> others;
    SaltRows rows(connection_);
    for (const auto& salt : salts) {
      rows.add(salt.of, salt.value);
      if (rows.find(salt.of.day) != salt.value) others.push_back(salt.of.day);
    }
    return others;
  });
}

Result<bool> SqliteSalts::destroy_expired(UnixSeconds now) {
  return guarded([&]() -> bool {
    Statement remove(connection_,
                     "DELETE FROM salts WHERE expires_at <= ?1 OR expires_at - ?2 > ?1");
    remove.run(seconds(now), std::chrono::seconds(store::kLatestExpiry).count());
    // secure_delete has overwritten the row in the page, but the WAL still contains the old page.
    if (connection_.changes() > 0) connection_.want_truncation();
    failpoint("in_salt_rotation");
    return !connection_.truncation_due() || connection_.checkpoint_truncate();
  });
}

void forget_all_salts(Connection& connection) { connection.execute("DELETE FROM salts"); }

}  // namespace analytics::sqlite
