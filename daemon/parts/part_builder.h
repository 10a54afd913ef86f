#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "daemon/parts/part.h"
#include "daemon/query/events/event_batch.h"
#include "daemon/query/events/made_visit.h"
#include "daemon/query/events/raw_event.h"

namespace analytics::parts {

/// A part before it is stored.
struct PartBytes {
  PartHead head;
  /// Packed columns by id, without the head and checksums.
  std::map<std::uint32_t, std::string> columns;
  /// Ids of the imports from which the RawEvents came.
  std::vector<std::int64_t> imports;
};

/// Makes a part of events in any order, from batches or from RawEvents. All events of a visitor
/// must be added to the same builder, unless the visitor has a shared visit; so must all events of
/// a visit that is not shared.
class PartBuilder {
 public:
  /// Returns the columns that the batches passed to add() must have.
  [[nodiscard]] static query::ColumnSet columns();
  void add(const query::EventBatch& batch, const query::RowList& rows);
  /// Adds events and computes their visits. The part then has cold columns, so that
  /// read_raw_events() returns the events. REQUIRES: this is the only call of any add(), and it
  /// gets all events of each visit.
  void add(std::vector<query::RawEvent> events);
  [[nodiscard]] std::size_t events() const { return events_.size(); }

  /// Returns the part with all added events. `shared`: visits that may have events in other parts
  /// or in rows. REQUIRES: at most kMaxEvents events, and at least one event or engagement. The
  /// builder must not be used afterwards. Throws std::length_error if a number or a time is too
  /// large for a part.
  [[nodiscard]] PartBytes finish(std::unordered_set<VisitId> shared);

 private:
  struct BuiltEvent {
    std::uint64_t visitor;
    VisitId visit;
    std::int64_t time;
    std::uint32_t values;   ///< Index of the event's first value in values_.
    std::uint32_t revenue;  ///< 1 + index into revenues_; 0 if the event has no revenue.
    /// Index into raw_, which is in order of time, if the event was added as a query::RawEvent.
    std::uint32_t raw = 0;
    std::int16_t millis = 0;
  };
  struct BuiltVisit {
    std::uint32_t event;  ///< Index of the visit's first event in the part.
    bool begins_visitor;
    bool is_shared;
  };

  void add(const query::RawEvent& event, std::uint32_t place, const query::MadeVisit* visit);
  [[nodiscard]] TimeRange range() const;
  void sort_events();
  void find_visits();
  [[nodiscard]] std::vector<std::uint32_t> values_of(const PartColumn& column) const;
  [[nodiscard]] std::vector<std::uint32_t> values_by_event(query::Column column) const;
  [[nodiscard]] std::uint32_t end_of(std::size_t visit) const;
  [[nodiscard]] std::string pack_counts() const;
  [[nodiscard]] std::string pack_others() const;
  [[nodiscard]] std::string pack_pseudo() const;
  [[nodiscard]] std::string pack_shared() const;
  [[nodiscard]] std::string pack_revenues() const;
  void add_cold(PartBytes& part) const;

  std::unordered_set<VisitId> shared_;
  std::vector<BuiltEvent> events_;
  std::vector<std::uint32_t> values_;  ///< The events' values in kPartColumns, event by event.
  std::vector<query::PartRevenue> revenues_;
  std::vector<query::RawEvent> raw_;
  std::vector<BuiltVisit> visits_;
  std::int64_t first_time_ = 0;
};

}  // namespace analytics::parts
