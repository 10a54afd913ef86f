#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/event.h"
#include "daemon/model/event_selection.h"
#include "daemon/store/extent.h"

namespace analytics::store {

/// A stored event, as read for an export.
struct RecordedEvent : EventData {
  UnixMillis time{};
  LastingId id;
  // Ids of the visitor and the visit, comparable only within one EventReading. `visit` is nullopt
  // if the event has no visit.
  std::uint64_t visitor = 0;
  std::optional<std::uint64_t> visit;
};

/// A group of events that EventReader::read() returns at once. `last` is true for the final group.
struct EventPage {
  std::vector<RecordedEvent> events;
  bool last = false;
};

/// State of reading events in several calls, from EventReader::begin() to the last EventPage. Each
/// kind of store derives its own class.
class EventReading {
 public:
  virtual ~EventReading() = default;
};

/// Reads single events. Used by one worker thread, with its own connection.
class EventReader {
 public:
  virtual ~EventReader() = default;
  /// Looks up the event that `selection.visitor_of` names. Returns the selection, with `visitor`
  /// set if the store still knows the visitor of that event. Errors: kInvalidParameter if several
  /// visitors have such an event; as read().
  virtual Result<EventSelection> resolve(const EventSelection& selection) = 0;
  /// Returns the number of selected events; may take seconds. Errors: as read(); kOverloaded after
  /// cancel(). REQUIRES: `selection` comes from resolve().
  virtual Result<std::int64_t> count(const EventSelection& selection) = 0;
  /// Makes the current count() and all later ones fail. Any thread.
  virtual void cancel() = 0;
  /// Begins to read the currently stored events that match the selection, in no particular order.
  /// While the returned object exists, but for at most an hour, the store does not move events from
  /// rows to parts or to other parts. REQUIRES: `selection` comes from resolve().
  virtual Result<std::shared_ptr<EventReading>> begin(const EventSelection& selection) = 0;
  /// Returns the next events of a reading. Each call does a bounded amount of work, so the result
  /// can be empty before the end is reached. Any reader of the same store may continue a reading,
  /// but only one at a time. Errors: kInternal if the reading is older than an hour or if stored
  /// data is damaged.
  virtual Result<EventPage> read(EventReading& reading) = 0;

  /// Returns how complete the events of the last begin() or count() were; the default Extent if
  /// neither was called since forget_extent(), or if there is no cluster.
  [[nodiscard]] virtual Extent extent() const { return {}; }
  /// Resets the result of extent() to the default Extent.
  virtual void forget_extent() {}
};

}  // namespace analytics::store
