#pragma once

#include <cstddef>
#include <list>
#include <string_view>
#include <unordered_map>

struct sqlite3_stmt;

namespace analytics::sqlite {

/// Prepared statements of a connection that are not in use, so that a statement that runs again is
/// not prepared again, which takes SQLite longer than most runs. The longest unused leave first.
class StatementCache {
 public:
  static constexpr std::size_t kMost = 64;  ///< Statements, of 2 to 40 kB each.

  StatementCache() = default;
  ~StatementCache();  ///< REQUIRES: the connection is open.
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;

  /// Returns a statement with this text, which now belongs to the caller; null if there is none.
  [[nodiscard]] sqlite3_stmt* take(std::string_view sql);
  /// Takes a statement over, which may be null.
  void put(sqlite3_stmt* statement);

 private:
  using Statements = std::list<sqlite3_stmt*>;
  using ByText = std::unordered_multimap<std::string_view, Statements::iterator>;

  void remove(ByText::iterator entry);

  Statements statements_;  ///< The longest unused first.
  ByText by_text_;         ///< The texts belong to the statements.
};

}  // namespace analytics::sqlite
