#pragma once

#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Brings the file to the schema of this program: each step in one transaction together with its
/// number. Throws store::StoreUnusable for a foreign file or one of a newer version.
void migrate(Connection& connection);

}  // namespace analytics::sqlite
