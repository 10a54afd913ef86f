#pragma once

#include <span>
#include <string_view>

#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// SQL that upgrades a database file: step N upgrades it from schema N to schema N + 1. The first
/// step is schema.sql.
using SchemaSteps = std::span<const std::string_view>;
[[nodiscard]] SchemaSteps schema_steps();

/// Upgrades the file to the schema of this program. Each step and its schema number are written in
/// one transaction. Throws store::StoreUnusable if another program or a newer version made the
/// file.
void migrate(Connection& connection, SchemaSteps steps = schema_steps());

/// Returns the number of the schema to which migrate() upgrades a file.
[[nodiscard]] inline std::int64_t newest_schema() { return std::ssize(schema_steps()); }

/// Returns the number of a file's schema; 0 if the file is empty. Throws like migrate(), and also
/// StoreUnusable for a number that no version has written.
[[nodiscard]] std::int64_t schema_of(Connection& connection, SchemaSteps steps = schema_steps());

/// Throws StoreUnusable unless a file with the newest schema has exactly the tables, indexes, views
/// and triggers of that schema, and every site has a known time zone. Anything more, such as a
/// trigger, could do harm: https://sqlite.org/security.html.
void require_whole(Connection& connection);

/// Like require_whole(), but also throws StoreUnusable for an older schema, because only the daemon
/// upgrades files.
void require_newest(Connection& connection);

}  // namespace analytics::sqlite
