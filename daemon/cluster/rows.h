#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "daemon/cluster/native_block.h"
#include "daemon/store/journal.h"

/// The tables of a cluster, and what a journal has as rows of them.
namespace analytics::cluster {

/// The number of a node in the tables, made of its journal's id. Two journals of one number are
/// noticed by their markers.
using NodeNumber = std::uint32_t;
[[nodiscard]] NodeNumber node_number(const store::JournalId& journal);

/// Returns where a text is in kJournalTexts. REQUIRES: it is there.
constexpr std::size_t place_of_text(std::string_view name) {
  std::size_t place = 0;
  while (store::kJournalTexts[place] != name) ++place;
  return place;
}

/// The columns of `events`, `visits`, `visit_moves`, `sites`, `drops` and
/// `marks`.
[[nodiscard]] std::span<const NativeBlock::Column> event_columns();
[[nodiscard]] std::span<const NativeBlock::Column> visit_columns();
[[nodiscard]] std::span<const NativeBlock::Column> move_columns();
[[nodiscard]] std::span<const NativeBlock::Column> site_columns();
[[nodiscard]] std::span<const NativeBlock::Column> drop_columns();
[[nodiscard]] std::span<const NativeBlock::Column> mark_columns();

void add_row(NativeBlock& to, const store::JournalEvent& event, NodeNumber node);
void add_row(NativeBlock& to, const store::JournalVisit& visit, NodeNumber node);
void add_row(NativeBlock& to, const store::JournalMove& move, NodeNumber node);
void add_row(NativeBlock& to, const store::JournalSite& site, NodeNumber node,
             std::uint64_t version);

void add_row(NativeBlock& to, const store::OutcomeCount& drops, NodeNumber node,
             std::uint64_t version);

/// Adds a block's marker: a row of site 0, which is stored with the block's events or not at all.
/// Its `visitor` is the block's number, `id` and `visit` are the range's bounds, `import` counts
/// the events, and `props` is the journal's id in hexadecimal digits.
void add_marker(NativeBlock& to, const store::JournalBlock& block, const store::JournalId& journal);

}  // namespace analytics::cluster
