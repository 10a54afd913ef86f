#pragma once

#include "daemon/query/events/raw_event.h"
#include "daemon/store/sqlite/reading/name_kinds.h"
#include "daemon/store/sqlite/tables/dictionary_reader.h"
#include "daemon/store/sqlite/tables/event_rows.h"

namespace analytics::sqlite {

/// Returns the last event whose visit has been written: queries read rows up to it.
[[nodiscard]] EventId last_written(Connection& connection);

/// Returns the beginning of a statement whose rows read_raw_event() reads. In it, `e` is the table
/// of events.
[[nodiscard]] std::string select_raw_events();
/// Returns an event with all its stored fields. Does not set `is_named`. Throws SqliteError.
[[nodiscard]] query::RawEvent read_raw_event(const Rows& row, NameKinds& names);

/// Reads the rows of a site's events in a range, with all their stored fields, in order of arrival.
/// Does not set `is_named`. Throws SqliteError.
class RawScan {
 public:
  /// Reads up to the event `last`. `more`: conditions to append to the statement. The references
  /// must outlive the object.
  RawScan(Connection& connection, DictionaryReader& texts, SiteId site, const TimeRange& range,
          EventId last, const std::string& more = {});
  [[nodiscard]] bool next(query::RawEvent& event);

 private:
  EventRows rows_;
  NameKinds names_;
};

}  // namespace analytics::sqlite
