#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/cluster/reading/event_scan.h"

namespace analytics::cluster {

/// Counts of events that the server computes itself, so that their rows need not be transferred.
/// The only value of a visit that they need is its visitor. The executor implements the same few
/// rules, and tests compare both with random queries. Throws ReadFailed and LimitReached.
class EventCounts {
 public:
  /// Prepares the counts; returns nullopt if the server cannot compute all of these sums exactly as
  /// the executor would. Does not ask the server. `aggregation` and `texts` must outlive the
  /// object.
  [[nodiscard]] static std::optional<EventCounts> of(const Aggregation& aggregation,
                                                     const Marks& marks, EventTexts& texts);
  /// Returns true if individual events of the site and range have moved to another visit. The
  /// counts would then use the visitors of their former visits.
  [[nodiscard]] static bool has_moved(const ReadAccess& access, const Selection& selection,
                                      const Marks& marks);
  /// Asks the server for one grouping after another, and passes each group to `take`.
  void read(const ReadAccess& access, const query::TakeGroup& take);

 private:
  EventCounts(const Aggregation& aggregation, EventTexts& texts)
      : aggregation_(aggregation), texts_(texts) {}

  void read(std::size_t grouping, const ReadAccess& access, const query::TakeGroup& take);

  const Aggregation& aggregation_;
  EventTexts& texts_;
  /// SQL that selects the counted events: "FROM (SELECT … FROM events WHERE …) …".
  std::string selected_{};
  /// SQL of each group key, by grouping and dimension.
  std::vector<std::vector<std::string>> keys_{};
};

}  // namespace analytics::cluster
