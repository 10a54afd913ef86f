#include "daemon/store/sqlite/registry.h"

#include "daemon/store/sqlite/changes.h"

namespace analytics::sqlite {

SqliteRegistry::SqliteRegistry(Connection& connection)
    : imports_(connection), sites_(connection, imports_, revision_), keys_(connection, revision_) {}

Result<store::Directory> SqliteRegistry::directory() {
  return guarded([&] {
    store::Directory all;
    sites_.add_to(all);
    all.keys = keys_.load();
    return all;
  });
}

}  // namespace analytics::sqlite
