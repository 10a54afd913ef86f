#include "daemon/store/sqlite/db/schema.h"

#include <map>
#include <string>

#include "common/io/failpoint.h"
#include "common/text/time.h"
#include "daemon/store/failures.h"
#include "daemon/store/sqlite/db/schema_sql.h"
#include "daemon/store/sqlite/db/views.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kApplicationId = 0x414E4C59;  // "ANLY" in ASCII

std::int64_t pragma(Connection& connection, const std::string& name) {
  Statement statement(connection, "PRAGMA " + name);
  auto rows = statement.query();
  return rows.next() ? rows.int64(0) : 0;
}

bool is_empty(Connection& connection) {
  Statement statement(connection, "SELECT count(*) FROM sqlite_schema");
  auto rows = statement.query();
  return rows.next() && rows.int64(0) == 0;
}

/// The SQL text of each table, index, view and trigger of a file, by kind and name.
using Entries = std::map<std::string, std::string>;

Entries read_entries(Connection& connection) {
  // Ignores the tables with statistics that ANALYZE makes in the sqlite3 shell, because they do no
  // harm.
  Statement select(connection,
                   "SELECT type || ' ' || name, tbl_name || coalesce(sql, '') FROM sqlite_schema"
                   " WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')"
                   " AND rootpage > 0)");
  Entries entries;
  for (auto rows = select.query(); rows.next();) entries[rows.text(0)] = rows.text(1);
  return entries;
}

Entries make_own_entries() {
  Connection fresh(":memory:", Role::kCopy);
  migrate(fresh);
  return read_entries(fresh);
}

[[noreturn]] void refuse_entry(const std::string& what) {
  throw store::StoreUnusable("the file is damaged, or another program has changed it: " + what);
}

/// Throws StoreUnusable unless the file has exactly the tables, indexes, views and triggers of the
/// newest schema. Another program may have added triggers, which run whenever an event is stored.
void require_own_entries(Connection& connection) {
  static const auto kOwn = make_own_entries();
  const auto entries = read_entries(connection);
  for (const auto& [name, text] : kOwn) {
    const auto found = entries.find(name);
    if (found == entries.end()) refuse_entry("it lacks the " + name);
    if (found->second != text) refuse_entry("its " + name + " is another");
  }
  for (const auto& [name, text] : entries) {
    if (kOwn.count(name) == 0) refuse_entry("it has a " + name);
  }
}

}  // namespace

SchemaSteps schema_steps() {
  static const std::string_view kSteps[] = {schema_sql()};
  return kSteps;
}

std::int64_t schema_of(Connection& connection, SchemaSteps steps) {
  const auto version = pragma(connection, "user_version");
  if (version > std::ssize(steps)) {
    throw store::StoreUnusable("the file has schema " + std::to_string(version) +
                               ", this program knows " + std::to_string(steps.size()) +
                               ": it was written by another version of analyticsd");
  }
  const bool ours = pragma(connection, "application_id") == kApplicationId;
  const bool is_new = is_empty(connection);
  if (!ours && !is_new) throw store::StoreUnusable("the file is a database of another program");
  if (version < 0 || (version == 0) != is_new) {
    refuse_entry("it has the schema number " + std::to_string(version));
  }
  return version;
}

void require_newest(Connection& connection) {
  if (schema_of(connection) != newest_schema()) {
    throw store::StoreUnusable("the file is of an older version: start the daemon once");
  }
  require_whole(connection);
}

void require_whole(Connection& connection) {
  require_own_entries(connection);
  Statement select(connection, "SELECT min(domain), timezone FROM sites GROUP BY timezone");
  for (auto sites = select.query(); sites.next();) {
    if (is_time_zone(sites.text(1))) continue;
    throw store::StoreUnusable("this system does not know the time zone \"" + sites.text(1) +
                               "\" of the site " + sites.text(0) + ": install newer tzdata");
  }
}

void migrate(Connection& connection, SchemaSteps steps) {
  for (auto stored = schema_of(connection, steps); stored < std::ssize(steps); ++stored) {
    Transaction transaction(connection);
    connection.execute(std::string(steps[static_cast<std::size_t>(stored)]));
    if (stored + 1 == std::ssize(steps)) connection.execute(views_sql());
    failpoint("in_migration");
    connection.execute("PRAGMA application_id=" + std::to_string(kApplicationId) +
                       "; PRAGMA user_version=" + std::to_string(stored + 1));
    transaction.commit();
  }
}

}  // namespace analytics::sqlite
