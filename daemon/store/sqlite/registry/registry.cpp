#include "daemon/store/sqlite/registry/registry.h"

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {

std::optional<UnixSeconds> read_last_backup(Connection& connection) {
  Statement select(connection, "SELECT value FROM meta WHERE name = 'last_backup'");
  auto rows = select.query();
  return rows.next() ? to_time(rows.maybe_int64(0)) : std::nullopt;
}

Registry::Registry(Connection& connection)
    : connection_(connection),
      imports_(connection),
      sites_(connection, imports_, changed_),
      keys_(connection, changed_),
      account_links_(connection, changed_),
      funnels_(connection),
      alert_log_(connection),
      shared_(connection, sites_, keys_, changed_) {
  if (const auto at = read_last_backup(connection)) last_backup_ = seconds(*at);
}

Status Registry::note_backup(UnixSeconds at) {
  return guarded([&] {
    Statement write(connection_,
                    "INSERT OR REPLACE INTO meta(name, value) VALUES('last_backup', ?)");
    write.run(seconds(at));
    last_backup_ = seconds(at);
  });
}

std::optional<UnixSeconds> Registry::last_backup() const {
  const std::int64_t at = last_backup_;
  return at == kNever ? std::nullopt : std::optional(to_time(at));
}

store::Directory Registry::read(const store::ChangedOwners& of) {
  store::Directory all;
  sites_.add_to(all, of);
  account_links_.add_to(all, of);
  keys_.add_to(all, of);
  return all;
}

Result<store::Directory> Registry::directory() {
  return guarded([&] { return read(store::ChangedOwners::all()); });
}

Result<std::optional<store::DirectoryChange>> Registry::take_changes() {
  if (changed_.is_empty()) return std::nullopt;
  return guarded([&]() -> std::optional<store::DirectoryChange> {
    store::DirectoryChange change{changed_, read(changed_)};
    changed_ = {};
    return change;
  });
}

}  // namespace analytics::sqlite
