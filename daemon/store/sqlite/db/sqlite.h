#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "common/io/fs.h"
#include "common/run/result.h"
#include "daemon/store/sqlite/db/file_watch.h"
#include "daemon/store/sqlite/db/statement_cache.h"

struct sqlite3;
struct sqlite3_stmt;

namespace analytics::sqlite {

/// An error of SQLite. Thrown inside daemon/store/sqlite, whose public functions convert it into an
/// Error.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] int code() const { return code_; }  ///< Returns SQLite's extended result code.
  /// Returns true if a UNIQUE or NOT NULL constraint failed.
  [[nodiscard]] bool is_constraint() const;
  /// Returns true if a sync failed, so that the disk contents are unknown.
  [[nodiscard]] bool is_lost_sync() const;
  /// Returns true if the file is corrupt, or not a database.
  [[nodiscard]] bool is_damage() const;

 private:
  int code_;
};

/// Returns an error for a damaged database, when a stored value is one that this program cannot
/// have written. `what`: the message.
[[nodiscard]] SqliteError damage(const std::string& what);

/// Throws SqliteError if `code`, a result code of SQLite, is an error. For functions of SQLite
/// that have no connection. `what`: the operation, for the message.
void check(int code, const char* what);

/// Converts an error: kOverloaded for conditions that may pass (disk full, I/O, locked), kDamaged
/// for damage, else kInternal.
[[nodiscard]] Error to_error(const SqliteError& error);

/// Ways to use a database file, each with its SQLite settings.
enum class Role {
  kWriter,  ///< Creates a missing file. WAL, synchronous=FULL (both verified), secure_delete.
  kReader,  ///< Reads only (query_only), and never checkpoints.
  kCopy,    ///< Writes a file that no other process uses: no WAL, no syncs; secure_delete.
};

/// A connection to a database. Used by one thread at a time: another thread must open its own.
class Connection {
 public:
  /// Opens the database file. Throws SqliteError.
  Connection(const std::filesystem::path& file, Role role);
  /// Opens a database through an open file, which may be empty, with Role::kCopy. Throws
  /// SqliteError.
  explicit Connection(const FileDescriptor& file);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Runs statements without parameters. Throws SqliteError.
  void execute(const std::string& sql);
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] std::int64_t last_insert_id() const;
  /// Moves the whole WAL into the database file and empties the WAL. Returns false if a reader
  /// prevents this.
  bool checkpoint_truncate();
  /// Gives some free pages of the database file back to the file system. Returns true if more pages
  /// are free.
  bool vacuum_some();
  /// Notes that the WAL contains copies of pages with deleted data, so that it must be emptied
  /// soon: see truncation_due().
  void want_truncation() { truncation_due_ = true; }
  /// Returns true if the WAL must be emptied, that is, from want_truncation() until
  /// checkpoint_truncate() succeeds.
  [[nodiscard]] bool truncation_due() const { return truncation_due_; }
  /// Moves as much of the WAL into the database file as readers allow.
  void checkpoint_passive();
  /// Returns the number of pages in the WAL as of the last commit; 0 after a checkpoint. Writer
  /// only.
  [[nodiscard]] int log_pages() const { return log_pages_; }
  /// Begins to detect changes to the files by other processes. Writer only, with an open WAL.
  void watch_files(const std::filesystem::path& file) { watch_.emplace(db_.get(), file); }
  /// Throws store::StoreLost if another process has changed the files since watch_files().
  void check_files() {
    if (watch_) watch_->check(written_pages_);
  }
  [[nodiscard]] sqlite3* handle() const { return db_.get(); }
  [[nodiscard]] StatementCache& statements() { return statements_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };

  Connection(std::filesystem::path file, Role role, const char* vfs);
  void configure(Role role);
  void configure_writer();
  /// Runs a checkpoint in a mode SQLITE_CHECKPOINT_… and returns SQLite's result code.
  int checkpoint(int mode);

  const std::filesystem::path file_;
  /// SQLite's connection; closed after the members below are destroyed.
  std::unique_ptr<sqlite3, Close> db_;
  StatementCache statements_;
  int log_pages_ = 0;
  /// Number of pages in the WAL, like log_pages_, but not reset by a passive checkpoint, which
  /// keeps the size of the WAL.
  int written_pages_ = 0;
  std::optional<FileWatch> watch_;
  /// True if the WAL must be emptied: see truncation_due(). True at first, because a process that
  /// was killed may have left deleted data in the WAL.
  bool truncation_due_ = true;
};

using Bytes = std::span<const std::uint8_t>;
/// Returns the bytes as text, or the text as bytes, as a view without a copy.
[[nodiscard]] inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
[[nodiscard]] inline Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The rows that a statement returns when it runs. The destructor resets the statement.
class Rows {
 public:
  explicit Rows(sqlite3_stmt* statement) : statement_(statement) {}
  ~Rows();
  Rows(Rows&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Rows& operator=(Rows&&) = delete;

  bool next();  ///< Goes to the next row; returns false after the last. Throws SqliteError.
  [[nodiscard]] std::int64_t int64(int column) const;
  [[nodiscard]] std::optional<std::int64_t> maybe_int64(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::optional<std::string> maybe_text(int column) const;
  /// Returns the column's bytes, which are valid until next().
  [[nodiscard]] Bytes blob(int column) const;

 private:
  sqlite3_stmt* statement_;
};

/// A prepared statement that can be run again and again. Its connection must outlive it.
class Statement {
 public:
  /// Prepares `sql`, or reuses a statement from the connection's cache. Throws SqliteError.
  Statement(Connection& connection, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Binds the arguments to the parameters and runs the statement. REQUIRES: as many arguments as
  /// the query has parameters; texts and bytes among them outlive the Rows.
  template <typename... Args>
  [[nodiscard]] Rows query(const Args&... args) {
    [[maybe_unused]] int index = 0;
    (bind_next(index, args), ...);
    return Rows(statement_);
  }
  /// Runs a statement that returns no rows.
  template <typename... Args>
  void run(const Args&... args) {
    query(args...).next();
  }

 private:
  template <typename T>
  void bind_next(int& index, const T& value) {
    bind(++index, value);
  }
  /// Binds an array to consecutive parameters.
  template <typename T, std::size_t Size>
  void bind_next(int& index, const std::array<std::optional<T>, Size>& values) {
    for (const auto& value : values) bind(++index, value);
  }
  void bind(int index, std::int64_t value);
  void bind(int index, std::string_view value);
  void bind(int index, Bytes value);
  void bind(int index, std::nullptr_t);
  void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }
  void bind(int index, const char* value) { bind(index, std::string_view(value)); }
  void bind(int index, int value) { bind(index, static_cast<std::int64_t>(value)); }
  template <typename T>
  void bind(int index, const std::optional<T>& value) {
    if (value) {
      bind(index, *value);
    } else {
      bind(index, nullptr);
    }
  }

  StatementCache& cache_;
  sqlite3_stmt* statement_;
};

/// A read transaction: while it exists, all reads see the database as of the first read.
class Snapshot {
 public:
  explicit Snapshot(Connection& connection) : connection_(connection) {
    connection_.execute("BEGIN");
  }
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Connection& connection_;
};

/// Runs BEGIN IMMEDIATE when made, and ROLLBACK in the destructor unless commit() ran. Inside
/// another transaction it is a savepoint, whose changes last only if the outer transaction is
/// committed.
class Transaction {
 public:
  explicit Transaction(Connection& connection);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  /// Commits the transaction. Throws SqliteError if that fails; the destructor then rolls back.
  /// Throws store::StoreLost if another process changed watched files before or during the commit.
  void commit();

 private:
  Connection& connection_;
  const bool is_inner_;
  bool open_ = true;
};

/// Returns how many bytes SQLite has allocated in this process. Any thread.
[[nodiscard]] std::size_t allocated_bytes();

}  // namespace analytics::sqlite
