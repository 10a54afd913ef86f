#include "daemon/commands/command_parts.h"

#include <iostream>
#include <string>

#include <sys/resource.h>

#include "common/io/file_lock.h"
#include "daemon/admin/owner.h"
#include "daemon/config/exit_code.h"
#include "daemon/store/sqlite/file_copy.h"

namespace analytics {

void become_owner(const std::filesystem::path& database) {
  value_or_throw(admin::become_owner(database));
  std::cerr << "database " << database.string() << '\n';
}

void open_as_owner(const std::filesystem::path& database) {
  std::error_code unknown;
  if (!std::filesystem::exists(database, unknown) && !unknown) {
    throw AppError(ExitCode::kUnusable,
                   "there is no database " + database.string() +
                       ": name it with --db, or start the daemon, which makes it");
  }
  become_owner(database);
  value_or_throw(FileLock::check_name(database));
}

void refuse_older(const std::filesystem::path& database) {
  const auto schemas = value_or_throw(sqlite::schemas(database));
  if (schemas.stored != 0 && schemas.stored < schemas.newest) {
    throw AppError(ExitCode::kUnusable, database.string() + " has schema " +
                                            std::to_string(schemas.stored) +
                                            " and needs an upgrade: start the daemon once");
  }
}

void lower_priority() {
  constexpr int kNice = 10;
  (void)setpriority(PRIO_PROCESS, 0, kNice);
}

}  // namespace analytics
