#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Ends a statement that EventRows runs: the table of events is `e` in it.
inline constexpr char kWhereInSpan[] =
    " WHERE e.id >= ? AND e.id <= ? AND e.site = ? AND e.time >= ? AND e.time < ?";

/// The rows of a site's events in some ranges, in order of arrival within each: a statement is run
/// for each span of ids that can have some. Throws SqliteError.
class EventRows {
 public:
  /// `sql` ends with kWhereInSpan, and conditions without parameters. The ranges are apart from
  /// each other; events behind `last` are left out.
  EventRows(Connection& connection, const std::string& sql, SiteId site,
            std::span<const TimeRange> ranges, EventId last = INT64_MAX);
  [[nodiscard]] bool next();
  /// REQUIRES: next() was true.
  [[nodiscard]] const Rows& row() const { return *rows_; }

 private:
  struct Span {
    EventId first;
    EventId last;
    TimeRange range;
  };
  const SiteId site_;
  Statement select_;
  std::vector<Span> spans_;  ///< Still to be read, the next one last.
  std::optional<Rows> rows_;
};

}  // namespace analytics::sqlite
