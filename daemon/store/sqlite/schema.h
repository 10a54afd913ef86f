#pragma once

#include <span>
#include <string_view>

#include "daemon/store/sqlite/sqlite.h"

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

/// Returns the schema of a file; 0: it is empty. Throws as migrate().
[[nodiscard]] std::int64_t schema_of(Connection& connection, SchemaSteps steps = schema_steps());

/// Throws StoreUnusable unless the file has the newest schema: only the daemon upgrades files.
void require_newest(Connection& connection);

}  // namespace analytics::sqlite
