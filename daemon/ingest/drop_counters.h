#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "daemon/store/outcome_counts.h"

namespace analytics {

/// Counts events by outcome in memory, until take() moves the counts to the database about once a
/// second. A crash may lose the counts since the last take(), but never an event. Any thread.
class DropCounters {
 public:
  /// Counts `outcomes[i]` for the site of `events[i]`. Ignores events without an outcome, and
  /// events whose `counted_before[i]` is true.
  void count(std::span<const Event> events, std::span<const EventOutcome> outcomes, UnixSeconds now,
             const std::vector<bool>& counted_before = {});
  /// Counts an event that was dropped before it reached the writer.
  void count_drop(SiteId site, EventOutcome reason, UnixSeconds now);
  /// Counts texts of the site that were stored as "(other)".
  void count_replaced(SiteId site, std::int64_t texts, UnixSeconds now);
  /// Counts an event that named a domain without a site, and keeps the name for the operator.
  void count_unknown(std::string_view domain, UnixSeconds now);

  /// Returns the number of texts that were stored as "(other)" since the start.
  [[nodiscard]] std::uint64_t replaced_texts() const {
    const std::scoped_lock lock(mutex_);
    return replaced_texts_;
  }
  /// Returns the number of events since the start, by the name of their outcome.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> totals() const;

  /// Counts to be added to those in the database.
  struct Taken {
    std::vector<store::OutcomeCount> counts;
    std::vector<store::UnknownSite> unknown;
    [[nodiscard]] bool empty() const { return counts.empty() && unknown.empty(); }
  };
  /// Returns the counts since the last call and resets them.
  [[nodiscard]] Taken take();
  /// Adds back the counts of a take() that could not be written.
  void put_back(const Taken& taken);

 private:
  static constexpr std::size_t kMaxNames = 1'000;  ///< Maximum number of unknown domains kept.
  using Key = std::tuple<SiteId, UnixSeconds, EventOutcome>;

  void add_name(const store::UnknownSite& seen);  ///< REQUIRES: mutex_ is held.

  mutable std::mutex mutex_;
  std::map<EventOutcome, std::uint64_t> totals_;               // guarded by mutex_
  std::map<Key, std::int64_t> counts_;                         // guarded by mutex_
  std::uint64_t replaced_texts_ = 0;                           // guarded by mutex_
  std::unordered_map<std::string, store::UnknownSite> names_;  // guarded by mutex_
};

}  // namespace analytics
