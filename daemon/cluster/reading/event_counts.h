#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/cluster/reading/event_scan.h"

namespace analytics::cluster {

/// Counts of events and visitors that ClickHouse computes itself, so that the events need not be
/// transferred. Visits are read only to learn their visitors. The executor implements the same few
/// rules, and tests compare the results of both for random queries. Functions throw ReadFailed, and
/// LimitReached if the query's time or memory is used up.
class EventCounts {
 public:
  /// Prepares the counts, without asking ClickHouse. Returns nullopt if ClickHouse cannot compute
  /// all sums of `aggregation` exactly as the executor would. `aggregation` and `texts` must
  /// outlive the object.
  [[nodiscard]] static std::optional<EventCounts> of(const Aggregation& aggregation,
                                                     const Marks& marks, EventTexts& texts);
  /// Returns true if any single event of the site and range has moved to another visit. The counts
  /// would then be wrong, because they use the visitor of the event's former visit.
  [[nodiscard]] static bool has_moved(const ReadAccess& access, const Selection& selection,
                                      const Marks& marks);
  /// Asks ClickHouse for one grouping after another, and passes each group to `take`.
  void read(const ReadAccess& access, const query::TakeGroup& take);

 private:
  EventCounts(const Aggregation& aggregation, EventTexts& texts)
      : aggregation_(aggregation), texts_(texts) {}

  void read(std::size_t grouping, const ReadAccess& access, const query::TakeGroup& take);

  const Aggregation& aggregation_;
  EventTexts& texts_;
  /// SQL that selects the counted events: "FROM (SELECT … FROM events WHERE …) …".
  std::string selected_{};
  /// SQL of each group key, by the indexes of its grouping and dimension.
  std::vector<std::vector<std::string>> keys_{};
};

}  // namespace analytics::cluster
