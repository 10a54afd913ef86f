#include "daemon/store/sqlite/db/sqlite.h"

#include <utility>

#include <sqlite3.h>

#include "common/io/failpoint.h"
#include "daemon/store/sqlite/db/descriptor_vfs.h"

namespace analytics::sqlite {
namespace {

constexpr int kBusyMillis = 5'000;

[[noreturn]] void raise(sqlite3* db, const std::string& what) {
  throw SqliteError(db == nullptr ? SQLITE_NOMEM : sqlite3_extended_errcode(db),
                    what + ": " + (db == nullptr ? "out of memory" : sqlite3_errmsg(db)));
}

void check(int code, sqlite3* db, const char* what) {
  if (code != SQLITE_OK) raise(db, what);
}

}  // namespace

SqliteError damage(const std::string& what) { return {SQLITE_CORRUPT, what}; }

void check(int code, const char* what) {
  if (code != SQLITE_OK) throw SqliteError(code, std::string(what) + ": " + sqlite3_errstr(code));
}

bool SqliteError::is_constraint() const { return (code_ & 0xff) == SQLITE_CONSTRAINT; }
bool SqliteError::is_lost_sync() const {
  return code_ == SQLITE_IOERR_FSYNC || code_ == SQLITE_IOERR_DIR_FSYNC;
}
bool SqliteError::is_damage() const {
  return (code_ & 0xff) == SQLITE_CORRUPT || (code_ & 0xff) == SQLITE_NOTADB;
}

Error to_error(const SqliteError& error) {
  const int primary = error.code() & 0xff;
  if (error.is_damage()) {
    return {ErrorCode::kDamaged, "The database is damaged.", {}, error.what()};
  }
  const bool passes = primary == SQLITE_FULL || primary == SQLITE_BUSY ||
                      primary == SQLITE_LOCKED || primary == SQLITE_IOERR;
  if (!passes) return {ErrorCode::kInternal, "Internal database error.", {}, error.what()};
  return {ErrorCode::kOverloaded, "The database is busy or full; try again.", {}, error.what()};
}

Connection::Connection(const std::filesystem::path& file, Role role)
    : Connection(file, role, nullptr) {}

Connection::Connection(const FileDescriptor& file)
    : Connection(name_of(file), Role::kCopy, descriptor_vfs()) {}

Connection::Connection(std::filesystem::path file, Role role, const char* vfs)
    : file_(std::move(file)) {
  const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READWRITE |
                    (role == Role::kWriter ? SQLITE_OPEN_CREATE : 0);
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(file_.c_str(), &opened, flags, vfs);
  db_.reset(opened);
  check(code, opened, "open");
  configure(role);
}

void Connection::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

void Connection::configure(Role role) {
  sqlite3_busy_timeout(db_.get(), kBusyMillis);
  sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // A closing reader must not checkpoint: only the writer ever does.
  sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, role == Role::kReader ? 1 : 0,
                    nullptr);
  sqlite3_limit(db_.get(), SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db_.get(), SQLITE_LIMIT_LENGTH, 32 * 1024 * 1024);
  execute("PRAGMA cell_size_check=ON");
  switch (role) {
    case Role::kReader:
      // cache_size stays unset: setting it reads the schema, and most readers are never used.
      return execute("PRAGMA query_only=ON; PRAGMA wal_autocheckpoint=0");
    case Role::kCopy:
      return execute(
          "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA secure_delete=ON;"
          "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16000");
    case Role::kWriter: return configure_writer();
  }
}

void Connection::configure_writer() {
  // This has an effect only before the first table is created.
  execute("PRAGMA auto_vacuum=INCREMENTAL");
  execute(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;"
      "PRAGMA cache_size=-16000; PRAGMA wal_autocheckpoint=0");
  // SQLite calls this hook after each commit. The hook does not checkpoint, because the clients
  // whose events were committed would wait for that: see EventStore::after_batch().
  sqlite3_wal_hook(
      db_.get(),
      [](void* self, sqlite3*, const char*, int pages) {
        auto& connection = *static_cast<Connection*>(self);
        connection.log_pages_ = connection.written_pages_ = pages;
        return SQLITE_OK;
      },
      this);
  const auto setting = [this](std::string_view pragma) {
    Statement statement(*this, pragma);
    auto rows = statement.query();
    return rows.next() ? rows.text(0) : std::string();
  };
  if (failpoint("synchronous_off")) return execute("PRAGMA synchronous=OFF");
  if (setting("PRAGMA journal_mode") != "wal" || setting("PRAGMA synchronous") != "2") {
    throw SqliteError(SQLITE_CANTOPEN, "the database cannot use WAL with full syncs here");
  }
}

void Connection::execute(const std::string& sql) {
  check(sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr), db_.get(), "execute");
}

std::int64_t Connection::changes() const { return sqlite3_changes64(db_.get()); }
std::int64_t Connection::last_insert_id() const { return sqlite3_last_insert_rowid(db_.get()); }

/// Runs a checkpoint. Reports it to the file watch even if the checkpoint fails, because it may
/// have written to the database file.
int Connection::checkpoint(int mode) {
  check_files();
  int pages = 0;
  int moved = 0;
  const int code = sqlite3_wal_checkpoint_v2(db_.get(), nullptr, mode, &pages, &moved);
  if (watch_) watch_->note_checkpoint(code == SQLITE_OK && pages == moved);
  return code;
}

bool Connection::vacuum_some() {
  execute("PRAGMA incremental_vacuum(150)");
  Statement counts(
      *this, "SELECT freelist_count, page_count FROM pragma_freelist_count, pragma_page_count");
  const auto rows = [&] {
    auto all = counts.query();
    all.next();
    return std::pair(all.int64(0), all.int64(1));
  }();
  if (watch_) watch_->note_shrunk(static_cast<std::uint32_t>(rows.second));
  return rows.first > 0;
}

bool Connection::checkpoint_truncate() {
  if (failpoint("keep_log")) return false;
  sqlite3_busy_timeout(db_.get(), 0);  // do not wait for readers, because commits would wait, too
  const int code = checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
  sqlite3_busy_timeout(db_.get(), kBusyMillis);
  if (code == SQLITE_BUSY) return false;
  check(code, db_.get(), "checkpoint");
  truncation_due_ = false;
  log_pages_ = written_pages_ = 0;
  return true;
}

void Connection::checkpoint_passive() {
  failpoint("in_checkpoint");
  const int code = checkpoint(SQLITE_CHECKPOINT_PASSIVE);
  if (code != SQLITE_BUSY) check(code, db_.get(), "checkpoint");
  log_pages_ = 0;  // the number of pages is unknown until the next commit
}

Rows::~Rows() {
  if (statement_ != nullptr) {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
}

bool Rows::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  raise(sqlite3_db_handle(statement_), "step");
}

std::int64_t Rows::int64(int column) const { return sqlite3_column_int64(statement_, column); }

std::optional<std::int64_t> Rows::maybe_int64(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return int64(column);
}

std::string Rows::text(int column) const {
  const auto bytes = blob(column);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<std::string> Rows::maybe_text(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return text(column);
}

Bytes Rows::blob(int column) const {
  const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_, column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

Statement::Statement(Connection& connection, std::string_view sql)
    : cache_(connection.statements()), statement_(cache_.take(sql)) {
  if (statement_ != nullptr) return;
  check(sqlite3_prepare_v3(connection.handle(), sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &statement_, nullptr),
        connection.handle(), "prepare");
}

Statement::~Statement() { cache_.put(statement_); }

void Statement::bind(int index, std::int64_t value) {
  check(sqlite3_bind_int64(statement_, index, value), sqlite3_db_handle(statement_), "bind");
}

void Statement::bind(int index, std::string_view value) {
  check(sqlite3_bind_text64(statement_, index, value.data() == nullptr ? "" : value.data(),
                            value.size(), SQLITE_STATIC, SQLITE_UTF8),
        sqlite3_db_handle(statement_), "bind");
}

void Statement::bind(int index, Bytes value) {
  // Without a pointer SQLite would bind NULL instead of an empty blob.
  check(value.empty()
            ? sqlite3_bind_zeroblob(statement_, index, 0)
            : sqlite3_bind_blob64(statement_, index, value.data(), value.size(), SQLITE_STATIC),
        sqlite3_db_handle(statement_), "bind");
}

void Statement::bind(int index, std::nullptr_t) {
  check(sqlite3_bind_null(statement_, index), sqlite3_db_handle(statement_), "bind");
}

Snapshot::~Snapshot() { sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr); }

Transaction::Transaction(Connection& connection)
    : connection_(connection), is_inner_(sqlite3_get_autocommit(connection.handle()) == 0) {
  if (!is_inner_) failpoint("before_begin");
  connection_.execute(is_inner_ ? "SAVEPOINT inner_transaction" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  // After some errors, SQLite has rolled back by itself.
  if (open_ && sqlite3_get_autocommit(connection_.handle()) == 0) {
    const char* undo =
        is_inner_ ? "ROLLBACK TO inner_transaction; RELEASE inner_transaction" : "ROLLBACK";
    sqlite3_exec(connection_.handle(), undo, nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() {
  if (is_inner_) {
    connection_.execute("RELEASE inner_transaction");
    open_ = false;
    return;
  }
  connection_.check_files();
  failpoint("before_commit");
  connection_.execute("COMMIT");
  open_ = false;
  connection_.check_files();  // detects changes that another process made during the commit
  failpoint("after_commit");
}

std::size_t allocated_bytes() { return static_cast<std::size_t>(sqlite3_memory_used()); }

}  // namespace analytics::sqlite
