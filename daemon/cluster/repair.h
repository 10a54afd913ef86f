#pragma once

#include <functional>
#include <vector>

#include "common/result.h"
#include "daemon/cluster/block_shipper.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/rows.h"
#include "daemon/store/journal.h"

/// Finds where a server differs from the journal that has shipped to it, because somebody changed
/// its tables, or a disk lost something. Errors of all: as of ClickHouse and of JournalReader.
namespace analytics::cluster {

/// Numbers of events or visits, both included.
struct Numbers {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct Damage {
  /// Blocks that have to be sent again, under their numbers.
  std::vector<store::JournalBlock> blocks;
  /// Events of a month whose blocks the journal has forgotten. They have no number.
  std::vector<store::JournalBlock> ranges;
  std::vector<Numbers> visits;

  [[nodiscard]] bool has_events() const { return !blocks.empty() || !ranges.empty(); }
};

/// Compares events up to `shipped`, and visits that have ended before `before`, in groups of
/// neighbouring numbers, but for what may be forgotten by `state`. REQUIRES: nothing is on its way
/// to the server, so that nothing is there of which the journal does not know yet.
[[nodiscard]] Result<Damage> find_damage(store::JournalReader& reader, ClickHouse& server,
                                         const store::JournalState& state, EventId shipped,
                                         UnixSeconds before);

/// Removes what the server has of the blocks, also their markers, but not what may be forgotten.
/// Waits until it is gone.
[[nodiscard]] Status remove_blocks(ClickHouse& server, const store::JournalState& state,
                                   const std::vector<store::JournalBlock>& blocks,
                                   const Wait& wait);

/// Removes visits and moves that are newer than the journal's newest change, and would count
/// instead of what it sends, but for what it has forgotten. Waits until they are gone.
[[nodiscard]] Status remove_newer_states(ClickHouse& server, const store::JournalState& state,
                                         std::uint64_t version, const Wait& wait);

/// Returns visits as the journal has them, and the end of those that the server alone has.
[[nodiscard]] Result<std::vector<store::JournalVisit>> true_visits(store::JournalReader& reader,
                                                                   ClickHouse& server,
                                                                   NodeNumber node,
                                                                   const Numbers& numbers);

}  // namespace analytics::cluster
