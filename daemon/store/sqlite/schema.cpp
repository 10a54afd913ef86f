#include "daemon/store/sqlite/schema.h"

#include <string>

#include "common/failpoint.h"
#include "daemon/store/backend.h"
#include "daemon/store/sqlite/migrations.h"
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

const std::int64_t kNewestSchema = std::ssize(migrations());

std::int64_t schema_of(Connection& connection) {
  const auto version = pragma(connection, "user_version");
  if (version > kNewestSchema) {
    throw store::StoreUnusable("the file has schema " + std::to_string(version) +
                               ", this program knows " + std::to_string(kNewestSchema) +
                               ": it was written by a newer analyticsd");
  }
  const bool ours = pragma(connection, "application_id") == kApplicationId;
  if (!ours && !is_empty(connection)) {
    throw store::StoreUnusable("the file is a database of another program");
  }
  return version;
}

void require_newest(Connection& connection) {
  if (schema_of(connection) == kNewestSchema) return;
  throw store::StoreUnusable("the file is of an older version: start the daemon once");
}

void migrate(Connection& connection) {
  for (auto step = schema_of(connection); step < kNewestSchema; ++step) {
    Transaction transaction(connection);
    connection.execute(migrations()[static_cast<std::size_t>(step)]);
    if (step + 1 == kNewestSchema) connection.execute(views_sql());
    failpoint("in_migration");
    connection.execute("PRAGMA application_id=" + std::to_string(kApplicationId) +
                       "; PRAGMA user_version=" + std::to_string(step + 1));
    transaction.commit();
  }
}

}  // namespace analytics::sqlite
