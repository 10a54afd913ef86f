#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/store/sqlite/tables/dictionary.h"
#include "daemon/store/sqlite/tables/totals_table.h"
#include "daemon/store/sqlite/totals/totals_job.h"

namespace analytics::sqlite {

/// Makes the daily totals of a site's oldest days on a worker thread, and stores them in slices of
/// the writer. Works on one site at a time. Discards the totals if their site, its retention or
/// its events change meanwhile.
class TotalsMaking {
 public:
  /// The references must outlive this object.
  TotalsMaking(Connection& connection, TotalsTable& table, Dictionary& dictionary);

  /// Chooses a site whose events before `until`, the start of a day in its time zone, will become
  /// totals. Called inside a transaction. REQUIRES: may_choose().
  void choose(const Site& site, UnixSeconds until);
  [[nodiscard]] bool is_under_way() const { return making_.has_value(); }
  /// Waits until the worker needs a slice(). REQUIRES: is_under_way().
  void wait() const { worker_.wait(); }
  /// Returns true if choose() may be called: no totals are being made, and the last failure to
  /// make totals was some minutes ago.
  [[nodiscard]] bool may_choose() const {
    return !making_ && std::chrono::steady_clock::now() >= rests_until_;
  }
  /// Returns true if start() must be called, outside a transaction and with all events published.
  [[nodiscard]] bool is_to_start() const { return making_ && making_->job == nullptr; }
  void start();
  /// Returns true if slice() has work to do.
  [[nodiscard]] bool is_due() const;

  /// Complete totals of a site. They are stored, so the events before `until` may be removed.
  struct Made {
    SiteId site = 0;
    UnixSeconds until{};
    TotalsBatch batch = 0;
  };
  /// Stores some of the finished totals. Called inside a transaction. Returns the totals when they
  /// are complete. `is_wanted` returns true if the site, as it is now, still keeps totals instead
  /// of events before `until`.
  using IsWanted = std::function<bool(const Site& site, UnixSeconds until)>;
  [[nodiscard]] std::optional<Made> slice(const IsWanted& is_wanted);
  /// Returns, once, why totals could not be made and were discarded; empty if that has not
  /// happened.
  [[nodiscard]] std::string take_refusal() { return std::exchange(refusal_, {}); }
  /// Makes the next slice() discard the totals that are being made.
  void rolled_back() { must_discard_ = making_.has_value(); }

 private:
  struct Making {
    Site site;
    UnixSeconds until{};
    TotalsBatch batch = 0;
    std::shared_ptr<TotalsJob> job{};
    std::optional<TotalsOfDays> taken{};   ///< Product of the job that is being stored.
    std::vector<std::uint32_t> numbers{};  ///< Ids of those texts in `taken` that have ids so far.
    /// True if the sums of the first day in `taken` are sorted by value, the highest id first.
    bool is_sorted = false;
  };

  [[nodiscard]] bool is_wanted(const IsWanted& is_wanted);
  void store_some();
  void end();

  Connection& connection_;
  TotalsTable& table_;
  Dictionary& dictionary_;
  std::optional<Making> making_;
  bool must_discard_ = false;
  std::string refusal_;
  std::chrono::steady_clock::time_point rests_until_{};
  JobWorker<TotalsOfDays> worker_;
};

}  // namespace analytics::sqlite
