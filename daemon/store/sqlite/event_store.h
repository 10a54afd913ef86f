#pragma once

#include <map>

#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/columns/part_making.h"
#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/reading_pins.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/removal/event_removal.h"
#include "daemon/store/sqlite/removal/expiry.h"
#include "daemon/store/sqlite/removal/removal_waiters.h"
#include "daemon/store/sqlite/removal/site_purge.h"
#include "daemon/store/sqlite/removal/text_sweep.h"
#include "daemon/store/sqlite/tables/dictionary.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/event_table.h"
#include "daemon/store/sqlite/tables/first_events.h"
#include "daemon/store/sqlite/tables/idempotency_keys.h"
#include "daemon/store/sqlite/tables/import_ledger.h"
#include "daemon/store/sqlite/tables/late_events.h"
#include "daemon/store/sqlite/tables/row_sweep.h"
#include "daemon/store/sqlite/tables/string_table.h"
#include "daemon/store/sqlite/tables/totals_table.h"
#include "daemon/store/sqlite/tables/visit_table.h"
#include "daemon/store/sqlite/totals/totals_making.h"
#include "daemon/visits/visits.h"
#include "daemon/visits/waiting_engagements.h"

namespace analytics::sqlite {

class SqliteEventStore final : public store::EventStore {
 public:
  /// `connection` must outlive this object.
  explicit SqliteEventStore(Connection& connection, const store::StoreLimits& limits = {},
                            std::size_t max_open_visits = Visits::kMaxOpen);

  Status append(std::span<const Event* const> events, std::span<EventOutcome> outcomes,
                UnixSeconds now, const store::Admit& admit) override;
  Result<EventOutcome> judge(const Event& event, UnixSeconds now,
                             const store::Admit& admit) override;
  Result<store::BulkResult> append_bulk(const store::BulkRequest& request,
                                        UnixSeconds now) override;
  Result<store::RangeState> append_totals(const store::TotalsRequest& request,
                                          UnixSeconds now) override;
  std::vector<store::ReplacedTexts> take_replaced_texts() override {
    return dictionary_.take_replaced();
  }
  Status publish() override;  ///< Writes the rows of visits that changed.
  Result<bool> after_batch() override;
  Status finish() override;
  Status probe(UnixSeconds now) override;

  /// Sets the limits for texts that arrive and days that are sealed after this call.
  void set_limits(const store::StoreLimits& limits) {
    dictionary_.set_limits(limits);
    making_.set_limits(limits);
    expiry_.set_default(limits.default_keep);
  }

  Status remove(const EventSelection& what, UnixSeconds now, Removed done) override;
  void stop_waiting() override;

  // Slices of housekeeping. They return true while there is more to do.
  /// Forgets visitors of days whose salts are gone.
  Result<bool> expire_visitors_slice(UnixSeconds now);
  /// Removes rows of deleted sites, then gives free pages back to the file system.
  Result<bool> purge_slice();
  /// Begins to remove events that are older than their site's retention.
  Result<bool> expiry_slice(UnixSeconds now);
  /// Makes daily totals of events that expire; removes totals that no longer count.
  Result<bool> totals_slice(UnixSeconds now);
  /// Removes selected events and the events of deleted imports, rebuilds visits that lose events,
  /// and removes texts that are no longer used.
  Result<bool> removal_slice();
  /// Empties the log if it contains copies of deleted data or of a destroyed salt, and then answers
  /// the callers of remove() that wait for this. Returns true while readers are in the way.
  Result<bool> truncate_if_due();
  /// Makes columns of days that have not changed for a while; removes the rows that they replace.
  /// Returns true while there is more to do.
  Result<bool> parts_slice(UnixSeconds now);
  /// Makes all the columns that can be made now. Returns how many events are still rows.
  Result<std::int64_t> compact(UnixSeconds now);
  // See Backend:
  Status finish_removals();
  Status shed(EventId last, UnixSeconds now);
  [[nodiscard]] std::vector<std::string> take_news() { return making_.take_news(); }
  /// Any thread.
  [[nodiscard]] store::ColumnCounts columns() const { return part_table_.counts(); }
  /// Any thread.
  [[nodiscard]] std::size_t visits_bytes() const { return visits_.bytes() + waiting_.bytes(); }
  /// Returns the pins that keep events in place while readers read page by page.
  [[nodiscard]] ReadingPins& pins() { return pins_; }
  /// Returns the log of changes that the journal uses.
  [[nodiscard]] ChangeLog& changes() { return changes_; }
  /// Returns true while a worker is making parts.
  [[nodiscard]] bool is_making_parts() const { return making_.is_under_way(); }
  [[nodiscard]] bool is_making_totals() const { return totals_making_.is_under_way(); }
  /// If a worker is making parts, waits until it needs parts_slice(), and returns true.
  bool wait_for_parts() const {
    if (!is_making_parts()) return false;
    making_.wait();
    return true;
  }
  /// If a worker is making totals, waits until it needs totals_slice(), and returns true.
  bool wait_for_totals() const {
    if (!is_making_totals()) return false;
    totals_making_.wait();
    return true;
  }
  /// Forgets expired idempotency keys of events and of bulk requests.
  Result<bool> expire_keys_slice(UnixSeconds now);

 private:
  using Claims = std::map<SiteId, ImportLedger::Claim>;

  /// Runs a change in a transaction and commits it. If it fails, undoes it in memory and on disk.
  template <typename Change>
  auto in_commit(Change change) -> Result<decltype(change())>;
  /// Like in_commit(), for a slice of housekeeping. Also keeps the log short.
  template <typename Change>
  auto in_slice(Change change) -> Result<decltype(change())>;
  /// Collects data that is written once, at the end of a transaction.
  struct Batch {
    BatchSites sites;
    BatchDays days;
    void write() {
      sites.write();
      days.write();
    }
  };
  bool lacks_visit(const Event& event);
  EventOutcome store(const Event& event, Batch& batch, UnixSeconds now, const store::Admit& admit);
  [[nodiscard]] EventOutcome put(const Event& event, Batch& batch, UnixSeconds now);
  void store_waiting(const Event& event, Batch& batch, UnixSeconds now);
  void store_bulk(const store::BulkRequest& request, store::BulkResult& result, Batch& batch,
                  UnixSeconds now);
  void write_visits(bool all);
  void commit(Transaction& transaction);
  void roll_back();
  void shorten_log();
  Result<bool> vacuum_slice();
  Result<bool> sweep_rows_slice();
  bool has_much_free();
  bool begin_rewrite(const EventRemoval::Rewrite& rewrite);

  Connection& connection_;
  EventTable event_table_;
  PartTable part_table_;
  ChangeLog changes_;
  VisitTable visit_table_;
  StringTable strings_;
  FirstEvents first_events_;
  LateEvents late_events_;
  Dictionary dictionary_;
  IdempotencyKeys keys_;
  ImportLedger ledger_;
  Visits visits_;
  WaitingEngagements waiting_;
  EventHours hours_;
  RowSweep row_sweep_;
  TotalsTable totals_;
  EventRemoval removal_;
  TotalsMaking totals_making_;
  Expiry expiry_;
  TextSweep sweep_;
  SitePurge purge_;
  PartMaking making_;
  ReadingPins pins_;
  RemovalWaiters waiters_;
  const std::chrono::seconds between_truncations_;
  std::optional<std::chrono::steady_clock::time_point> truncated_at_;
  std::chrono::steady_clock::time_point rewrite_at_{};  ///< When to retry a refused rewrite.
  bool vacuuming_ = true;  ///< True if there may be free pages, at first of an earlier run.
};

template <typename Change>
auto SqliteEventStore::in_commit(Change change) -> Result<decltype(change())> {
  return guarded([&] {
    try {
      Transaction transaction(connection_);
      return call_then(change, [&] { commit(transaction); });
    } catch (...) {
      roll_back();
      throw;
    }
  });
}

template <typename Change>
auto SqliteEventStore::in_slice(Change change) -> Result<decltype(change())> {
  auto done = in_commit(std::move(change));
  if (!done) return done;
  if (auto shortened = guarded([this] { shorten_log(); }); !shortened) {
    return fail(shortened.error());
  }
  return done;
}

}  // namespace analytics::sqlite
