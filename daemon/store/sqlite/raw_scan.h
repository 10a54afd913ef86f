#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "daemon/parts/raw_event.h"
#include "daemon/store/sqlite/dictionary_reader.h"
#include "daemon/store/sqlite/sqlite.h"

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
  enum class Name : char { kUnknown, kPageview, kEngagement, kCustom };
  [[nodiscard]] bool next_row();
  [[nodiscard]] Name kind_of(std::uint32_t name);

  DictionaryReader& texts_;
  const SiteId site_;
  const TimeRange range_;
  const EventId last_;
  Statement select_;
  std::vector<std::pair<EventId, EventId>> spans_;  ///< Still to be read, the next one last.
  std::optional<Rows> rows_;
  std::vector<Name> names_;  ///< By number, as far as they occurred.
};

}  // namespace analytics::sqlite
