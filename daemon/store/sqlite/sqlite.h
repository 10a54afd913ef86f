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

#include "common/fs.h"
#include "common/result.h"
#include "daemon/store/sqlite/file_watch.h"

struct sqlite3;
struct sqlite3_stmt;

namespace analytics::sqlite {

/// Anything SQLite refuses. Thrown inside this folder, an Error at its public methods.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] int code() const { return code_; }  ///< Extended result code.
  [[nodiscard]] bool is_constraint() const;         ///< A UNIQUE or NOT NULL was broken.
  [[nodiscard]] bool is_lost_sync() const;          ///< Nobody knows what is on disk now.
  [[nodiscard]] bool is_damage() const;             ///< Corrupt, or no database at all.

 private:
  int code_;
};

/// kOverloaded for what may pass by itself (disk full, I/O, locked), kDamaged, else kInternal.
[[nodiscard]] Error to_error(const SqliteError& error);

enum class Role {
  kWriter,  ///< Creates the file if missing; WAL, synchronous=FULL, secure_delete, all read back.
  kReader,  ///< query_only; never checkpoints.
  kCopy,    ///< A file that nobody else has: no WAL, no syncs; secure_delete.
};

/// One connection. One thread at a time; never share it, open another.
class Connection {
 public:
  Connection(const std::filesystem::path& file, Role role);  ///< Throws SqliteError.
  /// Opens the database in an open file, empty or not, as a copy. Throws SqliteError.
  explicit Connection(const FileDescriptor& file);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void execute(const std::string& sql);  ///< Any number of statements, no parameters. Throws.
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] std::int64_t last_insert_id() const;
  /// True when the whole log is in the main file and the log is empty.
  bool checkpoint_truncate();
  /// Gives some free pages back to the file system. True if there are more.
  bool vacuum_some();
  /// The log has copies of pages that must go: see truncation_due().
  void want_truncation() { truncation_due_ = true; }
  /// True from want_truncation() to the next checkpoint_truncate() that succeeds.
  [[nodiscard]] bool truncation_due() const { return truncation_due_; }
  /// Moves as much of the log into the main file as readers let it.
  void checkpoint_passive();
  /// Pages in the log after the last commit of this connection. Writer only.
  [[nodiscard]] int log_pages() const { return log_pages_; }
  /// Begins to look for changes of the files by other processes. Writer only, on an open WAL.
  void watch_files(const std::filesystem::path& file) { watch_.emplace(db_, file); }
  /// Throws store::StoreLost if watched files were changed by another process.
  void check_files() {
    if (watch_) watch_->check(written_pages_);
  }
  [[nodiscard]] sqlite3* handle() const { return db_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  Connection(std::filesystem::path file, Role role, const char* vfs);
  void configure(Role role);
  void configure_writer();
  /// Returns SQLite's code.
  int checkpoint(int mode);

  const std::filesystem::path file_;
  sqlite3* db_ = nullptr;
  int log_pages_ = 0;
  /// Like log_pages_, but a checkpoint that keeps the log's size does not reset it.
  int written_pages_ = 0;
  std::optional<FileWatch> watch_;
  bool truncation_due_ = true;  ///< A run before this one may have been killed before its own.
};

using Bytes = std::span<const std::uint8_t>;
/// Looks at the same bytes as text, and back.
[[nodiscard]] inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
[[nodiscard]] inline Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Rows of one run of a statement. The statement is reset when this goes.
class Rows {
 public:
  explicit Rows(sqlite3_stmt* statement) : statement_(statement) {}
  ~Rows();
  Rows(Rows&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Rows& operator=(Rows&&) = delete;

  bool next();  ///< True: a row. False: done. Throws SqliteError.
  [[nodiscard]] std::int64_t int64(int column) const;
  [[nodiscard]] std::optional<std::int64_t> maybe_int64(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::optional<std::string> maybe_text(int column) const;
  [[nodiscard]] Bytes blob(int column) const;  ///< Valid until next().

 private:
  sqlite3_stmt* statement_;
};

/// A prepared statement, reused.
class Statement {
 public:
  Statement(Connection& connection, std::string_view sql);  ///< Throws SqliteError on a bad query.
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Binds every parameter and starts over. REQUIRES: as many arguments as the query has
  /// parameters; text and bytes outlive the Rows.
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
  /// Several parameters in a row.
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

  sqlite3_stmt* statement_ = nullptr;
};

/// All reads while it lives see the database as it is at the first of them.
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

/// BEGIN IMMEDIATE now; ROLLBACK in the destructor unless commit() ran. Within another transaction:
/// a savepoint of it, which commit() keeps for as long as the other one is kept.
class Transaction {
 public:
  explicit Transaction(Connection& connection);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  /// Throws SqliteError; then nothing of the transaction stays. Throws store::StoreLost if watched
  /// files were changed by another process, before or while this wrote.
  void commit();

 private:
  Connection& connection_;
  const bool is_inner_;
  bool open_ = true;
};

}  // namespace analytics::sqlite
