#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/query.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Ends a statement that EventRows runs, in which `e` is the table of events.
inline constexpr char kWhereInSpan[] =
    " WHERE e.id >= ? AND e.id <= ? AND e.site = ? AND e.time >= ? AND e.time < ?";

/// Reads the rows of a site's events in some time ranges, in order of arrival within each. Runs a
/// statement for each span of ids that can contain such events. Throws SqliteError.
class EventRows {
 public:
  /// `sql` ends with kWhereInSpan, and conditions without parameters. The ranges are disjoint;
  /// events after `last` are left out.
  EventRows(Connection& connection, const std::string& sql, SiteId site,
            std::span<const TimeRange> ranges, EventId last = INT64_MAX);
  [[nodiscard]] bool next();
  /// REQUIRES: next() returned true.
  [[nodiscard]] const Rows& row() const { return *rows_; }

 private:
  struct Span {
    EventId first;
    EventId last;
    TimeRange range;
  };
  const SiteId site_;
  Statement select_;
  std::vector<Span> spans_;  ///< Spans left to read, the next one last.
  std::optional<Rows> rows_;
};

}  // namespace analytics::sqlite
