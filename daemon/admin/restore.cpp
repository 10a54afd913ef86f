#include "daemon/admin/restore.h"

#include <unistd.h>

#include "common/io/failpoint.h"
#include "common/io/file_lock.h"
#include "common/text/text.h"
#include "daemon/admin/owner.h"
#include "daemon/store/failures.h"
#include "daemon/store/sqlite/file_copy.h"

namespace analytics::admin {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> refuse(const fs::path& file, const std::error_code& reason) {
  return fail(ErrorCode::kInternal, file.string() + ": " + reason.message());
}

fs::path with_suffix(const fs::path& file, const std::string& suffix) {
  return fs::path(file.string() + suffix);
}

/// Keeps the former database under the name `aside`, as a hard link. First merges its WAL into it;
/// if that fails, renames the WAL to match. Errors: kOverloaded, kInternal.
Status set_aside(const fs::path& database, const fs::path& aside) {
  bool is_settled = false;
  try {
    auto settled = sqlite::merge_log(database);
    if (!settled && settled.error().code == ErrorCode::kOverloaded) return settled;
    is_settled = settled.has_value();
  } catch (const store::StoreUnusable&) {
    // The log of an unusable database cannot be merged: both files are set aside unchanged.
  }
  std::error_code failed;
  fs::create_hard_link(database, aside, failed);
  if (failed) return refuse(aside, failed);
  const auto log = with_suffix(database, "-wal");
  if (!is_settled && fs::exists(log)) fs::rename(log, with_suffix(aside, "-wal"), failed);
  if (failed) return refuse(log, failed);
  return {};
}

/// Removes the former database's WAL and WAL index, because SQLite would apply the WAL to the
/// restored database.
Status remove_log(const fs::path& database) {
  for (const auto& file : files_of(database)) {
    if (file == database) continue;
    std::error_code failed;
    fs::remove(file, failed);
    if (failed) return refuse(file, failed);
  }
  return {};
}

/// Removes the salts from the former database in the file `aside`. Returns the message to print,
/// also if that fails.
std::string forget_salts(const fs::path& aside) {
  std::string reason;
  try {
    const auto forgotten = sqlite::forget_salts(aside);
    if (forgotten) return "The former database is " + aside.string() + ", without salts.\n";
    reason = forgotten.error().reason();
  } catch (const store::StoreUnusable& error) {
    reason = error.what();
  }
  return "The former database is " + aside.string() +
         ". Its salts could not be removed, with which addresses can be guessed (" + reason +
         "): delete it once you do not need it.\n";
}

/// Cleans up after a failed restore if there was no database before (`is_new`): the destructor
/// removes the empty file that FileLock created, and its lock file, unless keep() was called.
/// REQUIRES: the lock is held.
class EmptyFile {
 public:
  EmptyFile(fs::path file, bool is_new) : file_(std::move(file)), is_new_(is_new) {}
  ~EmptyFile() {
    std::error_code unknown;
    if (!is_new_) return;
    fs::remove(file_, unknown);
    fs::remove(with_suffix(file_, ".lock"), unknown);
  }
  EmptyFile(const EmptyFile&) = delete;
  EmptyFile& operator=(const EmptyFile&) = delete;
  void keep() { is_new_ = false; }

 private:
  fs::path file_;
  bool is_new_;
};

}  // namespace

Result<std::string> restore(const fs::path& database, const FileDescriptor& backup,
                            UnixSeconds now) {
  TRY(make_private_directory(database.parent_path()));
  std::error_code unknown;
  const bool is_new = !fs::exists(database, unknown);
  const auto lock = FileLock::take_with_file(database);
  if (!lock) {
    const bool is_held = lock.error().code == ErrorCode::kOverloaded;
    return fail(lock.error().code,
                lock.error().message + (is_held ? ": stop the daemon first" : ""));
  }
  EmptyFile empty(database, is_new);
  auto fresh = TRY(NewFile::create(with_suffix(database, ".restored-" + std::to_string(getpid()))));
  TRY(copy_all(backup, fresh.descriptor()));
  const auto info = TRY(sqlite::check_copy(fresh.descriptor()));
  const bool has_former = !is_new && fs::file_size(database, unknown) > 0;
  auto aside = with_suffix(database, ".before-" + format_compact(now));
  if (fs::exists(aside, unknown)) aside += "-" + std::to_string(getpid());
  if (has_former) TRY(set_aside(database, aside));
  TRY(remove_log(database));
  failpoint("before_restored");
  TRY(fresh.rename(database, true));
  empty.keep();
  return "restored " + std::to_string(info.events) + " events, schema " +
         std::to_string(info.schema) + ", as " + database.string() + "\n" +
         (has_former ? forget_salts(aside) : "");
}

}  // namespace analytics::admin
