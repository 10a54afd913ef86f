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

/// Owns the table events: every change of a stored event is made here. Used inside the writer's
/// transactions; throws SqliteError.
class EventTable {
 public:
  explicit EventTable(Connection& connection);  ///< `connection` must outlive this object.

  /// Stores an event. `has_key`: its idempotency key is stored with it.
  void append(const Event& event, EventId id, VisitId visit, const FieldNumbers& numbers,
              bool has_key);
  /// Returns the highest event id; 0 if there are no events.
  [[nodiscard]] EventId newest();
  /// Returns the lowest event id from `from` on, of any site; nullopt if there is no such event.
  [[nodiscard]] std::optional<EventId> first_from(EventId from);
  /// Calls `take` with each event in order of arrival.
  void each(const EventRange& range, const std::function<void(const StoredEvent&)>& take);
  /// Calls `take` with the numbers of each event's texts.
  void each_numbers(const EventRange& range, const std::function<void(const FieldNumbers&)>& take);
  void set_visit(EventId event, std::optional<VisitId> visit);
  /// Removes events from `first` to `last`, of any site.
  void remove(EventId first, EventId last);
  /// Removes events and returns how many were removed.
  std::int64_t remove(const EventRange& range);

 private:
  Connection& connection_;
  Statement append_;
  Statement newest_;
  Statement first_from_;
  Statement set_visit_;
};

}  // namespace analytics::sqlite
