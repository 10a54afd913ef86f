#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/store/journal_rows.h"
#include "daemon/store/outcome_counts.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/journal/journal_texts.h"

namespace analytics::sqlite {

/// Reads the events and changes that a journal must ship. Used by a single thread, with its own
/// connection. String views in a result are valid until the next call.
class JournalReader {
 public:
  /// Opens its own connection to the database. Throws SqliteError.
  explicit JournalReader(const std::filesystem::path& file);

  /// Returns true if the database is a journal. Throws SqliteError.
  [[nodiscard]] bool is_journal();
  /// Returns how much has been shipped. Errors: kInternal if the store is not a journal.
  Result<store::JournalState> state();
  /// Returns the newest event and change that are stored now, and the pending removals.
  Result<store::JournalEnd> end();
  /// Limits of a single each_event().
  struct Bounds {
    std::size_t events = 65'536;
    std::size_t bytes = 16'777'216;  ///< Approximate total size of the texts.
  };
  /// Calls `take` with the events whose ids are above `after`, in order, up to the id `upto` or
  /// until a bound is reached. Returns the id up to which events were read.
  using Take = std::function<void(const store::JournalEvent&)>;
  Result<EventId> each_event(EventId after, EventId upto, const Bounds& bounds, const Take& take);
  /// Returns some of the changes whose numbers are above `after`. Each changed visit is included
  /// once, in its current state.
  Result<store::JournalChanges> changes(std::uint64_t after);
  /// Returns the current state of all visits that have events with ids from `first` to `last`.
  Result<std::vector<store::JournalVisit>> visits_of(EventId first, EventId last);
  /// Returns those of the given visits that the journal still stores, in the given order.
  Result<std::vector<VisitId>> stored_among(std::span<const VisitId> visits);
  /// Returns the current state of the visits with ids from `first` to `last`.
  Result<std::vector<store::JournalVisit>> visits_between(VisitId first, VisitId last);
  /// Returns an entry for each visit that was merged into another, with the visit that contains it
  /// now.
  Result<std::vector<store::JournalMove>> merges();
  /// Returns all sites, in order of their ids.
  Result<std::vector<store::JournalSite>> sites();
  /// Returns, for each site with a retention, the time before which its events have expired.
  Result<std::vector<store::JournalExpiry>> expired(UnixSeconds now);
  /// Returns the numbers of dropped events for all hours from `from` on; site 0 stands for unknown
  /// sites.
  Result<std::vector<store::OutcomeCount>> drops(UnixSeconds from);
  /// Returns all days for which events arrived after the day's first salt was destroyed, with the
  /// number of late events, which may be 0 because the import with these events was undone.
  Result<std::vector<store::LateDay>> late_days();
  // The next four functions skip rows that the journal may have forgotten. They may take seconds.
  /// Counts the events with ids up to `upto`, by site and month.
  Result<std::vector<store::JournalCount>> count_events(EventId upto);
  /// Counts the visits that ended before `before`, by site.
  Result<std::vector<store::JournalCount>> count_visits(UnixSeconds before);
  /// Return a count and checksums for each group of the events with ids up to `upto`, or of the
  /// visits that ended before `before`.
  Result<std::vector<store::JournalGroup>> group_events(EventId upto);
  Result<std::vector<store::JournalGroup>> group_visits(UnixSeconds before);
  /// Returns the removals that may be unfinished on some node, the oldest first.
  Result<std::vector<store::ClusterRemoval>> cluster_removals();
  /// Returns the blocks that the cluster has confirmed and that forget_before() has not deleted,
  /// in order.
  Result<std::vector<store::JournalBlock>> confirmed();
  /// Returns the event ids of the blocks that were confirmed within kMayBeUnwritten before the
  /// last confirmation, in order.
  Result<std::vector<store::JournalRange>> recently_confirmed();

 private:
  [[nodiscard]] std::vector<store::JournalBlock> blocks(const char* condition);
  [[nodiscard]] std::vector<store::JournalVisit> read_visits(Statement& select, std::int64_t first,
                                                             std::int64_t last);
  void add_visit(VisitId id, std::uint64_t version, std::vector<store::JournalVisit>& to);
  [[nodiscard]] bool has_events_between(SiteId site, EventId after, EventId before);
  void add_change(const Rows& row, store::JournalChanges& changes, std::set<VisitId>& visits);

  Connection connection_;
  JournalTexts texts_;
  Statement events_;
  Statement visit_;
  Statement between_;
  /// Newest event whose row this node has deleted because the cluster has it, as of the last
  /// changes().
  EventId forgotten_event_ = 0;
};

/// Opens the journal of a store for reading. Errors: kInvalidParameter if the store is not a
/// journal; kOverloaded (busy or full), kInternal. Throws store::StoreUnusable if the file is
/// damaged, is not a store or was written by a newer version.
[[nodiscard]] Result<std::unique_ptr<JournalReader>> open_journal(
    const std::filesystem::path& database);

}  // namespace analytics::sqlite
