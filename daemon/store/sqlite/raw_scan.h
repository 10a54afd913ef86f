#pragma once

#include "daemon/parts/raw_event.h"
#include "daemon/store/sqlite/dictionary_reader.h"
#include "daemon/store/sqlite/event_rows.h"
#include "daemon/store/sqlite/name_kinds.h"

namespace analytics::sqlite {

/// Reads the rows of a site's events in a range, with all that is stored of them, in order of
/// arrival. `is_named` is not set. Throws SqliteError.
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
