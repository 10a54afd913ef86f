#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/store/sqlite/dictionary.h"
#include "daemon/store/sqlite/totals_job.h"
#include "daemon/store/sqlite/totals_table.h"

namespace analytics::sqlite {

/// Has the daily totals of a site's oldest days made by a worker and stores them, in slices of the
/// writer. One site at a time. What is made is given up when anything changes that it depends on:
/// the site, how long it keeps what, or its events.
class TotalsMaking {
 public:
  /// The references must outlive this object.
  TotalsMaking(Connection& connection, TotalsTable& table, Dictionary& dictionary);

  /// Chooses a site, whose events before `until`, the begin of a day of its zone, are to become
  /// totals. Inside a transaction. REQUIRES: may_choose().
  void choose(const Site& site, UnixSeconds until);
  [[nodiscard]] bool is_under_way() const { return making_.has_value(); }
  /// True if choose() may be called: not for a while after totals could not be made.
  [[nodiscard]] bool may_choose() const {
    return !making_ && std::chrono::steady_clock::now() >= rests_until_;
  }
  /// True if start() is to be called, outside a transaction: all events are published.
  [[nodiscard]] bool is_to_start() const { return making_ && making_->job == nullptr; }
  void start();
  /// True if there is something that slice() can do.
  [[nodiscard]] bool is_due() const;

  /// Totals that are there now: the events before `until` may leave.
  struct Made {
    SiteId site = 0;
    UnixSeconds until{};
    TotalsBatch batch = 0;
  };
  /// Stores some of what was made. Inside a transaction. Returns what has become complete.
  /// `is_wanted` says if such a site, as it is now, still keeps no events before a moment.
  using IsWanted = std::function<bool(const Site& site, UnixSeconds until)>;
  [[nodiscard]] std::optional<Made> slice(const IsWanted& is_wanted);
  /// Why the last slice has given up, once; empty if it did not, or if something has changed.
  [[nodiscard]] std::string take_refusal() { return std::exchange(refusal_, {}); }
  /// Gives up what is under way.
  void rolled_back() { must_give_up_ = making_.has_value(); }

 private:
  struct Making {
    Site site;
    UnixSeconds until{};
    TotalsBatch batch = 0;
    std::shared_ptr<TotalsJob> job{};
    std::optional<TotalsOfDays> taken{};   ///< Being stored.
    std::vector<std::uint32_t> numbers{};  ///< The taken texts' numbers, as far as they have one.
    bool is_sorted = false;                ///< The first of the taken days, last value first.
  };

  [[nodiscard]] bool is_wanted(const IsWanted& is_wanted);
  void store_some();
  void end();

  Connection& connection_;
  TotalsTable& table_;
  Dictionary& dictionary_;
  std::optional<Making> making_;
  bool must_give_up_ = false;
  std::string refusal_;
  std::chrono::steady_clock::time_point rests_until_{};
  JobWorker<TotalsOfDays> worker_;
};

}  // namespace analytics::sqlite
