#include "daemon/backends.h"

#include "daemon/store/sqlite/backend.h"

namespace analytics {

std::unique_ptr<store::Backend> open_backend(const std::filesystem::path& database,
                                             const store::Limits& limits) {
  return sqlite::open_backend(database, limits);
}

}  // namespace analytics
