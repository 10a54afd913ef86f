#pragma once

#include <cstddef>
#include <list>
#include <string_view>
#include <unordered_map>

struct sqlite3_stmt;

namespace analytics::sqlite {

/// Keeps a connection's prepared statements while they are not in use, because preparing one takes
/// SQLite longer than most runs. Evicts the least recently used first.
class StatementCache {
 public:
  /// Maximum number of kept statements, each of 2 to 40 kB.
  static constexpr std::size_t kMax = 64;

  StatementCache() = default;
  ~StatementCache();  ///< REQUIRES: the connection is open.
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;

  /// Removes a statement with this SQL text from the cache and returns it to the caller, who then
  /// owns it; null if the cache has no such statement.
  [[nodiscard]] sqlite3_stmt* take(std::string_view sql);
  /// Takes over a statement, and keeps it for a later take() unless it is a pragma. Ignores null.
  void put(sqlite3_stmt* statement);

 private:
  using Statements = std::list<sqlite3_stmt*>;
  using ByText = std::unordered_multimap<std::string_view, Statements::iterator>;

  void remove(ByText::iterator entry);

  Statements statements_;  ///< Kept statements, the least recently used first.
  ByText by_text_;         ///< Kept statements by SQL text, which the statement owns.
};

}  // namespace analytics::sqlite
