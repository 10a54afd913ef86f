#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/time.h"
#include "daemon/model/event.h"

namespace analytics::store {

/// Selects the events of a site with from ≤ time < to, in order of arrival, with ids above `after`
/// and up to `upto`.
struct EventSelection {
  SiteId site = 0;
  UnixSeconds from = UnixSeconds::min();
  UnixSeconds to = UnixSeconds::max();
  EventId after = 0;
  EventId upto = 0;  ///< EventReader::newest() when the reading began.
};

/// An event as it is stored.
struct RecordedEvent : EventData {
  EventId id = 0;
  UnixMillis time{};
  std::uint64_t visitor = 0;
  std::optional<VisitId> visit;
};

/// Some of the selected events, and where the next ones begin; `last` at the end.
struct EventPage {
  std::vector<RecordedEvent> events;
  EventId after = 0;
  bool last = false;
};

/// Gives raw events out. A worker thread with a connection of its own.
class EventReader {
 public:
  virtual ~EventReader() = default;
  /// The greatest id that an event has.
  virtual Result<EventId> newest() = 0;
  /// A page is a bounded piece of work: it may be empty and not the last.
  virtual Result<EventPage> read(const EventSelection& selection) = 0;
};

}  // namespace analytics::store
