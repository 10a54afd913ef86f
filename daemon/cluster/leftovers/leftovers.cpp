#include "daemon/cluster/leftovers/leftovers.h"

#include <algorithm>

#include "common/failpoint.h"
#include "daemon/cluster/leftovers/expired_leftovers.h"

namespace analytics::cluster {
namespace {

constexpr std::chrono::hours kMostTime{1};
constexpr std::chrono::hours kTrustOthers{24};
constexpr std::size_t kMostMemory = 268'435'456;  // bytes of moves and texts

/// Says that events leave while it lives.
class Removing {
 public:
  explicit Removing(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
  ~Removing() { flag_ = false; }
  Removing(const Removing&) = delete;
  Removing& operator=(const Removing&) = delete;

 private:
  std::atomic<bool>& flag_;
};

/// One node removes what others have left: of those that are there the one with the least number.
bool is_in_charge(const Marks& marks, NodeNumber own) {
  const auto is_there = [&](const Mark& mark) {
    return !mark.has_left &&
           UnixMillis(marks.now) - mark.up_to < std::chrono::milliseconds(kMarkIsFresh);
  };
  return std::none_of(marks.nodes.begin(), marks.nodes.end(),
                      [&](const Mark& mark) { return mark.node < own && is_there(mark); });
}

}  // namespace

Status Leftovers::look(UnixSeconds now) {
  const auto marks = read_marks(server_, options_.cluster);
  if (!marks) return fail(marks.error());
  const auto removals = reader_.cluster_removals();
  if (!removals) return fail(removals.error());
  // Behind them: what is forgotten later was looked through for these before.
  const auto state = reader_.state();
  if (!state) return fail(state.error());
  forgotten_ = state->forgotten_event;
  if (now - expired_at_ >= options_.between_expiries || now < expired_at_) {
    if (auto done = expire(marks->left(), now); !done) return done;
  }
  return guarded_read([&] {
    for (const auto& removal : *removals) go_on(removal, *marks);
  });
}

/// Removes what has expired of nodes that have left, and what this one has forgotten.
Status Leftovers::expire(std::vector<NodeNumber> nodes, UnixSeconds now) {
  if (forgotten_ > 0) {
    nodes.push_back(options_.own);
    // States that are made of its visits must not be newer than what its journal knows.
    auto raised = on_writer_([&](store::Journal& journal) { return journal.renew({}, now); });
    if (!raised) return raised;
  }
  if (!nodes.empty()) {
    const auto sites = reader_.expired(now);
    if (!sites) return fail(sites.error());
    const auto is_all = remove_expired(server_, nodes, *sites);
    if (!is_all) return fail(is_all.error());
    if (!*is_all) return {};  // the next look continues
  }
  expired_at_ = now;
  return {};
}

/// True if no node can have events left that were to leave: each has shipped all that it had stored
/// and removed by then, or has left.
bool Leftovers::is_over_elsewhere(const Marks& marks, UnixSeconds at) const {
  return std::all_of(marks.nodes.begin(), marks.nodes.end(), [&](const Mark& mark) {
    return mark.has_left || mark.up_to > at + options_.after_removal;
  });
}

void Leftovers::go_on(const store::ClusterRemoval& removal, const Marks& marks) {
  const auto is_over = is_over_elsewhere(marks, removal.removal.at);
  auto nodes = marks.left();
  if (forgotten_ > 0) nodes.push_back(options_.own);
  if (!removal.damaged.empty()) finish_damaged(removal, marks, nodes);
  // Asked again it could mean others: visits have lost the events that told where they came from.
  std::erase_if(nodes, [&](NodeNumber node) {
    return std::find(removal.nodes.begin(), removal.nodes.end(), node) != removal.nodes.end();
  });
  const auto others = std::partition(nodes.begin(), nodes.end(),
                                     [&](NodeNumber node) { return node == options_.own; });
  bool is_all = true;
  for (const auto& some : {std::span(nodes.begin(), others), std::span(others, nodes.end())}) {
    if (some.empty()) continue;
    if (!remove(removal, marks, some, is_over)) {
      is_all = false;
      continue;
    }
    note([&](store::Journal& journal) { return journal.note_nodes(removal.id, some); });
  }
  if (!is_over || !is_all) return;
  note([&](store::Journal& journal) { return journal.finish_removal(removal.id); });
}

/// Removes what is left of it of these nodes, if that is this node's work. True if nothing is left
/// of it, as far as is known: others are asked `for_good` alone.
bool Leftovers::remove(const store::ClusterRemoval& removal, const Marks& marks,
                       std::span<const NodeNumber> nodes, bool for_good) {
  const auto& what = removal.removal.what;
  query::Budget budget({kMostTime, kMostMemory}, is_ending_);
  const auto leftovers = leftovers_of(nodes);
  LeftoverRemoval work({config_, {kMostTime}, budget}, server_, wait_, marks, leftovers);
  const Removing removing(is_removing_);
  const bool is_ours = nodes.front() == options_.own || is_in_charge(marks, options_.own);
  if (!is_ours) {
    const bool is_long_ago = marks.now - removal.removal.at > kTrustOthers;
    return for_good && (is_long_ago || !work.has_any(what));
  }
  std::vector<store::NodeVisit> damaged;
  const auto plan = [&](std::span<const store::NodeVisit> visits) {
    damaged.assign(visits.begin(), visits.end());
    return on_writer_(
        [&](store::Journal& journal) { return journal.note_damaged(removal.id, visits); });
  };
  while (work.remove_some(what, plan)) {
    failpoint("in_removal_of_leftovers");
    remake(work, removal, damaged, marks.now);
  }
  return true;
}

void Leftovers::remake(LeftoverRemoval& work, const store::ClusterRemoval& removal,
                       std::span<const store::NodeVisit> damaged, UnixSeconds now) {
  note([&](store::Journal& journal) { return journal.renew({}, now); });
  work.remake(removal.removal.what.site, damaged);
  note([&](store::Journal& journal) { return journal.note_damaged(removal.id, {}); });
}

/// Makes visits again that an earlier look had to leave.
void Leftovers::finish_damaged(const store::ClusterRemoval& removal, const Marks& marks,
                               std::span<const NodeNumber> nodes) {
  query::Budget budget({kMostTime, kMostMemory}, is_ending_);
  const auto leftovers = leftovers_of(nodes);
  LeftoverRemoval work({config_, {kMostTime}, budget}, server_, wait_, marks, leftovers);
  const Removing removing(is_removing_);
  remake(work, removal, removal.damaged, marks.now);
}

std::vector<Leftover> Leftovers::leftovers_of(std::span<const NodeNumber> nodes) const {
  std::vector<Leftover> leftovers;
  for (const auto node : nodes) {
    leftovers.push_back({node, node == options_.own ? forgotten_ : INT64_MAX});
  }
  return leftovers;
}

/// Throws ReadFailed.
void Leftovers::note(const std::function<Status(store::Journal&)>& change) const {
  if (const auto noted = on_writer_(change); !noted) throw ReadFailed{noted.error()};
}

}  // namespace analytics::cluster
