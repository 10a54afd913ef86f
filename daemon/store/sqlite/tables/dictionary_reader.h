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

/// Looks up the texts of a site by their numbers. Callers mostly ask in ascending order, so each
/// read also fetches some of the following texts, and more of them while they are used. Memory is
/// bounded. Throws SqliteError, and query::LimitReached when the query's time is over.
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

  /// Returns true if a row of the site's events can have this number in the column. Callers use
  /// numbers as indexes, so a damaged number could cost gigabytes of memory.
  [[nodiscard]] bool is_possible(query::Column column, std::int64_t number) {
    return static_cast<std::uint64_t>(number) <= most_[query::index_of(column)] ||
           is_below_most(column, number);
  }
  /// Throws a SqliteError that reports damage if the column cannot have the number.
  void require(query::Column column, std::int64_t number) {
    if (!is_possible(column, number)) refuse(number);
  }

 private:
  /// Texts of the same kind with consecutive numbers.
  struct Page {
    std::int64_t first = 0;
    std::int64_t size = 1;           ///< Count of numbers that the read covered.
    std::int64_t used = 0;           ///< Count of requests since the read.
    std::vector<std::string> texts;  ///< Text of each number from `first` on; empty if missing.
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
  /// For each column: a number up to which all numbers are known to be possible.
  std::array<std::uint64_t, query::kColumns> most_{};
};

}  // namespace analytics::sqlite
