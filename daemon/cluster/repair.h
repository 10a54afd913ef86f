#pragma once

#include <functional>
#include <vector>

#include "common/run/result.h"
#include "daemon/cluster/block_shipper.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"
#include "daemon/store/sqlite/journal/journal_reader.h"

/// Finds and removes differences between a journal and the rows that it has shipped to ClickHouse.
/// Differences arise when someone changes the tables, or a disk loses data. Errors of all
/// functions: those of ClickHouse and JournalReader.
namespace analytics::cluster {

/// A range of ids of events or visits, including both ends.
struct Numbers {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Rows in which ClickHouse differs from the journal.
struct Damage {
  /// Blocks of events that must be sent again, with the same numbers.
  std::vector<store::JournalBlock> blocks;
  /// Ranges of events, each within one month, that differ but belong to no block that the journal
  /// still knows. Their block number is 0.
  std::vector<store::JournalBlock> ranges;
  std::vector<Numbers> visits;  ///< Ranges of visits, some of which differ.

  [[nodiscard]] bool has_events() const { return !blocks.empty() || !ranges.empty(); }
};

/// Compares events up to `shipped`, and visits that ended before `before`, in groups of
/// neighbouring ids. Skips rows that the journal may have forgotten according to `state`.
/// REQUIRES: no insert is on its way to ClickHouse, so that it has only rows that the journal
/// knows.
[[nodiscard]] Result<Damage> find_damage(sqlite::JournalReader& reader, ClickHouse& server,
                                         const store::JournalState& state, EventId shipped,
                                         UnixSeconds before);

/// Removes the blocks' events and markers from ClickHouse, except events that the journal may have
/// forgotten (deleted, and left to ClickHouse). Waits until the others are gone.
[[nodiscard]] Status remove_blocks(ClickHouse& server, const store::JournalState& state,
                                   const std::vector<store::JournalBlock>& blocks,
                                   const Wait& wait);

/// Removes visits, and moves of events to other visits, with versions above `version`, the
/// journal's newest change, from ClickHouse, because they would hide the rows that the journal
/// sends. Keeps visits that the journal may have forgotten (deleted, and left to ClickHouse). Waits
/// until the others are gone.
[[nodiscard]] Status remove_newer_states(ClickHouse& server, const store::JournalState& state,
                                         std::uint64_t version, const Wait& wait);

/// Returns the journal's state of the visits with these ids. For a visit that only ClickHouse has,
/// returns a row that marks the visit as gone.
[[nodiscard]] Result<std::vector<store::JournalVisit>> true_visits(sqlite::JournalReader& reader,
                                                                   ClickHouse& server,
                                                                   NodeNumber node,
                                                                   const Numbers& numbers);

}  // namespace analytics::cluster
