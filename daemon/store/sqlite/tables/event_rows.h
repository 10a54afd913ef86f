#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// End of each SQL statement that EventRows runs; `e` is the statement's alias of the table events.
inline constexpr char kWhereInSpan[] =
    " WHERE e.id >= ? AND e.id <= ? AND e.site = ? AND e.time >= ? AND e.time < ?";

/// Reads the rows of a site's events in some time ranges, in order of arrival within each range.
/// Runs a statement for each range of ids that can contain such events. Throws SqliteError.
class EventRows {
 public:
  /// `sql`: a SELECT that ends with kWhereInSpan, optionally followed by conditions without
  /// parameters. The ranges must be disjoint. Leaves out events after `last`.
  EventRows(Connection& connection, const std::string& sql, SiteId site,
            std::span<const TimeRange> ranges, EventId last = INT64_MAX);
  /// Goes to the next row. Returns false if there are no more rows.
  [[nodiscard]] bool next();
  /// Returns the current row. REQUIRES: next() returned true.
  [[nodiscard]] const Rows& row() const { return *rows_; }

 private:
  struct Span {
    EventId first;
    EventId last;
    TimeRange range;
  };
  const SiteId site_;
  Statement select_;
  std::vector<Span> spans_;  ///< Ranges of ids that are left to read, the next one last.
  std::optional<Rows> rows_;
};

}  // namespace analytics::sqlite
