#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/columns/copy_job.h"
#include "daemon/store/sqlite/columns/rewrite_job.h"
#include "daemon/store/sqlite/columns/seal_job.h"
#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/tables/import_ledger.h"
#include "daemon/store/sqlite/tables/row_sweep.h"

namespace analytics::sqlite {

/// Decides which parts must be made, has a worker make them and stores them in slices of the
/// writer. Runs one job at a time: it copies a day that has not changed for a while, seals days
/// whose visitors can no longer return, rewrites a sealed part without removed events, or merges
/// two small sealed parts. A journal, if allowed to, forgets days instead of sealing them: it
/// deletes their rows once the cluster has them.
class PartMaking {
 public:
  /// The references must outlive this object.
  PartMaking(Connection& connection, PartTable& table, RowSweep& sweep, ChangeLog& changes,
             ImportLedger& ledger, const store::StoreLimits& limits);

  /// Sets the limits for later calls of choose().
  void set_limits(const store::StoreLimits& limits) { limits_ = limits; }
  /// Chooses the days or parts for the next job. Returns false if nothing is due or a job is under
  /// way. While nothing is due, looks only once a second.
  [[nodiscard]] bool choose(UnixSeconds now);
  /// Returns true if choose() has found that nothing is due now.
  [[nodiscard]] bool is_idle(UnixSeconds now) const { return idle_at_ == now; }
  /// Starts the job that was chosen, if it is still possible. REQUIRES: all events up to `last`,
  /// and no others, are published.
  void begin(EventId last);
  /// Begins to rewrite a sealed part. REQUIRES: no job is under way.
  void rewrite(const PartTable::SealedPart& part, std::shared_ptr<RewriteJob> job);
  /// Returns true from begin() or rewrite() until the parts are stored or discarded.
  [[nodiscard]] bool is_under_way() const { return job_ != nullptr; }
  /// Returns true if slice() has work to do.
  [[nodiscard]] bool is_due() const;
  /// Returns true if the next slice() may move events from where readers look for them.
  [[nodiscard]] bool is_to_move() const;
  /// Stores some of the finished parts. Called inside a transaction. `may_move`: no reading of
  /// events is under way until the commit.
  void slice(bool may_move);
  /// Returns, once, why the last slice has abandoned a job. Empty if it has not, or if the rows
  /// have changed and the job will be tried again.
  [[nodiscard]] std::string take_refusal() { return std::exchange(refusal_, {}); }
  void rolled_back() { rewritten_.reset(); }
  /// Returns a line for each sealing since the last call.
  [[nodiscard]] std::vector<std::string> take_news() { return std::exchange(news_, {}); }
  /// Waits until is_due(). REQUIRES: is_under_way().
  void wait() const { worker_.wait(); }
  /// Returns the rewrite that the last slice has finished, once.
  [[nodiscard]] std::shared_ptr<const RewriteJob> take_rewritten() {
    return std::exchange(rewritten_, nullptr);
  }

 private:
  /// The next attempt to seal days of a site. Few events are not worth a part, so they are sealed
  /// together with those of other days.
  struct Attempt {
    std::chrono::days span{1};
    Days not_before{};
  };

  [[nodiscard]] std::optional<SiteDays> next_sealable(UnixSeconds now);
  [[nodiscard]] std::vector<PartTable::SealedPart> next_mergeable();
  /// Notes that the site's parts have changed since next_mergeable() looked at them.
  void look_again(SiteId site) {
    merge_after_ = std::min(merge_after_.value_or(site - 1), site - 1);
  }
  [[nodiscard]] std::optional<Days> first_salt(Days first, Days last);
  [[nodiscard]] bool is_settled(const SiteDays& days);
  [[nodiscard]] bool may_forget(const SiteDays& days);
  void take_part();
  void end(bool is_made);
  void finish();
  void finish_sealing();

  Connection& connection_;
  PartTable& table_;
  RowSweep& sweep_;
  ChangeLog& changes_;
  ImportLedger& ledger_;
  store::StoreLimits limits_;
  PartWorker worker_;

  std::optional<SiteDay> to_copy_;
  std::optional<SiteDays> to_seal_;
  std::vector<PartTable::SealedPart> to_merge_;
  bool may_grow_ = false;  ///< More days could be sealed together with to_seal_.
  bool is_old_ = false;    ///< The days in to_seal_ must be sealed, however few events they have.
  Days today_{};
  UnixSeconds chosen_at_{};
  std::optional<UnixSeconds> idle_at_;  ///< When choose() last found nothing due.
  SiteId seal_from_ = 0;  ///< Sites after it are checked next for days to seal; 0: all sites.
  std::optional<SiteId> merge_after_ = 0;  ///< Sites after it may have parts to merge.
  std::map<SiteId, Attempt> attempts_;
  std::string refusal_;
  std::vector<std::string> news_;
  bool is_cancelled_ = false;     ///< The job was cancelled because the days have changed.
  std::shared_ptr<PartJob> job_;  ///< Current job, of any kind.
  std::shared_ptr<SealJob> sealing_;
  std::shared_ptr<RewriteJob> rewriting_;
  std::shared_ptr<const RewriteJob> rewritten_;
  query::PartId part_ = 0;
  std::map<std::uint32_t, std::string> columns_;  ///< Columns of part_ left to store, by id.
};

}  // namespace analytics::sqlite
