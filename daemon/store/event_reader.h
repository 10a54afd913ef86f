#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/time.h"
#include "daemon/model/event.h"
#include "daemon/model/event_selection.h"
#include "daemon/store/extent.h"

namespace analytics::store {

/// An event as it is stored.
struct RecordedEvent : EventData {
  UnixMillis time{};
  LastingId id;
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
  /// Returns the selection with what the store knows of `visitor_of`. Errors: kInvalidParameter if
  /// more than one visitor has such an event; as read().
  virtual Result<EventSelection> resolve(const EventSelection& selection) = 0;
  /// Returns how many events are selected; may take seconds. Errors: as read(); kOverloaded after
  /// cancel(). REQUIRES: resolved.
  virtual Result<std::int64_t> count(const EventSelection& selection) = 0;
  /// Any thread: ends the count that is under way, and those to come.
  virtual void cancel() = 0;
  /// Begins to read the selected events that there are now, in no order. While the reading lives,
  /// for an hour at most, none of them moves. REQUIRES: resolved.
  virtual Result<std::shared_ptr<EventReading>> begin(const EventSelection& selection) = 0;
  /// Returns the next page: a bounded piece of work, so that it may be empty and not the last. Any
  /// reader of the same store may go on where another one was, one at a time. Errors: kInternal if
  /// the hour is over, or something stored is damaged.
  virtual Result<EventPage> read(EventReading& reading) = 0;

  /// Says what the last begin() will read, or count() has read, since forget_extent().
  [[nodiscard]] virtual Extent extent() const { return {}; }
  virtual void forget_extent() {}
};

}  // namespace analytics::store
