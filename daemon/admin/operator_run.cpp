#include "daemon/admin/operator_run.h"

#include "common/io/file_lock.h"
#include "daemon/admin/control_socket.h"
#include "daemon/admin/owner.h"
#include "daemon/store/sqlite/backend.h"

namespace analytics::admin {

Result<std::string> run_operator(const std::filesystem::path& database,
                                 const OperatorCommand& command, UnixSeconds now) {
  TRY(make_private_directory(database.parent_path()));
  const auto lock = FileLock::take_with_file(database);
  if (lock) {
    TRY(close_to_others(database));
    const auto backend = sqlite::open_backend(database, {});
    if (changes_registry(command) && backend->shared_registry().revision()) {
      return fail(ErrorCode::kOverloaded,
                  "The nodes of a cluster share this registry, and only a running daemon changes"
                  " it: start it, and try again.");
    }
    return run_command(command, backend->registry(), now);
  }
  if (lock.error().code != ErrorCode::kOverloaded) return fail(lock.error());
  const auto reply = ask_daemon(database, to_line(command));
  if (reply) return parse_outcome(*reply);
  // The lock's holder is a daemon that starts or stops, or another command. The error names the
  // holder.
  return fail(ErrorCode::kOverloaded, lock.error().message + " that does not answer; try again");
}

}  // namespace analytics::admin
