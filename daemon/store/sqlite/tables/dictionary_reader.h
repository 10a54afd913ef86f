#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/model/site.h"
#include "daemon/query/events/budget.h"
#include "daemon/query/events/event_batch.h"
#include "daemon/store/sqlite/db/event_fields.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/tables/string_table.h"

namespace analytics::sqlite {

/// Looks up the texts of a site by their ids, for a query. Callers mostly ask for ids in ascending
/// order, so each read also fetches some of the following texts, and more of them if earlier ones
/// were used. Memory is bounded. Throws SqliteError, and query::LimitReached when the query's time
/// is over.
class DictionaryReader final : public query::Texts {
 public:
  /// The arguments must outlive the object.
  DictionaryReader(Connection& connection, SiteId site, const query::Budget& budget);
  [[nodiscard]] std::string text(query::Column column, std::int64_t number) override;
  [[nodiscard]] std::string text(StringKind kind, std::int64_t number);
  [[nodiscard]] std::int64_t number(query::Column column, std::string_view text) override;
  [[nodiscard]] std::int64_t number(StringKind kind, std::string_view text);
  [[nodiscard]] Client client(std::int64_t number) override;
  [[nodiscard]] Place place(std::int64_t number) override;

  /// Returns true if `number` is within the range of the column's ids or values. Callers use ids as
  /// indexes, so an id from a damaged row could cost gigabytes of memory.
  [[nodiscard]] bool is_possible(query::Column column, std::int64_t number) {
    return static_cast<std::uint64_t>(number) <= most_[query::index_of(column)] ||
           is_below_most(column, number);
  }
  /// Throws a SqliteError that reports damage unless is_possible().
  void require(query::Column column, std::int64_t number) {
    if (!is_possible(column, number)) refuse(number);
  }

 private:
  /// Cached texts of one kind with consecutive ids.
  struct Page {
    std::int64_t first = 0;
    std::int64_t size = 1;  ///< Number of ids that the last read covered.
    std::int64_t used = 0;  ///< Number of texts that were requested since the last read.
    /// Text of each id from `first` on; empty if there is no text.
    std::vector<std::string> texts;
  };
  void read(StringKind kind, std::int64_t first, Page& page);
  [[nodiscard]] std::uint64_t most_of(query::Column column);
  [[nodiscard]] bool is_below_most(query::Column column, std::int64_t number);
  [[noreturn]] static void refuse(std::int64_t number);

  const SiteId site_;
  const query::Budget& budget_;
  Statement texts_;
  Statement number_;
  const HashKey hash_key_;
  std::map<StringKind, Page> pages_;
  Statement client_;
  Statement place_;
  Statement last_;
  /// For each column: the highest value that is known to be possible.
  std::array<std::uint64_t, query::kColumns> most_{};
};

}  // namespace analytics::sqlite
