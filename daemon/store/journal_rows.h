#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/result.h"
#include "common/run/secret.h"
#include "common/text/time.h"
#include "daemon/model/event.h"
#include "daemon/query/events/budget.h"
#include "daemon/query/events/own_columns.h"
#include "daemon/store/registry_change.h"

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

/// The highest ids of a site's events and visits that the journal may have forgotten (deleted
/// because the cluster has them). Rows up to these ids may exist only in the cluster.
struct ForgottenOfSite {
  SiteId site = 0;
  EventId event = 0;
  VisitId visit = 0;
};

/// Reports how much of a journal has been shipped to the cluster.
struct JournalState {
  JournalId id{};
  EventId shipped = 0;                ///< Id up to which all events are shipped.
  std::uint64_t changes = 0;          ///< Number up to which all changes are shipped.
  std::uint64_t next_block = 1;       ///< Number that the next block gets.
  std::vector<JournalBlock> planned;  ///< Blocks that may have been sent but are not confirmed.
  /// For each site with rows that the journal may have forgotten, their highest ids; sorted by
  /// site.
  std::vector<ForgottenOfSite> forgotten{};
};

/// The newest event and change of a journal, and its pending removals, at one moment.
struct JournalEnd {
  /// Id of the last event that may be shipped; the stored visits include all events up to it.
  EventId event = 0;
  std::uint64_t change = 0;  ///< Number of the last recorded change.
  SiteId site = 0;           ///< Highest id that any site has had, even if the site was deleted.
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
  static constexpr std::int64_t kNumbers = 65'536;  ///< Number of ids per group.

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
  std::uint64_t version = 0;  ///< Version of the visit's state; a later state has a greater one.
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
  Days first_day{};  ///< First of the UTC days whose rows the journal is about to forget.
  Days last_day{};
  std::vector<EventId> events{};  ///< Ids of the events, sorted. `visits` are also sorted by id.
  /// Earliest and latest JournalVisit::born of `visits`.
  Days first_born = Days::max();
  Days last_born = Days::min();
  std::vector<Visit> visits{};
};

/// Function that checks whether the cluster has all rows of a LeavingRows. If it returns an error,
/// whose message gives the reason, the journal keeps the rows. Runs on a thread of the store, which
/// cancels it through the budget.
using Witness = std::function<Status(const LeavingRows&, query::Budget&)>;

/// A removal of events that all nodes of a cluster carry out. It also covers events that only the
/// cluster still has.
struct ClusterRemoval {
  std::int64_t id = 0;
  SharedRemoval removal;
  /// Highest id of the events that this store had forgotten (deleted because the cluster has them)
  /// when the removal arrived: the cluster may still have selected events up to this id. 0 if there
  /// are no such events.
  EventId forgotten = 0;
  /// True while this store is still deleting rows of the site that it has begun to forget.
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

}  // namespace analytics::store
