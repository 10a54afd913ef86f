#include <string>

#include "daemon/store/sqlite/db/sqlite.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::statement_test {

namespace {

std::int64_t number(sqlite::Connection& connection, const std::string& sql) {
  sqlite::Statement statement(connection, sql);
  auto rows = statement.query();
  return rows.next() ? rows.int64(0) : -1;
}

/// Returns true if the connection keeps a statement with this text that is not in use.
bool keeps(sqlite::Connection& connection, const std::string& sql) {
  auto* statement = connection.statements().take(sql);
  connection.statements().put(statement);
  return statement != nullptr;
}

}  // namespace

TEST_CASE("statement: a limited number of statements is kept for the next use") {
  const TempFolder folder;
  sqlite::Connection connection(folder / "a.db", sqlite::Role::kWriter);
  CHECK(number(connection, "SELECT 7") == 7);
  CHECK(keeps(connection, "SELECT 7"));
  CHECK(number(connection, "PRAGMA user_version") == 0);
  CHECK_FALSE(keeps(connection, "PRAGMA user_version"));
  for (std::size_t i = 0; i < sqlite::StatementCache::kMax; ++i) {
    CHECK(keeps(connection, "SELECT 7"));  // this marks it as recently used
    (void)number(connection, "SELECT 1000 + " + std::to_string(i));
  }
  CHECK(keeps(connection, "SELECT 7"));
  CHECK_FALSE(keeps(connection, "SELECT 1000 + 0"));
}

TEST_CASE("statement: two statements with the same text run at the same time") {
  const TempFolder folder;
  sqlite::Connection connection(folder / "a.db", sqlite::Role::kWriter);
  connection.execute("CREATE TABLE t(n); INSERT INTO t VALUES (1), (2)");
  const std::string all = "SELECT n FROM t WHERE n >= ?";
  for (int round = 0; round < 2; ++round) {
    sqlite::Statement one(connection, all);
    sqlite::Statement other(connection, all);
    auto ones = one.query(1);
    auto others = other.query(2);
    REQUIRE(ones.next());
    REQUIRE(others.next());
    CHECK(ones.int64(0) == 1);
    CHECK(others.int64(0) == 2);
    CHECK_FALSE(others.next());
    CHECK(ones.next());
  }
}

TEST_CASE("statement: a kept statement sees schema changes and no values of its last run") {
  const TempFolder folder;
  sqlite::Connection connection(folder / "a.db", sqlite::Role::kWriter);
  connection.execute("CREATE TABLE t(n); INSERT INTO t VALUES (1)");
  CHECK(number(connection, "SELECT * FROM t") == 1);
  connection.execute("DROP TABLE t; CREATE TABLE t(m, n); INSERT INTO t VALUES (5, 1)");
  CHECK(number(connection, "SELECT * FROM t") == 5);
  const std::string bound = "SELECT coalesce(?, 3)";
  {
    sqlite::Statement statement(connection, bound);
    auto rows = statement.query(4);
    REQUIRE(rows.next());
    CHECK(rows.int64(0) == 4);
  }
  CHECK(number(connection, bound) == 3);
}

}  // namespace analytics::test::statement_test
