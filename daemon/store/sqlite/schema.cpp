#include "daemon/store/sqlite/schema.h"

#include <string>

#include "common/failpoint.h"
#include "daemon/store/backend.h"
#include "daemon/store/sqlite/schema_sql.h"
#include "daemon/store/sqlite/views.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kApplicationId = 0x414E4C59;  // "ANLY"

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
                               ": it was written by a newer analyticsd");
  }
  const bool ours = pragma(connection, "application_id") == kApplicationId;
  if (!ours && !is_empty(connection)) {
    throw store::StoreUnusable("the file is a database of another program");
  }
  return version;
}

void require_newest(Connection& connection) {
  if (schema_of(connection) == newest_schema()) return;
  throw store::StoreUnusable("the file is of an older version: start the daemon once");
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
