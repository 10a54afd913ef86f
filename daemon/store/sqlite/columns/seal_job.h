#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "daemon/parts/fingerprint.h"
#include "daemon/store/sqlite/columns/part_worker.h"
#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/tables/part_table.h"

namespace analytics::sqlite {

/// Groups visitors who have a visit in common. Such companions are sealed together, or not at all.
class Companions {
 public:
  /// Records that the visitor has an event of the visit. All visitors with events of one visit
  /// become companions.
  void join(VisitId visit, std::uint64_t visitor);
  /// Marks the visitor and all companions as kept: their events stay rows.
  void keep(std::uint64_t visitor);
  /// Returns the leader of the visitor's group: a visitor who represents all companions.
  [[nodiscard]] std::uint64_t leader_of(std::uint64_t visitor);
  [[nodiscard]] bool is_kept(std::uint64_t visitor) { return kept_.contains(leader_of(visitor)); }

 private:
  void unite(std::uint64_t a, std::uint64_t b);

  /// For each visitor who does not lead a group: another visitor of the group, on the way to the
  /// leader (union-find).
  std::unordered_map<std::uint64_t, std::uint64_t> above_;
  std::unordered_map<VisitId, std::uint64_t> of_visit_;  ///< By visit: one of its visitors.
  std::unordered_set<std::uint64_t> kept_;  ///< Leaders of the groups whose events stay rows.
};

/// Makes the sealed parts that replace the rows of some days. Leaves out the rows of visitors who
/// have a visit with events outside these days. In a journal, the store of a cluster's node, the
/// job makes no parts: by the same rule, it finds the rows that may be deleted because the cluster
/// has them.
class SealJob final : public PartJob {
 public:
  struct Limits {
    /// Least number of events, on all days together, for which the days are sealed.
    std::int64_t fewest = 0;
    std::uint32_t most = parts::kMaxEvents;  ///< Maximum number of events per part.
    /// Function that checks that the cluster has certain rows. If it is set, the job makes no
    /// parts, but finds rows that a journal may delete because the cluster has them.
    store::Witness witness{};
  };
  /// Seals the events of `days` up to the event `last`. REQUIRES: the visits of these events are
  /// written (EventStore::publish()), and the salts of the days are destroyed, so that none of
  /// these visits can continue.
  SealJob(const SiteDays& days, EventId last, const Limits& limits)
      : days_(days), last_(last), limits_(limits) {}
  void run(Connection& connection, PartSink& sink) override;

  [[nodiscard]] const SiteDays& days() const { return days_; }
  [[nodiscard]] EventId last() const { return last_; }
  // The results of the next five functions are valid once the job has ended.

  /// Returns the number of rows that may be removed.
  [[nodiscard]] std::int64_t events() const { return events_; }
  /// Returns the visitors whose rows stay.
  [[nodiscard]] const std::vector<std::uint64_t>& kept_visitors() const { return kept_; }
  /// Returns true if the job makes no parts, but looks for rows that a journal may delete because
  /// the cluster has them.
  [[nodiscard]] bool forgets() const { return limits_.witness != nullptr; }
  // The next two functions return the highest ids, and the imports, of the rows that a journal may
  // delete because the cluster has them. Both are empty unless forgets() is true.
  [[nodiscard]] const Forgotten& forgotten() const { return forgotten_; }
  [[nodiscard]] const std::set<ImportId>& imports() const { return imports_; }

 private:
  /// A range of pieces, from `first` to before `end`, of `all` pieces. The events of the days are
  /// divided into pieces by visitor, and each piece becomes a part.
  struct Pieces {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    std::uint64_t all = 0;
  };

  [[nodiscard]] std::int64_t find_companions(Connection& connection, const PartSink& sink);
  void find_leaving(Connection& connection, const PartSink& sink);
  [[nodiscard]] store::LeavingRows read_leaving(Connection& connection, query::Budget& budget);
  [[nodiscard]] std::optional<std::uint64_t> piece_of(std::uint64_t visitor, std::uint64_t pieces);
  void make_parts(Connection& connection, PartSink& sink, const Pieces& pieces);
  [[nodiscard]] std::vector<std::vector<query::RawEvent>> read(Connection& connection,
                                                               const PartSink& sink,
                                                               const Pieces& pieces);
  [[nodiscard]] std::vector<parts::Fingerprint> see(Connection& connection, const PartSink& sink,
                                                    const Pieces& pieces);
  [[nodiscard]] static parts::PartBytes make_part(std::vector<query::RawEvent> events,
                                                  const parts::Fingerprint& expected);

  const SiteDays days_;
  const EventId last_;
  const Limits limits_;
  Companions companions_;
  std::unordered_set<VisitId> named_;  ///< Visits that an import has named.
  std::int64_t events_ = 0;
  std::vector<std::uint64_t> kept_;
  Forgotten forgotten_;
  std::set<ImportId> imports_;
};

}  // namespace analytics::sqlite
