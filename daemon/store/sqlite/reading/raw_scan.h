#pragma once

#include "daemon/query/events/raw_event.h"
#include "daemon/store/sqlite/reading/name_kinds.h"
#include "daemon/store/sqlite/tables/dictionary_reader.h"
#include "daemon/store/sqlite/tables/event_rows.h"

namespace analytics::sqlite {

/// Returns the id of the last event whose visit has been written. Queries read rows up to this
/// event.
[[nodiscard]] EventId last_written(Connection& connection);

/// Returns a SELECT, without conditions, whose rows read_raw_event() reads. `e` is its alias of the
/// table events.
[[nodiscard]] std::string select_raw_events();
/// Reads an event, with all its stored fields, from a row of select_raw_events(). Does not set
/// RawEvent::is_named. Throws SqliteError.
[[nodiscard]] query::RawEvent read_raw_event(const Rows& row, NameKinds& names);

/// Reads the rows of a site's events in a range, with all their stored fields, in order of arrival.
/// Does not set RawEvent::is_named. Throws SqliteError.
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
