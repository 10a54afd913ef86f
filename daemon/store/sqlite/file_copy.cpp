#include "daemon/store/sqlite/file_copy.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <sqlite3.h>
#include <unistd.h>

#include "daemon/store/failures.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/schema.h"
#include "daemon/store/sqlite/file_check.h"
#include "daemon/store/sqlite/registry/salts.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/row_sweep.h"

namespace analytics::sqlite {
namespace {

/// Copies all pages in a single step, which reads a snapshot of the source. The copy therefore
/// neither restarts after a commit nor delays a commit.
void copy_pages(Connection& source, Connection& copy) {
  auto* backup = sqlite3_backup_init(copy.handle(), "main", source.handle(), "main");
  if (backup != nullptr) {
    (void)sqlite3_backup_step(backup, -1);
    if (sqlite3_backup_finish(backup) == SQLITE_OK) return;
  }
  throw SqliteError(sqlite3_extended_errcode(copy.handle()),
                    std::string("copy: ") + sqlite3_errmsg(copy.handle()));
}

/// Marks the file, in its header, as not using a write-ahead log:
/// https://sqlite.org/fileformat2.html, 1.3.3. The daemon undoes this when it opens the file.
void leave_wal(const FileDescriptor& copy) {
  constexpr off_t kVersions = 18;
  constexpr std::array<char, 2> kRollback = {1, 1};
  if (pwrite(copy.get(), kRollback.data(), kRollback.size(), kVersions) !=
      static_cast<ssize_t>(kRollback.size())) {
    throw Error{ErrorCode::kInternal, std::string("copy: ") + std::strerror(errno)};
  }
}

store::CopyInfo check_contents(Connection& connection) {
  const auto schema = schema_of(connection);
  if (schema == newest_schema()) require_whole(connection);
  check_quickly(connection, [](const std::string& problem) {
    throw store::StoreUnusable("the copy is damaged: " + problem);
  });
  // A copy with an older schema may lack the tables from which the number of events is read.
  return {schema,
          schema == newest_schema() ? sealed_events(connection) + staying_rows(connection) : 0};
}

template <typename Work>
auto on_file(Work work) {
  return guarded([&] { return or_unusable(work); });
}

}  // namespace

Result<store::CopyInfo> write_copy(const std::filesystem::path& database,
                                   const FileDescriptor& copy, bool with_salts) {
  return on_file([&] {
    {
      Connection source(database, Role::kReader);
      (void)schema_of(source);
      Connection target(copy);
      copy_pages(source, target);
    }
    leave_wal(copy);
    Connection connection(copy);
    if (!with_salts) forget_all_salts(connection);
    const auto info = check_contents(connection);
    if (fsync(copy.get()) != 0) throw Error{ErrorCode::kInternal, "the copy could not be synced"};
    return info;
  });
}

Result<store::Schemas> schemas(const std::filesystem::path& database) {
  return on_file([&]() -> store::Schemas {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(database, unknown);
    if (unknown || size == 0) return {0, newest_schema()};
    Connection connection(database, Role::kReader);
    return {schema_of(connection), newest_schema()};
  });
}

Result<store::CopyInfo> check_copy(const FileDescriptor& copy) {
  return on_file([&] {
    leave_wal(copy);  // a copy that another program has made has no write-ahead log, either
    Connection connection(copy);
    return check_contents(connection);
  });
}

Status merge_log(const std::filesystem::path& database) {
  return on_file([&] {
    Connection connection(database, Role::kWriter);
    if (connection.checkpoint_truncate()) return;
    throw Error{ErrorCode::kOverloaded, "another process reads the database"};
  });
}

Status forget_salts(const std::filesystem::path& database) {
  return on_file([&] {
    Connection connection(database, Role::kWriter);
    forget_all_salts(connection);
    connection.execute("PRAGMA journal_mode=DELETE");  // merges the write-ahead log into the file
  });
}

}  // namespace analytics::sqlite
