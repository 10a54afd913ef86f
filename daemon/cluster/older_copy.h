#pragma once

#include <cstdint>

#include "common/run/result.h"
#include "daemon/cluster/block_shipper.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/store/sqlite/journal/journal_reader.h"

/// An older copy is a journal that was restored from a backup, or copied, while the original
/// continued to ship its events. New events in the copy get ids that other events in ClickHouse
/// already have.
namespace analytics::cluster {

/// Fails with kRangeOverlap if ClickHouse has blocks, visits or moves of events between visits that
/// come from this journal but that the journal itself lacks: then the journal is an older copy.
/// `newest_change`: number of the journal's newest change. Errors: also those of ClickHouse.
[[nodiscard]] Status require_newest_copy(ClickHouse& server, BlockShipper& blocks,
                                         const store::JournalState& state,
                                         std::uint64_t newest_change);

/// Makes ClickHouse remove events up to `last` that were removed from an older copy. The original
/// journal, which shipped them, will not remove them. REQUIRES: all removals in the copy are
/// finished. Errors: those of ClickHouse and JournalReader.
[[nodiscard]] Status repeat_removals(ClickHouse& server, sqlite::JournalReader& reader,
                                     EventId last);

/// Returns the latest hour for which ClickHouse has a node's counts of dropped events; 0 if it has
/// none. Errors: those of ClickHouse.
[[nodiscard]] Result<UnixSeconds> last_hour_of_drops(ClickHouse& server, NodeNumber node);

/// Returns the id of the last event that an older copy and ClickHouse have in common. ClickHouse
/// lacks all later events of the copy. Errors: those of ClickHouse and JournalReader.
[[nodiscard]] Result<EventId> last_common_event(ClickHouse& server, sqlite::JournalReader& reader);

}  // namespace analytics::cluster
