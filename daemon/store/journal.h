#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/result.h"
#include "common/run/secret.h"
#include "common/text/time.h"
#include "daemon/model/event.h"
#include "daemon/query/events/budget.h"
#include "daemon/query/events/own_columns.h"
#include "daemon/store/counters.h"
#include "daemon/store/shared_registry.h"

/// A journal is a store of a cluster's node. It keeps its events as rows and records every later
/// change to them, so that it can ship events and changes to the cluster. It may forget old days
/// that were shipped long ago: it deletes their rows and leaves them to the cluster alone.
namespace analytics::store {

/// Id of a journal: 16 random bytes, made when the store becomes a journal. A copy of the journal
/// has the same id.
using JournalId = Digest;

/// Time for which a journal keeps data that the cluster has confirmed, to send it again if the
/// cluster's machine fails and loses it. A kernel writes data to disk within half a minute; the
/// journal looks for losses once a minute, or less often while a lot is shipped.
inline constexpr std::chrono::seconds kMayBeUnwritten{300};

/// A block: the events of one month within a range of ids. A cluster stores a block completely or
/// not at all.
struct JournalBlock {
  std::uint64_t number = 0;  ///< Number of the block, from 1, without gaps.
  Days month{};              ///< First day of the month.
  EventId first = 0;  ///< Lowest id of the range, which may also contain events of other months.
  EventId last = 0;
  bool operator==(const JournalBlock&) const = default;
};

/// A range of event ids from `first` to `last`, both included.
struct JournalRange {
  EventId first = 0;
  EventId last = 0;
  bool operator==(const JournalRange&) const = default;
};

/// The highest ids of a site's events and visits that the journal may have forgotten. Rows up to
/// these ids may exist only in the cluster.
struct ForgottenOfSite {
  SiteId site = 0;
  EventId event = 0;
  VisitId visit = 0;
};

/// Reports how much of a journal has been shipped to the cluster.
struct JournalState {
  JournalId id{};
  EventId shipped = 0;                ///< All events up to this id are shipped.
  std::uint64_t changes = 0;          ///< All changes up to this number are shipped.
  std::uint64_t next_block = 1;       ///< Number that the next block gets.
  std::vector<JournalBlock> planned;  ///< Blocks that may have been sent but are not confirmed.
  /// For each site with forgotten rows, their bounds; sorted by site.
  std::vector<ForgottenOfSite> forgotten{};
};

/// The newest event and change of a journal, and its pending removals, at one moment.
struct JournalEnd {
  /// Last event that may be shipped; the stored visits include all events up to it.
  EventId event = 0;
  std::uint64_t change = 0;  ///< Number of the last recorded change.
  SiteId site = 0;           ///< Highest id that any site has had, even if it was deleted.
  EventId oldest = 0;        ///< Lowest id of a stored event; 0 if there are no events.
  /// True if removals are pending: they will remove events or rebuild visits, and no recorded
  /// change says so yet.
  bool is_removing = false;
  std::vector<SiteId> removing{};  ///< Sites with unfinished removals, sorted by id.
};

/// Names of an event's text columns in the tables of a cluster: those of query::kOwnColumns, but
/// with the parts of a Client and a Place in place of these two columns. A visit has only the
/// columns from kFirstVisitText on, with the texts of its first event.
inline constexpr auto kJournalTexts = [] {
  using query::kOwnColumns;
  std::array<std::string_view, kOwnColumns.size() - 2 + kClientParts.size() + kPlaceParts.size()>
      names{};
  auto name = names.begin();
  for (const auto& own : kOwnColumns) {
    if (own.kind == query::ValueKind::kClient) {
      for (const auto& part : kClientParts) *name++ = part.name;
    } else if (own.kind == query::ValueKind::kPlace) {
      for (const auto& part : kPlaceParts) *name++ = part.name;
    } else {
      *name++ = own.name;
    }
  }
  return names;
}();
inline constexpr std::size_t kCurrencyText = query::own_place(query::Column::kCurrency);
inline constexpr std::size_t kFirstVisitText = query::kFirstOfVisit;
static_assert(kJournalTexts[kCurrencyText] == "revenue_currency");
static_assert(kJournalTexts[kFirstVisitText] == "referrer");

/// A site with its current domain.
struct JournalSite {
  SiteId id = 0;
  std::string domain;
  std::optional<UnixSeconds> first_event{};
  /// Approximate time of the site's last event: the latest time among the events stored last.
  std::optional<UnixSeconds> last_event{};
  bool operator==(const JournalSite&) const = default;
};

/// Number of a site's late events of a day. They arrived after the day's salt was destroyed, so
/// that visitors who had come earlier could not be recognised.
struct LateDay {
  SiteId site = 0;
  Days day{};
  std::int64_t events = 0;
};

/// Count and checksum of a site's events or visits, for comparison with the cluster.
struct JournalCount {
  SiteId site = 0;
  std::int64_t month = 0;  ///< Month of the events, as 202611; 0 for visits.
  std::int64_t count = 0;
  /// For events: sum of (id modulo 65521). For visits: sum of pageviews, events and milliseconds.
  std::int64_t sum = 0;
  bool operator==(const JournalCount&) const = default;
};

/// Count and checksums of a group of events or visits with neighbouring ids, for comparison with
/// the cluster.
struct JournalGroup {
  static constexpr std::int64_t kNumbers = 65'536;  ///< Ids per group.

  /// Month of the events, as 202611; 0 for visits. Events of different months are in different
  /// groups.
  std::int64_t month = 0;
  std::int64_t number = 0;  ///< Number of the group: the id of any member divided by kNumbers.
  std::int64_t count = 0;
  std::int64_t sum = 0;      ///< Sum of (id modulo kNumbers).
  std::int64_t squares = 0;  ///< Sum of the squares of (id modulo kNumbers).
  std::int64_t sizes = 0;    ///< For visits: sum of pageviews, events and milliseconds.
  bool operator==(const JournalGroup&) const = default;
};

/// An event in the form in which a journal ships it.
struct JournalEvent {
  SiteId site = 0;
  EventId id = 0;
  UnixMillis time{};
  std::uint64_t visitor = 0;
  /// Visit that the event was stored with, which a JournalMove may change; 0 for no visit.
  VisitId visit = 0;
  std::int64_t import = 0;  ///< Import that the event belongs to; 0 if the event was not imported.
  bool is_passive = false;  ///< True if the event was sent as not interactive.
  Engagement engagement;
  /// Revenue in millionths of the currency's unit; meaningful only if the event has a currency.
  std::int64_t revenue_micros = 0;
  /// Bytes of the hash of the event's idempotency key; empty if the event has no key.
  std::string_view key_hash;
  /// Texts of the event, in the order of kJournalTexts.
  std::array<std::string_view, kJournalTexts.size()> texts;
};

/// A visit in the form in which a journal ships it.
struct JournalVisit {
  SiteId site = 0;
  VisitId id = 0;
  /// UTC day of the event that created the visit. This day, the site and `id` identify the visit.
  Days born{};
  std::uint64_t version = 0;  ///< A later state of the same visit has a greater version.
  bool is_gone = false;  ///< True if the visit no longer exists; all members below are then empty.
  UnixMillis started{};
  UnixMillis ended{};
  std::uint64_t visitor = 0;  ///< Visitor of the visit's first event.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;
  bool is_interactive = false;
  bool is_named = false;  ///< True if an import named the visit.
  std::string_view entry_page, entry_hostname, exit_page, exit_hostname;
  /// Texts of the visit's first event, in the order of kJournalTexts from kFirstVisitText on.
  std::array<std::string_view, kJournalTexts.size() - kFirstVisitText> texts;
};

/// A change of visit: events now belong to a visit other than the one they were stored with.
struct JournalMove {
  SiteId site = 0;
  VisitId visit = 0;  ///< Visit whose events all move; 0 if only `event` moves.
  EventId event = 0;
  VisitId winner = 0;  ///< Visit to which the moved events now belong; 0 for no visit.
  std::uint64_t version = 0;
};

/// Events of a site, with ids from `first` to `last`, that were removed.
struct JournalRemoval {
  SiteId site = 0;
  EventId first = 0;  ///< Lowest id; 0 for all events up to `last`, because the site was deleted.
  EventId last = 0;
};

/// A site whose events before `until` have expired.
struct JournalExpiry {
  SiteId site = 0;
  UnixSeconds until{};
  bool operator==(const JournalExpiry&) const = default;
};

/// A visit in a cluster, identified by its node and by its id on that node.
struct NodeVisit {
  std::uint32_t node = 0;
  std::uint64_t visit = 0;
  bool operator==(const NodeVisit&) const = default;
};

/// Rows of a site that a journal is about to forget, that is, to delete because the cluster has
/// them.
struct LeavingRows {
  struct Visit {
    VisitId id = 0;
    std::int64_t size = 0;  ///< Sum of the visit's pageviews, events and milliseconds.
  };
  SiteId site = 0;
  Days first_day{};  ///< First of the UTC days whose rows are forgotten.
  Days last_day{};
  std::vector<EventId> events{};  ///< Ids of the events, sorted. `visits` are also sorted by id.
  /// Earliest and latest JournalVisit::born of `visits`.
  Days first_born = Days::max();
  Days last_born = Days::min();
  std::vector<Visit> visits{};
};

/// Checks that the cluster has all of these rows. If the function returns an error, whose message
/// gives the reason, the journal keeps the rows. Runs on a thread of the store, which cancels it
/// through the budget.
using Witness = std::function<Status(const LeavingRows&, query::Budget&)>;

/// A removal of events that all nodes of a cluster carry out. It also covers events that only the
/// cluster still has.
struct ClusterRemoval {
  std::int64_t id = 0;
  SharedRemoval removal;
  /// Newest event that this store had forgotten when the removal arrived: the cluster may still
  /// have selected events up to this id. 0 if there are no such events.
  EventId forgotten = 0;
  /// True while this store is still deleting forgotten rows of the site.
  bool is_leaving = false;
  /// Departed nodes whose selected events were all removed.
  std::vector<std::uint32_t> nodes{};
  std::vector<NodeVisit> damaged{};  ///< Visits that may have lost events and must be rebuilt.
};

/// Recorded changes to stored events and visits.
struct JournalChanges {
  std::uint64_t last = 0;  ///< Number of the last change included.
  bool is_all = true;      ///< False if more changes follow.
  std::vector<JournalVisit> visits;
  std::vector<JournalMove> moves;
  std::vector<JournalRemoval> removals;
};

/// Reads the events and changes that a journal must ship. Used by a single thread, with its own
/// connection. String views in a result are valid until the next call.
class JournalReader {
 public:
  virtual ~JournalReader() = default;
  /// Returns how much has been shipped. Errors: kInternal if the store is not a journal.
  virtual Result<JournalState> state() = 0;
  /// Returns the newest event and change that are stored now, and the pending removals.
  virtual Result<JournalEnd> end() = 0;
  /// Limits of a single each_event().
  struct Bounds {
    std::size_t events = 65'536;
    std::size_t bytes = 16'777'216;  ///< Approximate total size of the texts.
  };
  /// Calls `take` with the events whose ids are above `after`, in order, up to the id `upto` or
  /// until a bound is reached. Returns the id up to which events were read.
  using Take = std::function<void(const JournalEvent&)>;
  virtual Result<EventId> each_event(EventId after, EventId upto, const Bounds& bounds,
                                     const Take& take) = 0;
  /// Returns some of the changes whose numbers are above `after`. Each changed visit is included
  /// once, in its current state.
  virtual Result<JournalChanges> changes(std::uint64_t after) = 0;
  /// Returns the current state of all visits that have events with ids from `first` to `last`.
  virtual Result<std::vector<JournalVisit>> visits_of(EventId first, EventId last) = 0;
  /// Returns those of the given visits that the journal still stores, in the given order.
  virtual Result<std::vector<VisitId>> stored_among(std::span<const VisitId> visits) = 0;
  /// Returns the current state of the visits with ids from `first` to `last`.
  virtual Result<std::vector<JournalVisit>> visits_between(VisitId first, VisitId last) = 0;
  /// Returns an entry for each visit that was merged into another, with the visit that contains it
  /// now.
  virtual Result<std::vector<JournalMove>> merges() = 0;
  /// Returns all sites, in order of their ids.
  virtual Result<std::vector<JournalSite>> sites() = 0;
  /// Returns, for each site with a retention, the time before which its events have expired.
  virtual Result<std::vector<JournalExpiry>> expired(UnixSeconds now) = 0;
  /// Returns the numbers of dropped events for all hours from `from` on; site 0 stands for unknown
  /// sites.
  virtual Result<std::vector<OutcomeCount>> drops(UnixSeconds from) = 0;
  /// Returns all days for which events arrived after the day's first salt was destroyed, with the
  /// number of late events, which may be 0 because the import with these events was undone.
  virtual Result<std::vector<LateDay>> late_days() = 0;
  // The next four functions skip rows that the journal may have forgotten. They may take seconds.
  /// Counts the events with ids up to `upto`, by site and month.
  virtual Result<std::vector<JournalCount>> count_events(EventId upto) = 0;
  /// Counts the visits that ended before `before`, by site.
  virtual Result<std::vector<JournalCount>> count_visits(UnixSeconds before) = 0;
  /// Return a count and checksums for each group of the events with ids up to `upto`, or of the
  /// visits that ended before `before`.
  virtual Result<std::vector<JournalGroup>> group_events(EventId upto) = 0;
  virtual Result<std::vector<JournalGroup>> group_visits(UnixSeconds before) = 0;
  /// Returns the removals that may be unfinished on some node, the oldest first.
  virtual Result<std::vector<ClusterRemoval>> cluster_removals() = 0;
  /// Returns the blocks that the cluster has confirmed and that forget_before() has not deleted,
  /// in order.
  virtual Result<std::vector<JournalBlock>> confirmed() = 0;
  /// Returns the event ids of the blocks that were confirmed within kMayBeUnwritten before the
  /// last confirmation, in order.
  virtual Result<std::vector<JournalRange>> recently_confirmed() = 0;
};

/// Records how much of a store has been shipped to a cluster. Used only on the writer thread. All
/// functions can fail with kOverloaded or kInternal.
class Journal {
 public:
  virtual ~Journal() = default;
  /// Returns true if begin() has made the store a journal, in this process or before.
  [[nodiscard]] virtual bool has_begun() const = 0;
  /// Turns the store into a journal, which keeps events only as rows. Errors: kInvalidParameter if
  /// some events are no longer rows.
  virtual Status begin() = 0;
  /// Ends the journal: the store no longer belongs to a cluster. Events and changes that are not
  /// yet shipped never will be.
  virtual Status leave() = 0;
  /// Records blocks that are about to be sent, synced to disk.
  virtual Status plan(std::span<const JournalBlock> blocks) = 0;
  /// Records that the cluster has confirmed all planned blocks, and with them all events up to
  /// `last`.
  virtual Status confirm(EventId last, UnixSeconds now) = 0;
  /// Records that the cluster has confirmed the changes up to the number `last`. Deletes changes
  /// that were confirmed at least kMayBeUnwritten before the previous call.
  virtual Status confirm_changes(std::uint64_t last, UnixSeconds now) = 0;
  /// Records that the cluster has lost these confirmed blocks, and gives them new numbers, under
  /// which they are sent again. Keeps their events for at least another week. Visits that are read
  /// after this call have greater versions than before.
  virtual Status renew(std::span<const JournalBlock> lost, UnixSeconds now) = 0;
  /// Records that these visits are about to lose events to a ClusterRemoval and must then be
  /// rebuilt.
  virtual Status note_damaged(std::int64_t removal, std::span<const NodeVisit> visits) = 0;
  /// Records that all damaged visits of the removal have been rebuilt.
  virtual Status note_rebuilt(std::int64_t removal) = 0;
  /// Records that a ClusterRemoval is complete for the events that the departed `nodes` had
  /// shipped.
  virtual Status note_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes) = 0;
  /// Records that a ClusterRemoval is complete for the events that this node had forgotten.
  virtual Status note_done_here(std::int64_t removal) = 0;
  /// Deletes the record of a ClusterRemoval that is complete on every node.
  virtual Status finish_removal(std::int64_t removal) = 0;
  /// Allows the journal to forget days older than StoreLimits::journal_keep, if `witness` finds
  /// all of their rows in the cluster.
  virtual void set_witness(Witness witness) = 0;
  /// Deletes the records of blocks that were confirmed before `time`. Their events stay, but may
  /// be forgotten from now on.
  virtual Status forget_before(UnixSeconds time) = 0;
};

}  // namespace analytics::store
