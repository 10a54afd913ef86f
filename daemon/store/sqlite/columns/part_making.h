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

/// Decides which parts must be made, has a worker thread make them and stores them in slices of the
/// writer. Runs one job at a time, which copies a day that has not changed for a while, seals days
/// whose visitors can no longer return, rewrites a sealed part without removed events, or merges
/// two small sealed parts. A journal, the store of a cluster's node, does not seal old days but
/// forgets them, if allowed: it deletes their rows once the cluster has them.
class PartMaking {
 public:
  /// The references must outlive this object.
  PartMaking(Connection& connection, PartTable& table, RowSweep& sweep, ChangeLog& changes,
             ImportLedger& ledger, const store::StoreLimits& limits);

  /// Sets the limits for later calls of choose().
  void set_limits(const store::StoreLimits& limits) { limits_ = limits; }
  /// Chooses the days or parts for the next job. Returns false if nothing is due or a job is under
  /// way. If nothing is due, looks again only when `now` is another second.
  [[nodiscard]] bool choose(UnixSeconds now);
  /// Returns true if choose() has found that nothing is due at `now`.
  [[nodiscard]] bool is_idle(UnixSeconds now) const { return idle_at_ == now; }
  /// Starts the job that choose() has chosen, if it is still allowed. REQUIRES: the visits of all
  /// events up to `last`, and of no later events, are written (EventStore::publish()).
  void begin(EventId last);
  /// Starts a job that rewrites a sealed part. REQUIRES: no job is under way.
  void rewrite(const PartTable::SealedPart& part, std::shared_ptr<RewriteJob> job);
  /// Returns true from begin() or rewrite() until the parts are stored or discarded.
  [[nodiscard]] bool is_under_way() const { return job_ != nullptr; }
  /// Returns true if slice() has work to do.
  [[nodiscard]] bool is_due() const;
  /// Returns true if the next slice() would move events from rows to parts, or to other parts. A
  /// reader that returns its results in several pages would then miss events.
  [[nodiscard]] bool is_to_move() const;
  /// Stores some of the finished parts. Called inside a transaction. `may_move`: true if no
  /// EventReading is under way until the commit.
  void slice(bool may_move);
  /// Returns, once, why the last slice() has abandoned a job. Empty if it has not, or if the rows
  /// have changed and the job will be tried again.
  [[nodiscard]] std::string take_refusal() { return std::exchange(refusal_, {}); }
  void rolled_back() { rewritten_.reset(); }
  /// Returns, for each sealing since the last call, a line for the daemon's log.
  [[nodiscard]] std::vector<std::string> take_news() { return std::exchange(news_, {}); }
  /// Waits until is_due(). REQUIRES: is_under_way().
  void wait() const { worker_.wait(); }
  /// Returns, once, the rewrite job that the last slice() has completed; null if it has completed
  /// none.
  [[nodiscard]] std::shared_ptr<const RewriteJob> take_rewritten() {
    return std::exchange(rewritten_, nullptr);
  }

 private:
  /// Plan of the next attempt to seal days of a site. Days with few events are sealed together,
  /// because few events are not worth a part.
  struct Attempt {
    std::chrono::days span{1};  ///< Number of days to seal together.
    Days not_before{};          ///< First day on which the attempt may be made.
  };

  [[nodiscard]] std::optional<SiteDays> next_sealable(UnixSeconds now);
  [[nodiscard]] std::vector<PartTable::SealedPart> next_mergeable();
  /// Notes that the site's sealed parts have changed, so that next_mergeable() looks at them
  /// again.
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
  bool may_grow_ = false;  ///< True if more days could be sealed together with to_seal_.
  /// True if the days of to_seal_ must be sealed, however few events they have.
  bool is_old_ = false;
  Days today_{};
  UnixSeconds chosen_at_{};
  std::optional<UnixSeconds> idle_at_;  ///< Time of the last choose() that found no work.
  /// Last site that was checked for days to seal; 0 to begin with the first site.
  SiteId seal_from_ = 0;
  /// Id above which sites may have parts to merge; nullopt if no site has such parts.
  std::optional<SiteId> merge_after_ = 0;
  std::map<SiteId, Attempt> attempts_;
  std::string refusal_;
  std::vector<std::string> news_;
  bool is_cancelled_ = false;     ///< True if the job was cancelled because its days have changed.
  std::shared_ptr<PartJob> job_;  ///< Current job, of any kind; null if no job is under way.
  std::shared_ptr<SealJob> sealing_;
  std::shared_ptr<RewriteJob> rewriting_;
  std::shared_ptr<const RewriteJob> rewritten_;
  query::PartId part_ = 0;  ///< Part whose columns are being stored.
  /// Columns of part_ that are left to store, by column id.
  std::map<std::uint32_t, std::string> columns_;
};

}  // namespace analytics::sqlite
