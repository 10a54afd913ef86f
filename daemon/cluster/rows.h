#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "daemon/cluster/native_block.h"
#include "daemon/store/journal_rows.h"
#include "daemon/store/outcome_counts.h"

/// The columns of a cluster's tables, and the conversion of a journal's records to rows.
namespace analytics::cluster {

/// Number of a node in the tables: the first 4 bytes of its journal's id. Markers (see
/// add_marker()) contain the whole id, so two journals with the same number are noticed.
using NodeNumber = std::uint32_t;
[[nodiscard]] NodeNumber node_number(const store::JournalId& journal);

/// Returns the index of a text column in kJournalTexts. REQUIRES: kJournalTexts contains `name`.
constexpr std::size_t place_of_text(std::string_view name) {
  std::size_t place = 0;
  while (store::kJournalTexts[place] != name) ++place;
  return place;
}

/// Tells whether a node is removing events of a site.
struct SiteRemoval {
  SiteId site = 0;
  bool is_running = false;
};

/// Return the columns of the cluster's tables: `events`, `visits`, `visit_moves` and so on.
[[nodiscard]] std::span<const NativeBlock::Column> event_columns();
[[nodiscard]] std::span<const NativeBlock::Column> visit_columns();
[[nodiscard]] std::span<const NativeBlock::Column> move_columns();
[[nodiscard]] std::span<const NativeBlock::Column> site_columns();
[[nodiscard]] std::span<const NativeBlock::Column> drop_columns();
[[nodiscard]] std::span<const NativeBlock::Column> late_event_columns();
[[nodiscard]] std::span<const NativeBlock::Column> removal_columns();
[[nodiscard]] std::span<const NativeBlock::Column> mark_columns();

/// Append a record as a row of its table. `version`: if several rows describe the same record, the
/// one with the highest version counts.
void add_row(NativeBlock& to, const store::JournalEvent& event, NodeNumber node);
void add_row(NativeBlock& to, const store::JournalVisit& visit, NodeNumber node);
void add_row(NativeBlock& to, const store::JournalMove& move, NodeNumber node);
void add_row(NativeBlock& to, const store::JournalSite& site, NodeNumber node,
             std::uint64_t version);
void add_row(NativeBlock& to, const store::OutcomeCount& drops, NodeNumber node,
             std::uint64_t version);
void add_row(NativeBlock& to, const store::LateDay& late, NodeNumber node, std::uint64_t version);
void add_row(NativeBlock& to, const SiteRemoval& removal, NodeNumber node, std::uint64_t version);

/// Adds a block's marker: a row of site 0, which is stored with the block's events or not at all.
/// Its `visitor` is the block's number, `id` and `visit` are the bounds of its range of events,
/// `import` is the number of events, and `props` is the journal's id in hexadecimal digits.
void add_marker(NativeBlock& to, const store::JournalBlock& block, const store::JournalId& journal);

}  // namespace analytics::cluster
