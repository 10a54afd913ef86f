#include "cli/replay/tables/disk_index.h"

#include <stdexcept>

#include <sqlite3.h>

namespace analytics::cli {
namespace {

// The file is useless after a crash, so nothing is synced and a single transaction contains all
// writes.
constexpr char kSetUp[] =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
    "PRAGMA cache_size=-6144;"
    "CREATE TABLE texts(key BLOB, number INTEGER, kind INTEGER, text TEXT,"
    " PRIMARY KEY(key, number)) WITHOUT ROWID; BEGIN";
constexpr char kInsert[] = "INSERT INTO texts VALUES(?, ?, ?, ?)";
constexpr char kSelect[] = "SELECT kind, text FROM texts WHERE key = ? ORDER BY number LIMIT 100";

/// Returns a UUID of 36 characters as 16 bytes; returns other keys unchanged.
std::string packed(std::string_view key) {
  constexpr std::size_t kDigits = 32;
  std::string bytes;
  std::size_t digits = 0;
  int high = 0;
  for (const char c : key) {
    if (c == '-') continue;
    const int lower = c | 0x20;
    const bool is_letter = lower >= 'a' && lower <= 'f';
    if (!is_letter && (c < '0' || c > '9')) return std::string(key);
    const int digit = is_letter ? lower - 'a' + 10 : c - '0';
    if (digits++ % 2 == 0) {
      high = digit;
    } else {
      bytes += static_cast<char>(high * 16 + digit);
    }
  }
  return digits == kDigits ? bytes : std::string(key);
}

}  // namespace

void DiskIndex::Close::operator()(sqlite3* database) const { sqlite3_close(database); }
void DiskIndex::Close::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

DiskIndex::DiskIndex() {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open("", &opened);  // SQLite creates a private temporary file
  database_.reset(opened);
  if (code != SQLITE_OK || sqlite3_exec(opened, kSetUp, nullptr, nullptr, nullptr) != SQLITE_OK) {
    refuse();
  }
  insert_ = prepare(kInsert);
  select_ = prepare(kSelect);
}

void DiskIndex::refuse() const {
  throw std::runtime_error(std::string("a temporary file for tables that belong together: ") +
                           sqlite3_errmsg(database_.get()));
}

DiskIndex::OwnedStatement DiskIndex::prepare(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr) != SQLITE_OK) refuse();
  return OwnedStatement(statement);
}

void DiskIndex::add(std::string_view key, int kind, std::string_view text) {
  const auto bytes = packed(key);
  auto* statement = insert_.get();
  sqlite3_bind_blob64(statement, 1, bytes.data(), bytes.size(), SQLITE_STATIC);
  sqlite3_bind_int64(statement, 2, static_cast<sqlite3_int64>(count_++));
  sqlite3_bind_int(statement, 3, kind);
  sqlite3_bind_text64(statement, 4, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  const int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  if (code != SQLITE_DONE) refuse();
}

std::vector<DiskIndex::Entry> DiskIndex::find(std::string_view key) {
  const auto bytes = packed(key);
  auto* statement = select_.get();
  sqlite3_bind_blob64(statement, 1, bytes.data(), bytes.size(), SQLITE_STATIC);
  std::vector<Entry> entries;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 1));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, 1));
    entries.push_back({sqlite3_column_int(statement, 0), std::string(text, size)});
  }
  sqlite3_reset(statement);
  if (code != SQLITE_DONE) refuse();
  return entries;
}

}  // namespace analytics::cli
