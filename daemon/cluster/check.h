#pragma once

#include <string>
#include <vector>

#include "common/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/store/journal.h"

namespace analytics::cluster {

/// What a journal and a server have in common, and where they differ.
struct Comparison {
  std::int64_t events = 0;  ///< Of the journal, as `visits`.
  std::int64_t visits = 0;
  std::vector<std::string> differences;  ///< A line each, for people.
};

/// Counts on both sides what the journal has not forgotten: the events that are shipped, by site
/// and month, the visits that have ended before `before`, and those that have become part of
/// others. What is being removed or changes at this moment is a difference, too. Errors: as of
/// both.
[[nodiscard]] Result<Comparison> compare(store::JournalReader& reader, ClickHouse& server,
                                         UnixSeconds before);

}  // namespace analytics::cluster
