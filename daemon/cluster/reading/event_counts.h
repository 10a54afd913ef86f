#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/cluster/reading/event_scan.h"

namespace analytics::cluster {

/// Counts of events that the server computes itself, so that their rows need not be transferred.
/// All that they need of a visit is its visitor. The executor has the same few rules, and tests
/// compare both with random queries. Throws as AnswerRows.
class EventCounts {
 public:
  /// Returns nullopt, without asking the server, unless it can compute all of these sums exactly as
  /// the executor would. `texts` and the other references must outlive the object.
  [[nodiscard]] static std::optional<EventCounts> of(const Aggregation& aggregation,
                                                     const Marks& marks, EventTexts& texts);
  /// Returns true if single events of the site and range have moved to another visit. The counts
  /// would then have visitors of their former visits.
  [[nodiscard]] static bool has_moved(const ReadAccess& access, const Selection& selection,
                                      const Marks& marks);
  /// Asks the server for one grouping after the other, and passes each group to `take`.
  void read(const ReadAccess& access, const query::TakeGroup& take);

 private:
  EventCounts(const Aggregation& aggregation, EventTexts& texts)
      : aggregation_(aggregation), texts_(texts) {}

  void read(std::size_t grouping, const ReadAccess& access, const query::TakeGroup& take);

  const Aggregation& aggregation_;
  EventTexts& texts_;
  std::string selected_{};  ///< "FROM (SELECT … FROM events WHERE …) …".
  std::vector<std::vector<std::string>> keys_{};  ///< SQL keys by grouping and dimension.
};

}  // namespace analytics::cluster
