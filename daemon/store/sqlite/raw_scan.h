#pragma once

#include "daemon/parts/raw_event.h"
#include "daemon/store/sqlite/dictionary_reader.h"
#include "daemon/store/sqlite/event_rows.h"
#include "daemon/store/sqlite/name_kinds.h"

namespace analytics::sqlite {

/// Returns the beginning of a statement whose rows read_raw_event() reads. In it, `e` is the table
/// of events.
[[nodiscard]] std::string select_raw_events();
/// Returns an event with all its stored fields. Does not set `is_named`. Throws SqliteError.
[[nodiscard]] parts::RawEvent read_raw_event(const Rows& row, NameKinds& names);

/// Reads the rows of a site's events in a range, with all their stored fields, in order of arrival.
/// Does not set `is_named`. Throws SqliteError.
class RawScan {
 public:
  /// Reads up to the event `last`. The arguments must outlive the object.
  RawScan(Connection& connection, DictionaryReader& texts, SiteId site, const TimeRange& range,
          EventId last);
  [[nodiscard]] bool next(parts::RawEvent& event);

 private:
  EventRows rows_;
  NameKinds names_;
};

}  // namespace analytics::sqlite
