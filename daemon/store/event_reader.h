#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/time.h"
#include "daemon/model/event.h"

namespace analytics::store {

/// Selects the events of a site with from ≤ time < to.
struct EventSelection {
  SiteId site = 0;
  UnixSeconds from = UnixSeconds::min();
  UnixSeconds to = UnixSeconds::max();
};

/// An event as it is stored.
struct RecordedEvent : EventData {
  UnixMillis time{};
  // Numbers that tell visitors and visits of one reading apart.
  std::uint64_t visitor = 0;
  std::optional<std::uint64_t> visit;
};

/// Some of the selected events; `last` at the end.
struct EventPage {
  std::vector<RecordedEvent> events;
  bool last = false;
};

/// The place that a reading of events has reached. The store implements it.
class EventReading {
 public:
  virtual ~EventReading() = default;
};

/// Gives raw events out. A worker thread with a connection of its own.
class EventReader {
 public:
  virtual ~EventReader() = default;
  /// Begins to read the selected events that there are now, in no order. While the reading lives,
  /// for an hour at most, none of them moves.
  virtual Result<std::shared_ptr<EventReading>> begin(const EventSelection& selection) = 0;
  /// Returns the next page: a bounded piece of work, so that it may be empty and not the last. Any
  /// reader of the same store may go on where another one was, one at a time. Errors: kInternal if
  /// the hour is over, or something stored is damaged.
  virtual Result<EventPage> read(EventReading& reading) = 0;
};

}  // namespace analytics::store
