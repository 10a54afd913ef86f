#pragma once

#include <cstdint>

#include "common/run/result.h"
#include "daemon/cluster/block_shipper.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/store/journal.h"

/// An older copy is a journal that was restored from a backup, or copied, while the original
/// continued to ship its events. New events in the copy get numbers that the server already has for
/// other events.
namespace analytics::cluster {

/// Succeeds if the journal has all blocks, visits and moves that the server has from it.
/// `newest_change`: number of the journal's newest change. Errors: kRangeOverlap if some are
/// missing, because the journal is an older copy; those of ClickHouse.
[[nodiscard]] Status require_newest_copy(ClickHouse& server, BlockShipper& blocks,
                                         const store::JournalState& state,
                                         std::uint64_t newest_change);

/// Makes the server remove events up to `last` that were removed from an older copy, because the
/// journal that shipped them will not. REQUIRES: all removals in the copy are finished. Errors:
/// those of ClickHouse and JournalReader.
[[nodiscard]] Status repeat_removals(ClickHouse& server, store::JournalReader& reader,
                                     EventId last);

/// Returns the latest hour for which the server has a node's drop counts. Errors: those of
/// ClickHouse.
[[nodiscard]] Result<UnixSeconds> last_hour_of_drops(ClickHouse& server, NodeNumber node);

/// Returns the id of the last event that an older copy shares with the server. Only the copy has
/// the events after it. Errors: those of ClickHouse and JournalReader.
[[nodiscard]] Result<EventId> last_common_event(ClickHouse& server, store::JournalReader& reader);

}  // namespace analytics::cluster
