#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/change_log.h"
#include "daemon/store/sqlite/copy_job.h"
#include "daemon/store/sqlite/import_ledger.h"
#include "daemon/store/sqlite/rewrite_job.h"
#include "daemon/store/sqlite/row_sweep.h"
#include "daemon/store/sqlite/seal_job.h"

namespace analytics::sqlite {

/// Decides which parts are to be made, has them made by a worker and stores them, in slices of the
/// writer. One making at a time: copies of a day that has not changed for a while, sealed parts of
/// days of which nobody can come back, a sealed part without what is to be removed, or one of two
/// small sealed parts. A journal forgets days instead of sealing them, if it may, once the cluster
/// has them.
class PartMaking {
 public:
  /// The references must outlive this object.
  PartMaking(Connection& connection, PartTable& table, RowSweep& sweep, ChangeLog& changes,
             ImportLedger& ledger, const store::StoreLimits& limits);

  /// For what is chosen from now on.
  void set_limits(const store::StoreLimits& limits) { limits_ = limits; }
  /// Chooses days, or parts. Returns false if none are due, or a making goes on. Looks once a
  /// second while there are none.
  [[nodiscard]] bool choose(UnixSeconds now);
  /// True if choose() has found that nothing is due now.
  [[nodiscard]] bool is_idle(UnixSeconds now) const { return idle_at_ == now; }
  /// Begins to make what was chosen, if that is still possible. REQUIRES: all events up to `last`,
  /// and no others, are published.
  void begin(EventId last);
  /// Begins to make one sealed part again. REQUIRES: no making goes on.
  void rewrite(const PartTable::SealedPart& part, std::shared_ptr<RewriteJob> job);
  /// True from begin() or rewrite() until the parts are stored or given up.
  [[nodiscard]] bool is_under_way() const { return job_ != nullptr; }
  /// True if there is something that slice() can do.
  [[nodiscard]] bool is_due() const;
  /// True if the next slice() may take events from where readers find them.
  [[nodiscard]] bool is_to_move() const;
  /// Stores some of what was made. Inside a transaction. `may_move`: no reader goes from page to
  /// page until it is committed.
  void slice(bool may_move);
  /// Says once that the last slice has given a making up, and why; empty if it did not, or if the
  /// rows have changed, so that it will be tried again.
  [[nodiscard]] std::string take_refusal() { return std::exchange(refusal_, {}); }
  void rolled_back() { rewritten_.reset(); }
  /// Returns a line for each sealing since the last call.
  [[nodiscard]] std::vector<std::string> take_news() { return std::exchange(news_, {}); }
  /// Waits until is_due(). REQUIRES: is_under_way().
  void wait() const { worker_.wait(); }
  /// The rewrite that the last slice has finished, once.
  [[nodiscard]] std::shared_ptr<const RewriteJob> take_rewritten() {
    return std::exchange(rewritten_, nullptr);
  }

 private:
  /// How a site's days are sealed: few events are not worth a part, and leave with those of other
  /// days.
  struct Attempt {
    std::chrono::days span{1};
    Days not_before{};
  };

  [[nodiscard]] std::optional<SiteDays> next_sealable(UnixSeconds now);
  [[nodiscard]] std::vector<PartTable::SealedPart> next_mergeable();
  /// The site has other parts than when next_mergeable() looked at it.
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
  bool may_grow_ = false;  ///< There are more days that could be sealed with those.
  bool is_old_ = false;    ///< They are to be sealed, however few events there are.
  Days today_{};
  UnixSeconds chosen_at_{};
  std::optional<UnixSeconds> idle_at_;     ///< When nothing was due.
  SiteId seal_from_ = 0;                   ///< Sites behind it are asked next; 0: all were.
  std::optional<SiteId> merge_after_ = 0;  ///< Sites behind it may have parts to merge.
  std::map<SiteId, Attempt> attempts_;
  std::string refusal_;
  std::vector<std::string> news_;
  bool is_cancelled_ = false;     ///< The job is to end, because the days have changed.
  std::shared_ptr<PartJob> job_;  ///< Under way; one of these three, too.
  std::shared_ptr<SealJob> sealing_;
  std::shared_ptr<RewriteJob> rewriting_;
  std::shared_ptr<const RewriteJob> rewritten_;
  query::PartId part_ = 0;
  std::map<std::uint32_t, std::string>
      columns_;  ///< Those of the part that are still to be stored.
};

}  // namespace analytics::sqlite
