#include "daemon/app/open_store.h"

#include "common/io/failpoint.h"
#include "common/io/fs.h"
#include "daemon/admin/owner.h"
#include "daemon/config/exit_code.h"
#include "daemon/store/failures.h"
#include "daemon/store/sqlite/file_copy.h"

namespace analytics {
namespace {

/// Returns the result of `work`. Turns StoreUnusable into an AppError that names the file.
template <typename Work>
auto on_database(const Config& config, const Work& work) {
  try {
    return work();
  } catch (const store::StoreUnusable& error) {
    throw AppError(ExitCode::kUnusable, config.database.string() + ": " + error.what());
  }
}

void refuse_unsafe_place(const Config& config) {
  const auto problem = sqlite::place_problem(config.database);
  if (problem.empty() || config.allow_network_disk) return;
  throw AppError(ExitCode::kConfig, problem + "; set allow_network_disk = true to accept the risk");
}

}  // namespace

FileLock lock_database(const Config& config) {
  const auto& database = config.database;
  if (auto owner = admin::check_owner(database); !owner) {
    throw AppError(ExitCode::kConfig, owner.error().message);
  }
  if (auto made = make_private_directory(database.parent_path()); !made) {
    throw AppError(ExitCode::kConfig, made.error().message);
  }
  refuse_unsafe_place(config);
  auto lock = FileLock::take_with_file(database);
  if (lock) return std::move(*lock);
  const bool held = lock.error().code == ErrorCode::kOverloaded;
  throw AppError(held ? ExitCode::kHeld : ExitCode::kConfig, lock.error().message);
}

std::vector<std::string> correct_rights(const Config& config) {
  auto closed = admin::close_to_others(config.database);
  if (!closed) throw AppError(ExitCode::kConfig, closed.error().message);
  return std::move(*closed);
}

Upgrade prepare_upgrade(const Config& config, const Clock& clock, Log& log) {
  return on_database(config, [&] {
    const auto schemas = sqlite::schemas(config.database);
    if (!schemas) throw AppError(ExitCode::kRuntime, schemas.error().reason());
    return Upgrade(config.database, *schemas, config.upgrade, clock, log);
  });
}

std::unique_ptr<sqlite::Backend> open_store(const Config& config) {
  failpoint("before_open");
  auto backend =
      on_database(config, [&] { return sqlite::open_backend(config.database, config.store); });
  auto& journal = backend->journal();
  if (!config.cluster.url.empty()) {
    if (auto begun = journal.begin(); !begun) {
      throw AppError(ExitCode::kConfig, config.database.string() + ": " + begun.error().message);
    }
  } else if (journal.has_begun()) {
    // Without cluster.events, days would be sealed before they are shipped.
    throw AppError(ExitCode::kConfig,
                   config.database.string() +
                       " is the journal of a cluster, and cluster.events is not set: set it, or run"
                       " 'analyticsd cluster leave'");
  }
  if (config.registry.server.url.empty() && backend->shared_registry().revision()) {
    throw AppError(ExitCode::kConfig,
                   config.database.string() +
                       " has the registry of a cluster, and cluster.registry is not set: set it, or"
                       " run 'analyticsd cluster leave'");
  }
  return backend;
}

}  // namespace analytics
