#pragma once

#include <cstdint>
#include <vector>

#include "daemon/store/sqlite/columns/part_worker.h"
#include "daemon/store/sqlite/tables/part_table.h"

namespace analytics::sqlite {

/// Makes parts that are copies of a day's rows.
class CopyJob final : public PartJob {
 public:
  struct Limits {
    std::int64_t fewest = 0;                 ///< Least number of events for which a day gets parts.
    std::uint32_t most = parts::kMaxEvents;  ///< Maximum number of events per part.
  };
  /// REQUIRES: the visits of all stored events of the day are written (EventStore::publish()).
  CopyJob(const SiteDay& day, const Limits& limits) : day_(day), limits_(limits) {}
  void run(Connection& connection, PartSink& sink) override;

 private:
  /// Returns bounds that divide the visitor ids into ranges, each with few enough events for a
  /// part. Empty if the day has too few events for any part.
  [[nodiscard]] std::vector<std::uint64_t> find_bounds(Connection& connection,
                                                       const PartSink& sink) const;
  /// Returns the part with the events of the visitors whose ids are from `first` to `last`.
  [[nodiscard]] parts::PartBytes make_part(Connection& connection, const PartSink& sink,
                                           std::uint64_t first, std::uint64_t last) const;

  const SiteDay day_;
  const Limits limits_;
};

}  // namespace analytics::sqlite
