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

/// An event as it is stored.
struct RecordedEvent : EventData {
  UnixMillis time{};
  LastingId id;
  // Numbers that distinguish visitors and visits, valid within a single reading.
  std::uint64_t visitor = 0;
  std::optional<std::uint64_t> visit;
};

/// A page of the selected events. `last` is set on the final page.
struct EventPage {
  std::vector<RecordedEvent> events;
  bool last = false;
};

/// The position that a reading of events has reached. Each store derives its own class.
class EventReading {
 public:
  virtual ~EventReading() = default;
};

/// Reads raw events. Used by a worker thread, with its own connection.
class EventReader {
 public:
  virtual ~EventReader() = default;
  /// Looks up the event that `visitor_of` names. Returns the selection with `visitor` set, if the
  /// store knows the visitor. Errors: kInvalidParameter if more than one visitor has such an event;
  /// as read().
  virtual Result<EventSelection> resolve(const EventSelection& selection) = 0;
  /// Returns how many events are selected; may take seconds. Errors: as read(); kOverloaded after
  /// cancel(). REQUIRES: `selection` comes from resolve().
  virtual Result<std::int64_t> count(const EventSelection& selection) = 0;
  /// Ends the running count() and all later ones. Any thread.
  virtual void cancel() = 0;
  /// Begins to read the currently stored events that match the selection, in no particular order.
  /// The store keeps them in place while the reading exists, for at most an hour. REQUIRES:
  /// `selection` comes from resolve().
  virtual Result<std::shared_ptr<EventReading>> begin(const EventSelection& selection) = 0;
  /// Returns the next page. Each call does a bounded amount of work, so a page can be empty without
  /// being the last. Any reader of the same store may continue a reading, one at a time. Errors:
  /// kInternal if the hour is over, or stored data is damaged.
  virtual Result<EventPage> read(EventReading& reading) = 0;

  /// Returns the extent of the last begin() or count() since forget_extent().
  [[nodiscard]] virtual Extent extent() const { return {}; }
  virtual void forget_extent() {}
};

}  // namespace analytics::store
