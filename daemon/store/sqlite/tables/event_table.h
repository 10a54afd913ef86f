#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "daemon/model/event.h"
#include "daemon/store/sqlite/db/event_fields.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/visits/visit_rows.h"

namespace analytics::sqlite {

/// Owns the table events: only this class changes stored events. Used inside the writer's
/// transactions; throws SqliteError.
class EventTable {
 public:
  explicit EventTable(Connection& connection);  ///< `connection` must outlive this object.

  /// Adds an event as a row. `numbers`: ids of the event's texts. `has_key`: true to store the
  /// event's idempotency key.
  void append(const Event& event, EventId id, VisitId visit, const FieldNumbers& numbers,
              bool has_key);
  /// Returns the highest event id; 0 if there are no events.
  [[nodiscard]] EventId newest();
  /// Returns the lowest event id that is at least `from`, of any site; nullopt if there is no such
  /// event.
  [[nodiscard]] std::optional<EventId> first_from(EventId from);
  /// Calls `take` with each event of the range, in order of arrival.
  void each(const EventRange& range, const std::function<void(const StoredEvent&)>& take);
  /// Calls `take` with the ids of the texts of each event in the range.
  void each_numbers(const EventRange& range, const std::function<void(const FieldNumbers&)>& take);
  /// Changes the visit of an event; nullopt if it now has no visit.
  void set_visit(EventId event, std::optional<VisitId> visit);
  /// Deletes the events with ids from `first` to `last`, of any site.
  void remove(EventId first, EventId last);
  /// Deletes the events of the range and returns their number.
  std::int64_t remove(const EventRange& range);

 private:
  Connection& connection_;
  Statement append_;
  Statement newest_;
  Statement first_from_;
  Statement set_visit_;
};

}  // namespace analytics::sqlite
