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

#include "common/result.h"
#include "common/secret.h"
#include "common/time.h"
#include "daemon/model/event.h"
#include "daemon/query/budget.h"
#include "daemon/store/counters.h"
#include "daemon/store/shared_registry.h"

/// A journal is a store that keeps its events as rows and records every later change of them, so
/// that all of it can be shipped to a cluster. It may forget old days that were shipped long ago.
namespace analytics::store {

/// 16 random bytes, made when the store becomes a journal. They tell it from every other journal,
/// but not from its own copies.
using JournalId = Digest;

/// What a cluster has confirmed within this time before somebody sees that its machine has failed
/// may be lost, and is kept to be sent again. A kernel writes within half a minute what it is
/// given; a minute passes between two looks, and more while a lot is shipped.
inline constexpr std::chrono::seconds kMayBeUnwritten{300};

/// The events of a range of ids that are of one month: a cluster stores them at once or not at all.
struct JournalBlock {
  std::uint64_t number = 0;  ///< Counted from 1, without gaps.
  Days month{};              ///< Its first day.
  EventId first = 0;         ///< Of the range, as `last`: events of other months may be among it.
  EventId last = 0;
  bool operator==(const JournalBlock&) const = default;
};

/// Events with numbers from `first` to `last`.
struct JournalRange {
  EventId first = 0;
  EventId last = 0;
  bool operator==(const JournalRange&) const = default;
};

/// Events and visits of the site up to these numbers may be in the cluster alone.
struct ForgottenOfSite {
  SiteId site = 0;
  EventId event = 0;
  VisitId visit = 0;
};

/// How far a journal is shipped.
struct JournalState {
  JournalId id{};
  EventId shipped = 0;        ///< Events up to this one are shipped.
  std::uint64_t changes = 0;  ///< Changes up to this one are shipped.
  std::uint64_t next_block = 1;
  std::vector<JournalBlock> planned;         ///< Blocks that may have been sent, unconfirmed.
  std::vector<ForgottenOfSite> forgotten{};  ///< In order of the sites.
};

/// The end of a journal at one moment.
struct JournalEnd {
  EventId event = 0;  ///< Events up to this one have been counted in their visits.
  std::uint64_t change = 0;
  SiteId site = 0;     ///< The greatest number that a site was given.
  EventId oldest = 0;  ///< Of the events that the journal has; 0: it has none.
  /// Events are about to be removed, or visits to be computed again, without a change that says so.
  bool is_removing = false;
};

/// The texts of an event, under their names in the tables of a cluster. From `referrer` on, a visit
/// has those of its first event.
inline constexpr std::array<std::string_view, 23> kJournalTexts = {
    "name",     "hostname", "path",       "props",           "currency",     "referrer",
    "source",   "channel",  "utm_source", "utm_medium",      "utm_campaign", "utm_content",
    "utm_term", "device",   "browser",    "browser_version", "os",           "os_version",
    "country",  "region",   "city",       "screen",          "language"};
inline constexpr std::size_t kCurrencyText = 4;
inline constexpr std::size_t kFirstVisitText = 5;

/// A site under the name that it has now.
struct JournalSite {
  SiteId id = 0;
  std::string domain;
  std::optional<UnixSeconds> first_event{};
  std::optional<UnixSeconds> last_event{};  ///< Of one of the latest, as they were written.
  bool operator==(const JournalSite&) const = default;
};

/// How much a site has, to be compared.
struct JournalCount {
  SiteId site = 0;
  std::int64_t month = 0;  ///< As 202611; of visits 0.
  std::int64_t count = 0;
  std::int64_t sum = 0;  ///< Of ids modulo 65521; of visits: pageviews, events and milliseconds.
  bool operator==(const JournalCount&) const = default;
};

/// Events or visits with neighbouring numbers, to be compared.
struct JournalGroup {
  static constexpr std::int64_t kNumbers = 65'536;  ///< Of a group.

  std::int64_t month = 0;   ///< Of events, as 202611: each month has groups of its own.
  std::int64_t number = 0;  ///< Of the group: that of its members, divided.
  std::int64_t count = 0;
  std::int64_t sum = 0;      ///< Of the remainders.
  std::int64_t squares = 0;  ///< Of the remainders.
  std::int64_t sizes = 0;    ///< Of visits: pageviews, events and milliseconds.
  bool operator==(const JournalGroup&) const = default;
};

struct JournalEvent {
  SiteId site = 0;
  EventId id = 0;
  UnixMillis time{};
  std::uint64_t visitor = 0;
  VisitId visit = 0;        ///< The one it was stored with: see JournalMove. 0: none.
  std::int64_t import = 0;  ///< 0: none.
  bool is_passive = false;  ///< It was sent as not interactive.
  Engagement engagement;
  std::int64_t revenue_micros = 0;  ///< If there is a currency.
  std::string_view key_hash;        ///< Of its IdempotencyKey, in bytes; empty if it has none.
  std::array<std::string_view, kJournalTexts.size()> texts;
};

struct JournalVisit {
  SiteId site = 0;
  VisitId id = 0;
  Days born{};                ///< With site and id what the visit is known by: see Visit.
  std::uint64_t version = 0;  ///< The same visit later has a greater one.
  bool is_gone = false;       ///< It is no more: what follows is empty.
  UnixMillis started{};
  UnixMillis ended{};
  std::uint64_t visitor = 0;  ///< Of the first event.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;
  bool is_interactive = false;
  bool is_named = false;
  std::string_view entry_page, entry_hostname, exit_page, exit_hostname;
  std::array<std::string_view, kJournalTexts.size() - kFirstVisitText> texts;
};

/// Events that belong to another visit than the one they were stored with.
struct JournalMove {
  SiteId site = 0;
  VisitId visit = 0;  ///< All events of this visit; 0: one event.
  EventId event = 0;
  VisitId winner = 0;  ///< The visit that they belong to; 0: none.
  std::uint64_t version = 0;
};

/// Events that were removed, among those up to `last`.
struct JournalRemoval {
  SiteId site = 0;
  EventId first = 0;  ///< 0: all of the site, which is deleted.
  EventId last = 0;
};

/// A site whose events of before have expired.
struct JournalExpiry {
  SiteId site = 0;
  UnixSeconds until{};
  bool operator==(const JournalExpiry&) const = default;
};

/// A visit of any node of the cluster.
struct NodeVisit {
  std::uint32_t node = 0;
  std::uint64_t visit = 0;
  bool operator==(const NodeVisit&) const = default;
};

/// Rows of a site that a journal is about to forget.
struct LeavingRows {
  struct Visit {
    VisitId id = 0;
    std::int64_t size = 0;  ///< Pageviews, events and milliseconds.
  };
  SiteId site = 0;
  Days first_day{};  ///< Of the events, as the last.
  Days last_day{};
  std::vector<EventId> events{};  ///< In order, as `visits`.
  Days first_born = Days::max();
  Days last_born = Days::min();
  std::vector<Visit> visits{};
};

/// Succeeds if the cluster has all of these rows. After an error, whose message says why, the
/// journal keeps them. Runs on a thread of the store, which cancels it through the budget.
using Witness = std::function<Status(const LeavingRows&, query::Budget&)>;

/// A removal for all nodes, which concerns the cluster's events that no journal has any more, too.
struct ClusterRemoval {
  std::int64_t id = 0;
  SharedRemoval removal;
  /// Of the site's events up to this one, those may be left that this store had forgotten when it
  /// was told of the removal; 0: none.
  EventId forgotten = 0;
  bool is_leaving = false;             ///< Rows that are forgotten are still leaving.
  std::vector<std::uint32_t> nodes{};  ///< That have left, and of whose events nothing is left.
  std::vector<NodeVisit> damaged{};    ///< May have lost events, and are to be made again.
};

/// What happened to stored events and visits.
struct JournalChanges {
  std::uint64_t last = 0;  ///< The number of the last one.
  bool is_all = true;      ///< False: there are more.
  std::vector<JournalVisit> visits;
  std::vector<JournalMove> moves;
  std::vector<JournalRemoval> removals;
};

/// Gives out what a journal has to ship. A thread of its own, with a connection of its own. Views
/// of texts are valid until the next call.
class JournalReader {
 public:
  virtual ~JournalReader() = default;
  virtual Result<JournalState> state() = 0;
  virtual Result<JournalEnd> end() = 0;
  struct Bounds {
    std::size_t events = 65'536;
    std::size_t bytes = 16'777'216;  ///< About so many of texts.
  };
  /// Calls `take` with the events after `after`, in order, up to `upto` or to the bounds. Returns
  /// the id up to which it has come.
  using Take = std::function<void(const JournalEvent&)>;
  virtual Result<EventId> each_event(EventId after, EventId upto, const Bounds& bounds,
                                     const Take& take) = 0;
  /// Returns some of the changes after `after`. Visits are as they are now.
  virtual Result<JournalChanges> changes(std::uint64_t after) = 0;
  /// Returns the visits of events in a range as they are now.
  virtual Result<std::vector<JournalVisit>> visits_of(EventId first, EventId last) = 0;
  /// Returns those of these visits that the journal has, in order.
  virtual Result<std::vector<VisitId>> stored_among(std::span<const VisitId> visits) = 0;
  /// Returns the visits with these numbers as they are now.
  virtual Result<std::vector<JournalVisit>> visits_between(VisitId first, VisitId last) = 0;
  /// Returns for each visit that has become part of another one which that is now.
  virtual Result<std::vector<JournalMove>> merges() = 0;
  /// Returns all sites, in order of their ids.
  virtual Result<std::vector<JournalSite>> sites() = 0;
  /// Returns for each site with a retention the time before which its events have expired.
  virtual Result<std::vector<JournalExpiry>> expired(UnixSeconds now) = 0;
  /// Returns the drops counted from an hour on; site 0 has those of unknown sites. Earlier hours do
  /// not change any more.
  virtual Result<std::vector<OutcomeCount>> drops(UnixSeconds from) = 0;
  // The next four leave out what may be forgotten, and may take seconds.
  /// Counts events up to this one by site and month.
  virtual Result<std::vector<JournalCount>> count_events(EventId upto) = 0;
  /// Counts visits that have ended before that by site.
  virtual Result<std::vector<JournalCount>> count_visits(UnixSeconds before) = 0;
  /// Groups events up to this one, and visits that have ended before that.
  virtual Result<std::vector<JournalGroup>> group_events(EventId upto) = 0;
  virtual Result<std::vector<JournalGroup>> group_visits(UnixSeconds before) = 0;
  /// Returns removals that may not be carried out everywhere, the oldest first.
  virtual Result<std::vector<ClusterRemoval>> cluster_removals() = 0;
  /// Returns blocks that were confirmed and are not forgotten, in order.
  virtual Result<std::vector<JournalBlock>> confirmed() = 0;
  /// Returns what the blocks have, in order, that were confirmed within kMayBeUnwritten before the
  /// last one was.
  virtual Result<std::vector<JournalRange>> recently_confirmed() = 0;
};

/// Keeps how far a store is shipped. The writer thread alone uses it.
class Journal {
 public:
  virtual ~Journal() = default;
  /// True if begin() has made the store a journal, in this process or before.
  [[nodiscard]] virtual bool has_begun() const = 0;
  /// From now on the store is a journal, and keeps events as rows alone. Errors: kInvalidParameter
  /// if it has events that are no rows any more; kOverloaded, kInternal.
  virtual Status begin() = 0;
  /// The store is no journal any more: what is not shipped will not be. Errors: kOverloaded,
  /// kInternal.
  virtual Status leave() = 0;
  /// Notes blocks that are about to be sent. Synced to disk. Errors: kOverloaded, kInternal, as of
  /// the others.
  virtual Status plan(std::span<const JournalBlock> blocks) = 0;
  /// Records that all planned blocks were confirmed, and with them the events up to `last`.
  virtual Status confirm(EventId last, UnixSeconds now) = 0;
  /// Notes that the changes up to `last` are shipped. Those that were for kMayBeUnwritten when this
  /// was called before are forgotten.
  virtual Status confirm_changes(std::uint64_t last, UnixSeconds now) = 0;
  /// Records blocks of confirmed events that the cluster has lost, and gives them numbers. Their
  /// events are not forgotten for another week. Visits that are read from now on have versions
  /// above all earlier ones.
  virtual Status renew(std::span<const JournalBlock> lost, UnixSeconds now) = 0;
  /// Records visits that are about to lose events by a ClusterRemoval.
  virtual Status note_damaged(std::int64_t removal, std::span<const NodeVisit> visits) = 0;
  /// Records that all of them have been computed again.
  virtual Status note_remade(std::int64_t removal) = 0;
  /// Records that a ClusterRemoval has been carried out for the rows that these nodes had shipped,
  /// or that this one had forgotten.
  virtual Status note_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes) = 0;
  virtual Status note_done_here(std::int64_t removal) = 0;
  /// Forgets a ClusterRemoval, which has been carried out everywhere.
  virtual Status finish_removal(std::int64_t removal) = 0;
  /// From now on old days may be forgotten, if the witness agrees: see StoreLimits::journal_keep.
  virtual void set_witness(Witness witness) = 0;
  /// Forgets confirmed blocks that are older than that.
  virtual Status forget_before(UnixSeconds time) = 0;
};

}  // namespace analytics::store
