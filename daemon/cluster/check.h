#pragma once

#include <string>
#include <vector>

#include "common/run/result.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/store/sqlite/journal/journal_reader.h"

namespace analytics::cluster {

/// Result of comparing a node's journal with the rows that ClickHouse has from this node.
struct Comparison {
  std::int64_t events = 0;               ///< Events counted in the journal.
  std::int64_t visits = 0;               ///< Visits counted in the journal.
  std::vector<std::string> differences;  ///< One line per difference, for the operator.
};

/// Compares the rows that the journal still has with those in ClickHouse: shipped events by site
/// and month, visits that ended before `before`, and merges of visits. Rows that are removed or
/// changed during the comparison also count as differences. Errors: those of JournalReader and
/// ClickHouse.
[[nodiscard]] Result<Comparison> compare(sqlite::JournalReader& reader, ClickHouse& server,
                                         UnixSeconds before);

}  // namespace analytics::cluster
