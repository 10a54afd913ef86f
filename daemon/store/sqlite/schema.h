#pragma once

#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Brings the file to the schema of this program: each step in one transaction together with its
/// number. Throws store::StoreUnusable for a foreign file or one of a newer version.
void migrate(Connection& connection);

/// The schema that migrate() brings a file to.
extern const std::int64_t kNewestSchema;

/// Returns the schema of a file; 0: it is empty. Throws as migrate().
[[nodiscard]] std::int64_t schema_of(Connection& connection);

/// Throws StoreUnusable unless the file has the newest schema: to upgrade it is the daemon's.
void require_newest(Connection& connection);

}  // namespace analytics::sqlite
