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

/// A journal is a store that keeps its events as rows and records every later change to them, so
/// that events and changes can be shipped to a cluster. It may forget old days that were shipped
/// long ago.
namespace analytics::store {

/// Id of a journal: 16 random bytes, made when the store becomes a journal. A copy of the journal
/// has the same id.
using JournalId = Digest;

/// How long a journal keeps data that the cluster has confirmed, to send it again if the cluster's
/// machine fails and loses it. A kernel writes data to disk within half a minute; the journal looks
/// for losses once a minute, or less often while a lot is shipped.
inline constexpr std::chrono::seconds kMayBeUnwritten{300};

/// The events of a month within a range of ids. A cluster stores a block completely or not at all.
struct JournalBlock {
  std::uint64_t number = 0;  ///< Counted from 1, without gaps.
  Days month{};              ///< First day of the month.
  EventId first = 0;         ///< Lowest id. The range may also contain events of other months.
  EventId last = 0;
  bool operator==(const JournalBlock&) const = default;
};

/// Events with ids from `first` to `last`, both included.
struct JournalRange {
  EventId first = 0;
  EventId last = 0;
  bool operator==(const JournalRange&) const = default;
};

/// Events and visits of the site up to these ids may exist only in the cluster.
struct ForgottenOfSite {
  SiteId site = 0;
  EventId event = 0;
  VisitId visit = 0;
};

/// How much of a journal has been shipped.
struct JournalState {
  JournalId id{};
  EventId shipped = 0;        ///< All events up to this id are shipped.
  std::uint64_t changes = 0;  ///< All changes up to this number are shipped.
  std::uint64_t next_block = 1;
  std::vector<JournalBlock> planned;         ///< Unconfirmed blocks that may have been sent.
  std::vector<ForgottenOfSite> forgotten{};  ///< Forgotten rows, sorted by site.
};

/// The end of a journal at one moment.
struct JournalEnd {
  EventId event = 0;  ///< Rows of visits contain all events up to this id.
  std::uint64_t change = 0;
  SiteId site = 0;     ///< Highest id that any site has had.
  EventId oldest = 0;  ///< Lowest id of a stored event; 0: there are no events.
  /// True if events will be removed, or visits rebuilt, and no recorded change says so yet.
  bool is_removing = false;
  std::vector<SiteId> removing{};  ///< Sites with unfinished removals, sorted by id.
};

/// Names of an event's texts in the tables of a cluster: those of query::kOwnColumns, with the
/// parts of a Client and a Place. A visit has its first event's texts from kFirstVisitText on.
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
  std::optional<UnixSeconds> last_event{};  ///< Latest time among the events stored last.
  bool operator==(const JournalSite&) const = default;
};

/// Number of events of a day that arrived after its earlier visitors could no longer be recognised.
struct LateDay {
  SiteId site = 0;
  Days day{};
  std::int64_t events = 0;
};

/// Count and checksum of a site's events or visits, for comparison with the cluster.
struct JournalCount {
  SiteId site = 0;
  std::int64_t month = 0;  ///< Month as 202611; 0 for visits.
  std::int64_t count = 0;
  /// Events: sum of their ids modulo 65521. Visits: sum of pageviews, events and milliseconds.
  std::int64_t sum = 0;
  bool operator==(const JournalCount&) const = default;
};

/// Count and checksums of events or visits with neighbouring ids, for comparison with the cluster.
struct JournalGroup {
  static constexpr std::int64_t kNumbers = 65'536;  ///< Ids per group.

  /// Month of the events, as 202611; 0 for visits. Each month has its own groups.
  std::int64_t month = 0;
  std::int64_t number = 0;  ///< Id of any member divided by kNumbers.
  std::int64_t count = 0;
  std::int64_t sum = 0;      ///< Sum of the remainders of that division.
  std::int64_t squares = 0;  ///< Sum of the squared remainders.
  std::int64_t sizes = 0;    ///< For visits: sum of pageviews, events and milliseconds.
  bool operator==(const JournalGroup&) const = default;
};

struct JournalEvent {
  SiteId site = 0;
  EventId id = 0;
  UnixMillis time{};
  std::uint64_t visitor = 0;
  VisitId visit = 0;        ///< Visit that the event was stored with: see JournalMove; 0: no visit.
  std::int64_t import = 0;  ///< Import of the event; 0: not imported.
  bool is_passive = false;  ///< True if the event was sent as not interactive.
  Engagement engagement;
  std::int64_t revenue_micros = 0;  ///< Meaningful only with a currency.
  std::string_view key_hash;        ///< Hash of its idempotency key, as bytes; empty without a key.
  std::array<std::string_view, kJournalTexts.size()> texts;
};

struct JournalVisit {
  SiteId site = 0;
  VisitId id = 0;
  Days born{};  ///< UTC day of the event that created it. Identifies it, with site and id.
  std::uint64_t version = 0;  ///< A later state of the same visit has a greater version.
  bool is_gone = false;       ///< True if the visit no longer exists: all members below are empty.
  UnixMillis started{};
  UnixMillis ended{};
  std::uint64_t visitor = 0;  ///< Visitor of the first event.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;
  bool is_interactive = false;
  bool is_named = false;
  std::string_view entry_page, entry_hostname, exit_page, exit_hostname;
  std::array<std::string_view, kJournalTexts.size() - kFirstVisitText> texts;
};

/// Moves events to a visit other than the one they were stored with.
struct JournalMove {
  SiteId site = 0;
  VisitId visit = 0;  ///< All events of this visit move; 0: only `event` moves.
  EventId event = 0;
  VisitId winner = 0;  ///< Visit that the moved events belong to now; 0: no visit.
  std::uint64_t version = 0;
};

/// Removed events of a site with ids from `first` to `last`.
struct JournalRemoval {
  SiteId site = 0;
  EventId first = 0;  ///< 0: all events of the site, because it was deleted.
  EventId last = 0;
};

/// A site whose events before `until` have expired.
struct JournalExpiry {
  SiteId site = 0;
  UnixSeconds until{};
  bool operator==(const JournalExpiry&) const = default;
};

/// A visit of a cluster, identified by its node and its id there.
struct NodeVisit {
  std::uint32_t node = 0;
  std::uint64_t visit = 0;
  bool operator==(const NodeVisit&) const = default;
};

/// Rows of a site that a journal is about to forget, that is, to leave to the cluster alone.
struct LeavingRows {
  struct Visit {
    VisitId id = 0;
    std::int64_t size = 0;  ///< Sum of its pageviews, events and milliseconds.
  };
  SiteId site = 0;
  Days first_day{};  ///< UTC day of the earliest event.
  Days last_day{};
  std::vector<EventId> events{};  ///< Ids of the events, sorted. `visits` are sorted, too.
  Days first_born = Days::max();
  Days last_born = Days::min();
  std::vector<Visit> visits{};
};

/// Checks that the cluster has all of these rows. If it returns an error, whose message gives the
/// reason, the journal keeps them. Runs on a thread of the store, which cancels it through the
/// budget.
using Witness = std::function<Status(const LeavingRows&, query::Budget&)>;

/// A removal that all nodes carry out. It also covers events that only the cluster still has.
struct ClusterRemoval {
  std::int64_t id = 0;
  SharedRemoval removal;
  /// The cluster may still have selected events up to this id that this store had forgotten before
  /// the removal arrived; 0: no such events.
  EventId forgotten = 0;
  bool is_leaving = false;  ///< True while forgotten rows of the site are still being deleted here.
  /// Nodes that have left the cluster and whose selected events are all removed.
  std::vector<std::uint32_t> nodes{};
  std::vector<NodeVisit> damaged{};  ///< Visits that may have lost events and must be rebuilt.
};

/// Changes to stored events and visits.
struct JournalChanges {
  std::uint64_t last = 0;  ///< Number of the last change.
  bool is_all = true;      ///< False if there are more changes.
  std::vector<JournalVisit> visits;
  std::vector<JournalMove> moves;
  std::vector<JournalRemoval> removals;
};

/// Reads the events and changes that a journal must ship. Used by a single thread, with its own
/// connection. Views of texts are valid until the next call.
class JournalReader {
 public:
  virtual ~JournalReader() = default;
  virtual Result<JournalState> state() = 0;
  virtual Result<JournalEnd> end() = 0;
  struct Bounds {
    std::size_t events = 65'536;
    std::size_t bytes = 16'777'216;  ///< Approximate bound of the size of the texts.
  };
  /// Calls `take` with the events after `after`, in order, until it reaches `upto` or a bound.
  /// Returns the id that it has reached.
  using Take = std::function<void(const JournalEvent&)>;
  virtual Result<EventId> each_event(EventId after, EventId upto, const Bounds& bounds,
                                     const Take& take) = 0;
  /// Returns some of the changes after `after`. Visits have their current state.
  virtual Result<JournalChanges> changes(std::uint64_t after) = 0;
  /// Returns the current state of all visits with events in a range.
  virtual Result<std::vector<JournalVisit>> visits_of(EventId first, EventId last) = 0;
  /// Returns those of the given visits that the journal has, in order.
  virtual Result<std::vector<VisitId>> stored_among(std::span<const VisitId> visits) = 0;
  /// Returns the current state of the visits with ids from `first` to `last`.
  virtual Result<std::vector<JournalVisit>> visits_between(VisitId first, VisitId last) = 0;
  /// Returns, for each visit that was merged into another, the visit that contains it now.
  virtual Result<std::vector<JournalMove>> merges() = 0;
  /// Returns all sites, in order of their ids.
  virtual Result<std::vector<JournalSite>> sites() = 0;
  /// Returns for each site with a retention the time before which its events have expired.
  virtual Result<std::vector<JournalExpiry>> expired(UnixSeconds now) = 0;
  /// Returns the drops counted from an hour on; site 0 stands for unknown sites. Earlier hours no
  /// longer change.
  virtual Result<std::vector<OutcomeCount>> drops(UnixSeconds from) = 0;
  /// Returns all days that had events after their first salt was destroyed, with the number of
  /// their late events, which may be 0.
  virtual Result<std::vector<LateDay>> late_days() = 0;
  // The next four functions skip rows that the journal may have forgotten. They can take seconds.
  /// Counts the events up to an id, by site and month.
  virtual Result<std::vector<JournalCount>> count_events(EventId upto) = 0;
  /// Counts the visits that ended before a time, by site.
  virtual Result<std::vector<JournalCount>> count_visits(UnixSeconds before) = 0;
  /// Returns a count and a checksum for each group of the events up to an id, or of the visits that
  /// ended before a time.
  virtual Result<std::vector<JournalGroup>> group_events(EventId upto) = 0;
  virtual Result<std::vector<JournalGroup>> group_visits(UnixSeconds before) = 0;
  /// Returns the removals that may not be complete on every node, the oldest first.
  virtual Result<std::vector<ClusterRemoval>> cluster_removals() = 0;
  /// Returns blocks that were confirmed and are not forgotten, in order.
  virtual Result<std::vector<JournalBlock>> confirmed() = 0;
  /// Returns the ranges of the blocks that were confirmed within kMayBeUnwritten before the last
  /// confirmation, in order.
  virtual Result<std::vector<JournalRange>> recently_confirmed() = 0;
};

/// Records how much of a store has been shipped. Used only by the writer thread.
class Journal {
 public:
  virtual ~Journal() = default;
  /// Returns true if begin() has made the store a journal, in this process or before.
  [[nodiscard]] virtual bool has_begun() const = 0;
  /// Turns the store into a journal, which keeps events only as rows. Errors: kInvalidParameter if
  /// some events are no longer rows; kOverloaded, kInternal.
  virtual Status begin() = 0;
  /// Ends the journal. Events and changes that are not shipped yet never will be. Errors:
  /// kOverloaded, kInternal.
  virtual Status leave() = 0;
  /// Records blocks that are about to be sent, synced to disk. Errors: kOverloaded, kInternal, as
  /// for the other functions.
  virtual Status plan(std::span<const JournalBlock> blocks) = 0;
  /// Records that all planned blocks were confirmed, and with them the events up to `last`.
  virtual Status confirm(EventId last, UnixSeconds now) = 0;
  /// Records that the changes up to `last` were shipped. Forgets changes that had already been
  /// confirmed for kMayBeUnwritten at the previous call.
  virtual Status confirm_changes(std::uint64_t last, UnixSeconds now) = 0;
  /// Records blocks of confirmed events that the cluster has lost, and gives them new numbers.
  /// Keeps their events for another week. Visits that are read after this call have greater
  /// versions than before.
  virtual Status renew(std::span<const JournalBlock> lost, UnixSeconds now) = 0;
  /// Records visits that are about to lose events to a ClusterRemoval.
  virtual Status note_damaged(std::int64_t removal, std::span<const NodeVisit> visits) = 0;
  /// Records that all damaged visits of the removal have been rebuilt.
  virtual Status note_rebuilt(std::int64_t removal) = 0;
  /// Records that a ClusterRemoval is complete for the rows that these nodes had shipped, or that
  /// this node had forgotten.
  virtual Status note_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes) = 0;
  virtual Status note_done_here(std::int64_t removal) = 0;
  /// Forgets a ClusterRemoval that is complete on every node.
  virtual Status finish_removal(std::int64_t removal) = 0;
  /// Allows the journal to forget old days if the witness agrees: see StoreLimits::journal_keep.
  virtual void set_witness(Witness witness) = 0;
  /// Forgets which events were in blocks that were confirmed before `time`. The events themselves
  /// stay.
  virtual Status forget_before(UnixSeconds time) = 0;
};

}  // namespace analytics::store
