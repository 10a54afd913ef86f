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

namespace analytics::sqlite {

/// Stores events and visits in a SQLite file, and runs the housekeeping of their tables in slices.
/// Used on the writer thread, except where noted.
class SqliteEventStore final : public store::EventStore {
 public:
  /// `max_open_visits`: maximum number of visits to keep in memory. `connection` must outlive this
  /// object.
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
  Status publish() override;  ///< Writes the rows of all changed visits.
  Result<bool> after_batch() override;
  Status finish() override;
  Status probe(UnixSeconds now) override;

  /// Sets the limits on new texts and on parts, and the default retention, from now on.
  void set_limits(const store::StoreLimits& limits) {
    dictionary_.set_limits(limits);
    making_.set_limits(limits);
    expiry_.set_default(limits.default_keep);
  }

  Status remove(const EventSelection& what, UnixSeconds now, Removed done) override;
  void stop_waiting() override;

  // Each of the next five functions runs a slice of housekeeping, and returns true while there is
  // more to do.

  /// Deletes rows of the index that finds visits by visitor, for days that no longer have a salt.
  /// Also forgets engagements that have waited too long for their visit.
  Result<bool> expire_visitors_slice(UnixSeconds now);
  /// Removes rows of deleted sites. If there are none, gives free pages of the database file back
  /// to the file system.
  Result<bool> purge_slice();
  /// Begins to remove events that are older than their site's retention.
  Result<bool> expiry_slice(UnixSeconds now);
  /// Makes daily totals of events that are about to expire, and removes totals that no longer
  /// count.
  Result<bool> totals_slice(UnixSeconds now);
  /// Removes selected events and the events of deleted imports, rebuilds visits that lose events,
  /// and removes texts that are no longer used.
  Result<bool> removal_slice();
  /// Truncates the write-ahead log if it contains copies of deleted data or of a destroyed salt.
  /// Then answers the callers of remove() that have waited for this. Returns true while open
  /// readers prevent the truncation.
  Result<bool> truncate_if_due();
  /// Makes parts of days that have not changed for a while, and removes the rows that sealed parts
  /// replace. Returns true while there is more to do.
  Result<bool> parts_slice(UnixSeconds now);
  /// Makes all parts that can be made now. Returns the number of events that are still rows.
  Result<std::int64_t> compact(UnixSeconds now);
  // See Backend for the next two functions.
  Status finish_removals();
  Status shed(EventId last, UnixSeconds now);
  /// Returns, for each sealing since the last call, a line for the daemon's log.
  [[nodiscard]] std::vector<std::string> take_news() { return making_.take_news(); }
  /// Returns the numbers of parts and of their events, as of the last commit. Any thread.
  [[nodiscard]] store::ColumnCounts columns() const { return part_table_.counts(); }
  /// Returns the approximate memory of visits and engagements, in bytes. Any thread.
  [[nodiscard]] std::size_t visits_bytes() const { return visits_.bytes(); }
  /// Returns the pins. A reader that returns its results in several pages owns one, so that events
  /// do not move from rows to parts meanwhile.
  [[nodiscard]] ReadingPins& pins() { return pins_; }
  /// Returns the record of changes to events and visits, which a cluster's node ships to the
  /// cluster.
  [[nodiscard]] ChangeLog& changes() { return changes_; }
  /// Returns true while a worker is making parts.
  [[nodiscard]] bool is_making_parts() const { return making_.is_under_way(); }
  [[nodiscard]] bool is_making_totals() const { return totals_making_.is_under_way(); }
  /// Waits until the worker that makes parts needs parts_slice(). Returns false if no parts are
  /// being made.
  bool wait_for_parts() const {
    if (!is_making_parts()) return false;
    making_.wait();
    return true;
  }
  /// Waits until the worker that makes daily totals needs totals_slice(). Returns false if no
  /// totals are being made.
  bool wait_for_totals() const {
    if (!is_making_totals()) return false;
    totals_making_.wait();
    return true;
  }
  /// Deletes expired idempotency keys of events and of bulk requests. Returns true while there is
  /// more to do.
  Result<bool> expire_keys_slice(UnixSeconds now);

 private:
  using Claims = std::map<SiteId, ImportLedger::Claim>;

  /// Runs `change` in a transaction and commits it. If the change fails, undoes it in memory and
  /// on disk.
  template <typename Change>
  auto in_commit(Change change) -> Result<decltype(change())>;
  /// Like in_commit(), for a slice of housekeeping. Also keeps the write-ahead log short.
  template <typename Change>
  auto in_slice(Change change) -> Result<decltype(change())>;
  /// Collects the sites and days of a transaction's events, and stores them once, when the
  /// transaction ends.
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
  [[nodiscard]] EventOutcome put(const Event& event, const Event& sent_by, Batch& batch,
                                 UnixSeconds now);
  void store_waiting(const Event& event, Batch& batch, UnixSeconds now, const store::Admit& admit);
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
  /// Earliest time at which the next rewrite of a sealed part may begin.
  std::chrono::steady_clock::time_point rewrite_at_{};
  /// True if the database file may have free pages to give back to the file system. True at first,
  /// because an earlier run may have left some.
  bool vacuuming_ = true;
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
  const auto shorten = [this] { shorten_log(); };
  TRY(guarded(shorten));
  return done;
}

}  // namespace analytics::sqlite
