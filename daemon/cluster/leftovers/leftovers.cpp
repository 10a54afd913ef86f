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
  const auto left = marks->left();
  if (now - expired_at_ >= options_.between_expiries || now < expired_at_) {
    if (auto done = expire(left, now); !done) return done;
  }
  const auto removals = reader_.cluster_removals();
  if (!removals) return fail(removals.error());
  return guarded_read([&] {
    for (const auto& removal : *removals) go_on(removal, *marks);
  });
}

/// Removes what has expired of nodes that have left.
Status Leftovers::expire(std::span<const NodeNumber> left, UnixSeconds now) {
  if (!left.empty()) {
    const auto sites = reader_.expired(now);
    if (!sites) return fail(sites.error());
    const auto is_all = remove_expired(server_, left, *sites);
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
  // Asked again it could mean others: visits have lost the events that told where they came from.
  auto left = marks.left();
  std::erase_if(left, [&](NodeNumber node) {
    return std::find(removal.nodes.begin(), removal.nodes.end(), node) != removal.nodes.end();
  });
  if (!left.empty()) {
    if (!remove(removal, marks, left, is_over)) return;
    note([&](store::Journal& journal) { return journal.note_nodes(removal.id, left); });
  }
  if (!is_over) return;
  note([&](store::Journal& journal) { return journal.finish_removal(removal.id); });
}

/// Removes what those nodes had shipped of it, if that is this node's work. True if nothing is left
/// of it, as far as is known: others are asked `for_good` alone.
bool Leftovers::remove(const store::ClusterRemoval& removal, const Marks& marks,
                       std::span<const NodeNumber> left, bool for_good) {
  const auto& what = removal.removal.what;
  query::Budget budget({kMostTime, kMostMemory}, is_ending_);
  std::vector<Leftover> leftovers;
  for (const auto node : left) leftovers.push_back({node});
  LeftoverRemoval work({config_, {kMostTime}, budget}, server_, wait_, marks, leftovers);
  const Removing removing(is_removing_);
  auto damaged = removal.damaged;
  const auto remake = [&] {
    work.remake(what.site, damaged);
    note([&](store::Journal& journal) { return journal.note_damaged(removal.id, {}); });
  };
  if (!damaged.empty()) remake();
  if (!is_in_charge(marks, options_.own)) {
    const bool is_long_ago = marks.now - removal.removal.at > kTrustOthers;
    return for_good && (is_long_ago || !work.has_any(what));
  }
  const auto plan = [&](std::span<const store::NodeVisit> visits) {
    damaged.assign(visits.begin(), visits.end());
    return on_writer_(
        [&](store::Journal& journal) { return journal.note_damaged(removal.id, visits); });
  };
  while (work.remove_some(what, plan)) {
    failpoint("in_removal_of_leftovers");
    remake();
  }
  return true;
}

/// Throws ReadFailed.
void Leftovers::note(const std::function<Status(store::Journal&)>& change) const {
  if (const auto noted = on_writer_(change); !noted) throw ReadFailed{noted.error()};
}

}  // namespace analytics::cluster
