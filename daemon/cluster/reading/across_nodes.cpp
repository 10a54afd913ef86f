#include "daemon/cluster/reading/across_nodes.h"

#include <algorithm>

#include "daemon/model/visit.h"

namespace analytics::cluster {
namespace {

using Type = NativeReader::Type;

constexpr std::int64_t kGap = std::chrono::milliseconds(kVisitGap).count();

/// Maximum number of days for which an idempotency key identifies one event. After that, a client
/// may use the key again.
constexpr int kKeyLife = 7;

/// The visitor whose visits are being read in order of their start times.
struct Visitor {
  SiteId site = 0;
  std::int64_t number = 0;
  std::int64_t ended = 0;  ///< Latest end of the visits so far, in milliseconds.
};

/// Counts visits that begin at most kGap after an earlier visit of the same visitor ended. A single
/// node would have made them one visit.
void count_visits(const ReadAccess& access, const Marks& marks,
                  std::map<SiteId, AcrossNodes>& counts) {
  const auto where =
      "WHERE site > 0 AND gone = 0 AND named = 0 AND " + marks.of_nodes() + " AND visitor > 0";
  AnswerRows rows(access,
                  {{"site", Type::kUInt64},
                   {"visitor", Type::kUInt64},
                   {"started", Type::kInt64},
                   {"ended", Type::kInt64}},
                  "FROM visits FINAL " + where +
                      " AND (site, visitor) IN (SELECT site, visitor FROM visits " + where +
                      " GROUP BY site, visitor HAVING uniqExact(node) > 1)"
                      " ORDER BY site, visitor, started");
  Visitor visitor;
  while (rows.next()) {
    const auto& block = rows.block();
    for (std::size_t row = 0; row < block.rows(); ++row) {
      const auto site = block.number(0, row);
      const auto number = block.number(1, row);
      const auto ended = block.number(3, row);
      if (site != visitor.site || number != visitor.number) {
        visitor = {site, number, ended};
        continue;
      }
      if (block.number(2, row) <= visitor.ended + kGap) ++counts[site].visits;
      visitor.ended = std::max(visitor.ended, ended);
    }
  }
}

/// Counts events that have the idempotency key of an event on another node.
void count_events(const ReadAccess& access, const Marks& marks,
                  std::map<SiteId, AcrossNodes>& counts) {
  AnswerRows rows(access,
                  {{"site", Type::kUInt64}, {"toUInt64(sum(nodes) - count())", Type::kUInt64}},
                  "FROM (SELECT site, key_hash, uniqExact(node) AS nodes FROM events WHERE site > 0"
                  " AND key_hash != '' AND " +
                      marks.of_nodes() +
                      " GROUP BY site, key_hash HAVING nodes > 1"
                      " AND toUInt16(max(day)) - toUInt16(min(day)) <= " +
                      std::to_string(kKeyLife) + ") GROUP BY site");
  while (rows.next()) {
    const auto& block = rows.block();
    for (std::size_t row = 0; row < block.rows(); ++row) {
      counts[block.number(0, row)].events += block.number(1, row);
    }
  }
}

}  // namespace

std::map<SiteId, AcrossNodes> count_across_nodes(const ReadAccess& access, const Marks& marks) {
  std::map<SiteId, AcrossNodes> counts;
  count_visits(access, marks, counts);
  count_events(access, marks, counts);
  return counts;
}

}  // namespace analytics::cluster
