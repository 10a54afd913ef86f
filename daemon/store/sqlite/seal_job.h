#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "daemon/parts/fingerprint.h"
#include "daemon/store/sqlite/change_log.h"
#include "daemon/store/sqlite/part_table.h"
#include "daemon/store/sqlite/part_worker.h"

namespace analytics::sqlite {

/// Visitors of some days, joined by visits that they share: what belongs together is sealed
/// together, or not at all.
class Companions {
 public:
  /// The visitor has an event of the visit.
  void join(VisitId visit, std::uint64_t visitor);
  /// The visitor's events are to stay rows, and with them those of all companions.
  void keep(std::uint64_t visitor);
  /// Returns one of the visitor and all companions, the same for each of them.
  [[nodiscard]] std::uint64_t leader_of(std::uint64_t visitor);
  [[nodiscard]] bool is_kept(std::uint64_t visitor) { return kept_.contains(leader_of(visitor)); }

 private:
  void unite(std::uint64_t a, std::uint64_t b);

  std::unordered_map<std::uint64_t, std::uint64_t> above_;  ///< Leads to the leader.
  std::unordered_map<VisitId, std::uint64_t> of_visit_;     ///< A visitor of each visit.
  std::unordered_set<std::uint64_t> kept_;                  ///< Leaders.
};

/// Makes the parts that take the place of the rows of some days, but for visitors who have a visit
/// that reaches beyond; or finds out which rows a journal may forget by the same rule.
class SealJob final : public PartJob {
 public:
  struct Limits {
    std::int64_t fewest = 0;                  ///< Fewer events are not sealed.
    std::uint32_t most = parts::kMostEvents;  ///< Events of a part.
    /// If there is one, the rows leave once it agrees, and no part is made.
    store::Witness witness{};
  };
  /// Seals events up to `last`. REQUIRES: they are published, and the salts of the days are gone,
  /// so that none of their visits goes on.
  SealJob(const SiteDays& days, EventId last, const Limits& limits)
      : days_(days), last_(last), limits_(limits) {}
  void run(Connection& connection, PartSink& sink) override;

  [[nodiscard]] const SiteDays& days() const { return days_; }
  [[nodiscard]] EventId last() const { return last_; }
  // When it has ended:
  [[nodiscard]] std::int64_t events() const { return events_; }  ///< Rows to leave.
  [[nodiscard]] const std::vector<std::uint64_t>& kept_visitors() const { return kept_; }
  [[nodiscard]] bool forgets() const { return limits_.witness != nullptr; }
  // If it forgets, what leaves:
  [[nodiscard]] const Forgotten& forgotten() const { return forgotten_; }
  [[nodiscard]] const std::set<ImportId>& imports() const { return imports_; }

 private:
  /// Some of the pieces that the days are cut into.
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
  [[nodiscard]] std::vector<std::vector<parts::RawEvent>> read(Connection& connection,
                                                               const PartSink& sink,
                                                               const Pieces& pieces);
  [[nodiscard]] std::vector<parts::Fingerprint> see(Connection& connection, const PartSink& sink,
                                                    const Pieces& pieces);
  [[nodiscard]] static parts::PartBytes make_part(std::vector<parts::RawEvent> events,
                                                  const parts::Fingerprint& expected);

  const SiteDays days_;
  const EventId last_;
  const Limits limits_;
  Companions companions_;
  std::unordered_set<VisitId> named_;
  std::int64_t events_ = 0;
  std::vector<std::uint64_t> kept_;
  Forgotten forgotten_;
  std::set<ImportId> imports_;
};

}  // namespace analytics::sqlite
