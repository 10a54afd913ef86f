#include "daemon/store/sqlite/journal/journal.h"

#include <algorithm>
#include <iterator>

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/tables/cluster_removals.h"
#include "daemon/store/sqlite/tables/part_table.h"

namespace analytics::sqlite {

Status Journal::begin() {
  if (has_begun()) return {};
  auto begun = in_transaction(connection_, [&] {
    if (has_sealed_parts(connection_)) {
      throw Error{ErrorCode::kInvalidParameter,
                  "The database has days that are kept as columns alone. A cluster's journal keeps"
                  " rows: begin with an empty database, and load the events into it.",
                  {}};
    }
    Statement insert(connection_,
                     "INSERT INTO journal(id, shipped, changes, next_block) VALUES(?, 0, 0, 1)");
    const auto id = random_hash_key();
    insert.run(Bytes(id));
    changes_.add_all_visits();
  });
  if (begun) changes_.turn_on();
  return begun;
}

Status Journal::leave() {
  auto ended = in_transaction(connection_, [&] {
    connection_.execute("DELETE FROM journal; DELETE FROM journal_blocks");
    changes_.forget(INT64_MAX);
    changes_.forget_all();
    ClusterRemovals(connection_).set_all_done_here();
  });
  if (ended) changes_.turn_off();
  return ended;
}

Status Journal::plan(std::span<const store::JournalBlock> blocks) {
  return in_transaction(connection_, [&] {
    Statement insert(connection_,
                     "INSERT INTO journal_blocks(number, month, first, last) VALUES(?, ?, ?, ?)");
    Statement next(connection_, "UPDATE journal SET next_block = ?");
    for (const auto& block : blocks) {
      const auto number = static_cast<std::int64_t>(block.number);
      insert.run(number, number_of(block.month), block.first, block.last);
      next.run(number + 1);
    }
  });
}

Status Journal::confirm(EventId last, UnixSeconds now) {
  return in_transaction(connection_, [&] {
    Statement confirm(connection_,
                      "UPDATE journal_blocks SET confirmed_at = ? WHERE confirmed_at IS NULL");
    confirm.run(seconds(now));
    Statement shipped(connection_, "UPDATE journal SET shipped = ?");
    shipped.run(last);
  });
}

Status Journal::confirm_changes(std::uint64_t last, UnixSeconds now) {
  // The cluster may have failed since the previous confirmation without anyone noticing yet. So
  // only the time up to that confirmation counts.
  const auto before = kept_.empty() ? now : kept_.back().at;
  const auto is_written = [&](const Confirmed& each) {
    return each.at <= before - store::kMayBeUnwritten;
  };
  const auto end = std::find_if_not(kept_.begin(), kept_.end(), is_written);
  TRY(in_transaction(connection_, [&] {
    Statement shipped(connection_, "UPDATE journal SET changes = ?");
    shipped.run(static_cast<std::int64_t>(last));
    if (end != kept_.begin()) changes_.forget(static_cast<std::int64_t>(std::prev(end)->last));
  }));
  kept_.erase(kept_.begin(), end);
  kept_.push_back({now, last});
  return {};
}

Status Journal::renew(std::span<const store::JournalBlock> lost, UnixSeconds now) {
  return in_transaction(connection_, [&] {
    Statement insert(connection_,
                     "INSERT INTO journal_blocks(number, month, first, last, confirmed_at)"
                     " SELECT next_block, ?, ?, ?, ? FROM journal");
    Statement next(connection_, "UPDATE journal SET next_block = next_block + 1");
    for (const auto& block : lost) {
      insert.run(number_of(block.month), block.first, block.last, seconds(now));
      next.run();
    }
    changes_.raise_version();
  });
}

Status Journal::note_damaged(std::int64_t removal, std::span<const store::NodeVisit> visits) {
  return in_transaction(connection_,
                        [&] { ClusterRemovals(connection_).add_damaged(removal, visits); });
}

Status Journal::note_rebuilt(std::int64_t removal) {
  return in_transaction(connection_, [&] { ClusterRemovals(connection_).forget_damaged(removal); });
}

Status Journal::note_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes) {
  return in_transaction(connection_,
                        [&] { ClusterRemovals(connection_).add_nodes(removal, nodes); });
}

Status Journal::note_done_here(std::int64_t removal) {
  return in_transaction(connection_, [&] { ClusterRemovals(connection_).set_done_here(removal); });
}

Status Journal::finish_removal(std::int64_t removal) {
  return in_transaction(connection_, [&] { ClusterRemovals(connection_).remove(removal); });
}

Status Journal::forget_before(UnixSeconds time) {
  return in_transaction(connection_, [&] {
    Statement forget(connection_, "DELETE FROM journal_blocks WHERE confirmed_at < ?");
    forget.run(seconds(time));
  });
}

}  // namespace analytics::sqlite
