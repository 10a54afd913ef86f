#include "daemon/store/sqlite/db/statement_cache.h"

#include <algorithm>

#include <sqlite3.h>

namespace analytics::sqlite {
namespace {

std::string_view sql_of(sqlite3_stmt* statement) { return sqlite3_sql(statement); }

}  // namespace

sqlite3_stmt* StatementCache::take(std::string_view sql) {
  const auto found = by_text_.find(sql);
  if (found == by_text_.end()) return nullptr;
  auto* statement = *found->second;
  remove(found);
  return statement;
}

void StatementCache::put(sqlite3_stmt* statement) {
  if (statement == nullptr) return;
  // SQLite may run a pragma when it is prepared, so running a kept pragma again would do nothing.
  if (sql_of(statement).starts_with("PRAGMA")) {
    sqlite3_finalize(statement);
    return;
  }
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  by_text_.emplace(sql_of(statement), statements_.insert(statements_.end(), statement));
  if (statements_.size() <= kMax) return;
  auto* oldest = statements_.front();
  const auto [first, last] = by_text_.equal_range(sql_of(oldest));
  remove(std::find_if(first, last, [&](const auto& entry) { return *entry.second == oldest; }));
  sqlite3_finalize(oldest);
}

void StatementCache::remove(ByText::iterator entry) {
  statements_.erase(entry->second);
  by_text_.erase(entry);
}

StatementCache::~StatementCache() {
  for (auto* statement : statements_) sqlite3_finalize(statement);
}

}  // namespace analytics::sqlite
