#pragma once

#include <cstdint>

#include "common/result.h"
#include "daemon/cluster/block_shipper.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/store/journal.h"

/// A journal that was restored from a backup, or copied, after which its events went on being
/// shipped from elsewhere. What it stores meanwhile has numbers that the server knows already, as
/// those of other events.
namespace analytics::cluster {

/// Succeeds if the server has nothing of the journal that the journal itself has not.
/// `newest_change`: the journal's. Errors: kRangeOverlap if it has: the journal is an older copy;
/// as of ClickHouse.
[[nodiscard]] Status require_newest_copy(ClickHouse& server, BlockShipper& blocks,
                                         const store::JournalState& state,
                                         std::uint64_t newest_change);

/// Has the server remove what was removed from an older copy, of the events up to `last`: the one
/// that has shipped them will not. REQUIRES: nothing is leaving the copy any more. Errors: as of
/// ClickHouse and of JournalReader.
[[nodiscard]] Status repeat_removals(ClickHouse& server, store::JournalReader& reader,
                                     EventId last);

/// Returns the hour up to which the server has what a node has dropped. Errors: as of ClickHouse.
[[nodiscard]] Result<UnixSeconds> last_hour_of_drops(ClickHouse& server, NodeNumber node);

/// Returns the last event that an older copy has in common with the server: those behind it were
/// stored by the copy alone. Errors: as of ClickHouse and of JournalReader.
[[nodiscard]] Result<EventId> last_common_event(ClickHouse& server, store::JournalReader& reader);

}  // namespace analytics::cluster
