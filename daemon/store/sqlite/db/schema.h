#pragma once

#include <span>
#include <string_view>

#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// The statements that upgrade a file: step N upgrades it from schema N to schema N + 1. The first
/// step is schema.sql.
using SchemaSteps = std::span<const std::string_view>;
[[nodiscard]] SchemaSteps schema_steps();

/// Brings the file to the schema of this program: each step is one transaction together with its
/// number. Throws store::StoreUnusable for a foreign file and for one of a newer version.
void migrate(Connection& connection, SchemaSteps steps = schema_steps());

/// Returns the schema that migrate() upgrades a file to.
[[nodiscard]] inline std::int64_t newest_schema() { return std::ssize(schema_steps()); }

/// Returns the number of a file's schema; 0: it is empty. Throws as migrate(), and for a number
/// that no version has written.
[[nodiscard]] std::int64_t schema_of(Connection& connection, SchemaSteps steps = schema_steps());

/// Throws StoreUnusable unless a file with the newest schema has exactly the tables, indexes, views
/// and triggers of that schema, and every site has a known time zone. Anything more, such as a
/// trigger, could do harm: https://sqlite.org/security.html.
void require_whole(Connection& connection);

/// As require_whole(). Also throws StoreUnusable for an older schema: only the daemon upgrades
/// files.
void require_newest(Connection& connection);

}  // namespace analytics::sqlite
