#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/cluster/reading/event_scan.h"

namespace analytics::cluster {

/// Counts of events, without anything of their visits, which the server makes itself: it has them
/// at hand, and many rows need not travel. These are few rules, each of which the executor has,
/// too; what they mean is compared with it by tests with random queries. Throws as AnswerRows.
class EventCounts {
 public:
  /// Returns none if the server cannot make all of these sums exactly as the executor would: then
  /// nothing has been asked. `texts` and the other references must outlive the object.
  [[nodiscard]] static std::optional<EventCounts> of(const Aggregation& aggregation,
                                                     const Marks& marks, EventTexts& texts);
  /// Asks for one grouping after the other.
  void read(const ReadAccess& access, const query::TakeGroup& take);

 private:
  EventCounts(const Aggregation& aggregation, EventTexts& texts)
      : aggregation_(aggregation), texts_(texts) {}

  void read(std::size_t grouping, const ReadAccess& access, const query::TakeGroup& take);

  const Aggregation& aggregation_;
  EventTexts& texts_;
  std::string selected_{};                        ///< "FROM events WHERE …".
  std::vector<std::vector<std::string>> keys_{};  ///< By grouping and dimension.
};

}  // namespace analytics::cluster
