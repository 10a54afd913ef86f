#include "daemon/backends.h"

#include "daemon/store/sqlite/backend.h"

namespace analytics {

std::unique_ptr<store::Backend> open_backend(const std::filesystem::path& database,
                                             const store::Limits& limits) {
  return sqlite::open_backend(database, limits);
}

std::string place_problem(const std::filesystem::path& database) {
  return sqlite::place_problem(database);
}

}  // namespace analytics
