#include "daemon/cluster/leftovers/leftovers.h"

#include <algorithm>
#include <array>

#include "common/io/failpoint.h"
#include "daemon/cluster/leftovers/expired_leftovers.h"

namespace analytics::cluster {
namespace {

constexpr std::chrono::hours kMaxTime{1};
// Maximum memory for moves of events and for texts, in bytes.
constexpr std::size_t kMaxMemory = 268'435'456;
// Maximum number of visits that one task of the writer records. The task takes some milliseconds.
constexpr std::size_t kVisitsOfNote = 10'000;

}  // namespace

template <typename Work>
auto Leftovers::with(const Marks& marks, std::span<const Leftover> leftovers, const Work& work) {
  query::Budget budget({kMaxTime, kMaxMemory}, is_ending_);
  LeftoverRemoval removal({config_, {kMaxTime}, budget}, server_, wait_, marks, leftovers);
  return work(removal);
}

Status Leftovers::look(UnixSeconds now) {
  const auto marks = TRY(read_marks(server_, options_.cluster));
  const auto removals = TRY(reader_.cluster_removals());
  if (now - expired_at_ >= options_.between_expiries || now < expired_at_) {
    TRY(expire(marks, now));
  }
  Status done;
  for (const auto& removal : removals) {
    const auto gone_on = guarded_read([&] { carry_out_more(removal, marks); });
    if (!gone_on && done) done = fail(gone_on.error());
    if (is_ending_) break;
  }
  return done;
}

/// Removes expired rows of nodes that have left, and expired rows that this node's journal has
/// forgotten (deleted, and left to ClickHouse).
Status Leftovers::expire(const Marks& marks, UnixSeconds now) {
  auto nodes = marks.left();
  const auto state = TRY(reader_.state());
  if (!state.forgotten.empty()) {
    nodes.push_back(options_.own);
    // The removal may give new versions to this node's visits. First raises the versions of the
    // journal's visits, so that its later rows have greater versions.
    TRY(on_writer_([&](sqlite::Journal& journal) { return journal.renew({}, now); }));
  }
  if (!nodes.empty()) {
    const auto sites = TRY(reader_.expired(now));
    const auto is_all = TRY(remove_expired(server_, nodes, sites));
    if (!is_all) return {};  // the next look() removes more expired rows
  }
  expired_at_ = now;
  return {};
}

/// Returns true if this node is the one that removes leftovers of other nodes: the running node
/// with the lowest number. A running node stores marks, even while its shipping is behind.
bool Leftovers::is_in_charge(const Marks& marks) const {
  const auto is_there = [&](const Mark& mark) {
    const UnixMillis stored(std::chrono::milliseconds(mark.version));
    return !mark.has_left && UnixMillis(marks.now) - stored < options_.silence;
  };
  return std::none_of(marks.nodes.begin(), marks.nodes.end(),
                      [&](const Mark& mark) { return mark.node < options_.own && is_there(mark); });
}

void Leftovers::carry_out_more(const store::ClusterRemoval& removal, const Marks& marks) {
  // An earlier look() was interrupted before it rebuilt these visits.
  if (!removal.damaged.empty()) {
    with(marks, {},
         [&](LeftoverRemoval& work) { rebuild_visits(work, removal, removal.damaged, marks.now); });
  }
  if (removal.forgotten > 0 && !removal.is_leaving) {
    remove(removal, marks, std::array{Leftover{options_.own, removal.forgotten}});
    note([&](sqlite::Journal& journal) { return journal.note_done_here(removal.id); });
  }
  bool is_over = true;
  std::vector<Leftover> left;
  std::vector<NodeNumber> nodes;
  for (const auto& mark : marks.nodes) {
    if (mark.removed_to > removal.removal.at + options_.after_removal) continue;
    is_over = is_over && mark.has_left;
    const bool is_done =
        std::find(removal.nodes.begin(), removal.nodes.end(), mark.node) != removal.nodes.end();
    if (!mark.has_left || is_done) continue;
    left.push_back({mark.node});
    nodes.push_back(mark.node);
  }
  if (!left.empty()) {
    if (is_in_charge(marks)) {
      remove(removal, marks, left);
      note([&](sqlite::Journal& journal) { return journal.note_nodes(removal.id, nodes); });
    } else {
      const auto& what = removal.removal.what;
      // If the node in charge does not finish, this node may have to finish the removal.
      is_over =
          is_over && !with(marks, left, [&](LeftoverRemoval& work) { return work.has_any(what); });
    }
  }
  if (!is_over) return;
  note([&](sqlite::Journal& journal) { return journal.finish_removal(removal.id); });
}

void Leftovers::remove(const store::ClusterRemoval& removal, const Marks& marks,
                       std::span<const Leftover> leftovers) {
  with(marks, leftovers, [&](LeftoverRemoval& work) {
    std::vector<store::NodeVisit> damaged;
    const auto plan = [&](std::vector<store::NodeVisit> visits) {
      damaged = std::move(visits);
      return guarded_read([&] { note_damaged(removal, damaged); });
    };
    while (work.remove_some(removal.removal.what, plan)) {
      failpoint("in_removal_of_leftovers");
      rebuild_visits(work, removal, damaged, marks.now);
    }
  });
}

/// Records the visits that are about to lose events. Leaves out, and erases from `visits`, the
/// visits that this node's journal has, because the journal recomputes them itself.
void Leftovers::note_damaged(const store::ClusterRemoval& removal,
                             std::vector<store::NodeVisit>& visits) {
  std::vector<VisitId> own;
  for (const auto& visit : visits) {
    if (visit.node == options_.own) own.push_back(static_cast<VisitId>(visit.visit));
  }
  const auto stored = reader_.stored_among(own);
  if (!stored) throw ReadFailed{stored.error()};
  std::erase_if(visits, [&](const store::NodeVisit& visit) {
    return visit.node == options_.own &&
           std::binary_search(stored->begin(), stored->end(), static_cast<VisitId>(visit.visit));
  });
  for (std::span<const store::NodeVisit> rest(visits); !rest.empty();) {
    const auto some = rest.first(std::min(kVisitsOfNote, rest.size()));
    note([&](sqlite::Journal& journal) { return journal.note_damaged(removal.id, some); });
    rest = rest.subspan(some.size());
  }
}

void Leftovers::rebuild_visits(LeftoverRemoval& work, const store::ClusterRemoval& removal,
                               std::span<const store::NodeVisit> damaged, UnixSeconds now) {
  if (damaged.empty()) return;
  // Raises the versions of the journal's visits, so that its later rows of these visits have
  // greater versions than the rows made here.
  note([&](sqlite::Journal& journal) { return journal.renew({}, now); });
  work.rebuild_visits(removal.removal.what.site, damaged);
  note([&](sqlite::Journal& journal) { return journal.note_rebuilt(removal.id); });
}

/// Changes the journal on the writer thread. Throws ReadFailed if that fails.
void Leftovers::note(const std::function<Status(sqlite::Journal&)>& change) const {
  if (const auto noted = on_writer_(change); !noted) throw ReadFailed{noted.error()};
}

}  // namespace analytics::cluster
