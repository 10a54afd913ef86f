#pragma once

#include <functional>
#include <vector>

#include "common/run/result.h"
#include "daemon/cluster/block_shipper.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"
#include "daemon/store/journal.h"

/// Finds and removes differences between a server and the journal that has shipped to it, after
/// someone changed the server's tables or a disk lost data. Errors of all functions: those of
/// ClickHouse and JournalReader.
namespace analytics::cluster {

/// A range of event or visit numbers, including both ends.
struct Numbers {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct Damage {
  /// Blocks that must be sent again, with the same numbers.
  std::vector<store::JournalBlock> blocks;
  /// Damaged events of one month each, whose blocks the journal has forgotten. They have no block
  /// number.
  std::vector<store::JournalBlock> ranges;
  std::vector<Numbers> visits;

  [[nodiscard]] bool has_events() const { return !blocks.empty() || !ranges.empty(); }
};

/// Compares events up to `shipped`, and visits that ended before `before`, in groups of
/// neighbouring ids. Skips rows that the journal may have forgotten according to `state`. REQUIRES:
/// no insert is on its way to the server, so that the server has only rows that the journal knows.
[[nodiscard]] Result<Damage> find_damage(store::JournalReader& reader, ClickHouse& server,
                                         const store::JournalState& state, EventId shipped,
                                         UnixSeconds before);

/// Removes the blocks' events and markers from the server, except events that the journal may have
/// forgotten. Waits until they are gone.
[[nodiscard]] Status remove_blocks(ClickHouse& server, const store::JournalState& state,
                                   const std::vector<store::JournalBlock>& blocks,
                                   const Wait& wait);

/// Removes visits and moves with versions above `version`, the journal's newest change, from the
/// server, because they would hide the rows that the journal sends. Keeps visits that the journal
/// may have forgotten. Waits until the others are gone.
[[nodiscard]] Status remove_newer_states(ClickHouse& server, const store::JournalState& state,
                                         std::uint64_t version, const Wait& wait);

/// Returns the visits with these ids as the journal has them. For a visit that only the server has,
/// returns a row that says that the visit is gone.
[[nodiscard]] Result<std::vector<store::JournalVisit>> true_visits(store::JournalReader& reader,
                                                                   ClickHouse& server,
                                                                   NodeNumber node,
                                                                   const Numbers& numbers);

}  // namespace analytics::cluster
