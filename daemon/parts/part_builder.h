#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "daemon/parts/part.h"
#include "daemon/parts/raw_event.h"
#include "daemon/query/event_batch.h"

namespace analytics::parts {

/// A part before it is stored.
struct PartBytes {
  PartHead head;
  std::map<std::uint32_t, std::string> columns;  ///< Without the head, and without checksums.
  std::vector<std::int64_t> imports;             ///< Those that RawEvents came with.
};

/// Makes a part of events in any order, from batches or from RawEvents. The events of a visitor,
/// and of a visit that is not shared, must all come to one builder.
class PartBuilder {
 public:
  /// The columns that batches must have.
  [[nodiscard]] static query::ColumnSet columns();
  void add(const query::EventBatch& batch, const query::RowList& rows);
  /// Adds events, from which their visits are made, and keeps all that they are: read_raw_events()
  /// returns them. REQUIRES: one call, all events of each visit, and nothing else is added.
  void add(std::vector<RawEvent> events);
  [[nodiscard]] std::size_t events() const { return events_.size(); }

  /// Returns the part of all events. `shared`: visits that may have events elsewhere; those of
  /// several visitors in this part are found here. REQUIRES: kMostEvents events at most, and one at
  /// least, which may be an engagement. The builder must not be used afterwards. Throws
  /// std::length_error when a number or a time is too large for a part.
  [[nodiscard]] PartBytes finish(std::unordered_set<VisitId> shared);

 private:
  struct BuiltEvent {
    std::uint64_t visitor;
    VisitId visit;
    std::int64_t time;
    std::uint32_t values;   ///< Its first place in values_.
    std::uint32_t revenue;  ///< One more than its place in revenues_; 0: none.
    std::uint32_t raw = 0;  ///< Its place in raw_, if it came as a RawEvent: those are in order.
    std::int16_t millis = 0;
  };
  struct SeenVisit;
  struct BuiltVisit {
    std::uint32_t event;  ///< The first of its events in the part.
    bool begins_visitor;
    bool is_shared;
  };

  void add(const RawEvent& event, std::uint32_t place, const SeenVisit* visit);
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
  std::vector<std::uint32_t> values_;  ///< The stored columns of each event, one after another.
  std::vector<query::PartRevenue> revenues_;
  std::vector<RawEvent> raw_;
  std::vector<BuiltVisit> visits_;
  std::int64_t first_time_ = 0;
};

}  // namespace analytics::parts
