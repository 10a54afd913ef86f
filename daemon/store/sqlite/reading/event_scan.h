#pragma once

#include <array>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/query/events/event_batch.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/reading/name_kinds.h"
#include "daemon/store/sqlite/tables/dictionary_reader.h"
#include "daemon/store/sqlite/tables/event_rows.h"

namespace analytics::sqlite {

/// Looks up the columns that events have from their visits. Events of a visit are stored close
/// together, and so are visits that began after one another. Each read therefore also fetches the
/// following visits into a small cache, and more of them while most belong to this site. Memory is
/// bounded.
class VisitLookup {
 public:
  /// The values of a visit, in the order of columns().
  using Values = std::array<std::int64_t, query::kColumns>;

  /// The references must outlive the object.
  VisitLookup(Connection& connection, DictionaryReader& texts, SiteId site,
              const query::ColumnSet& columns);
  /// Returns the visit columns whose values find() returns.
  [[nodiscard]] const std::vector<query::Column>& columns() const { return columns_; }
  /// Returns the values of a visit; null if there is no such visit. Valid until the next call.
  [[nodiscard]] const Values* find(VisitId id);

 private:
  static constexpr std::size_t kSlots = 16'384;
  static constexpr VisitId kMaxAhead = 1'024;
  struct Slot {
    VisitId id = 0;
    Values values{};
  };
  /// Returns the cache slot of a visit. The id is converted to unsigned because a damaged file may
  /// have a negative id.
  Slot& slot(VisitId id) { return slots_[static_cast<std::size_t>(id) % kSlots]; }
  void read_from(VisitId id);

  DictionaryReader& texts_;
  const SiteId site_;
  /// Visit columns, in the order in which the statement select_ returns them.
  const std::vector<query::Column> columns_;
  Statement select_;
  VisitId ahead_ = 16;  ///< Number of visit ids that the next read covers.
  std::vector<Slot> slots_;
};

/// Reads the rows of engagements, or of all other events, up to the last event whose visit has been
/// written. Throws SqliteError.
class EventScan final : public query::BatchSource {
 public:
  /// Selects the events to read: all except engagements, or only engagements.
  enum class Of { kEvents, kEngagements };
  /// REQUIRES: the ranges are disjoint.
  EventScan(Connection& connection, DictionaryReader& texts, SiteId site,
            std::span<const TimeRange> ranges, const query::ColumnSet& columns,
            Of of = Of::kEvents);
  bool next(query::EventBatch& batch) override;

 private:
  void read_visit(query::EventBatch& batch, std::size_t row, VisitId id);

  DictionaryReader& texts_;
  const Of of_;
  /// Event columns, in the order in which the statement of rows_ returns them.
  const std::vector<query::Column> columns_;
  VisitLookup visits_;
  EventRows rows_;
  NameKinds names_;
};

}  // namespace analytics::sqlite
