#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/text/time.h"
#include "common/wire/catalogue.h"
#include "daemon/model/site.h"

namespace analytics {

using VisitId = std::int64_t;
using EventId = std::int64_t;  ///< Id of an event; assigned in order of arrival.

/// Events of a visitor that are at most this far apart belong to the same visit; see Activity.
inline constexpr std::chrono::minutes kVisitGap{30};

/// The role of an event in its visit.
enum class VisitRole {
  kPage,         ///< A pageview.
  kInteractive,  ///< A custom event; a visit that has one is not a bounce.
  kPassive,      ///< A custom event that has no influence on whether the visit is a bounce.
  /// An engagement. It keeps the visit open for later events, but does not begin or lengthen a
  /// visit and is not one of its counted events.
  kStay,
};

/// The span of time in which an event proves that its visitor was present. An engagement that
/// reports N milliseconds covers the N milliseconds before its own time; every other event covers
/// just its own time. Events whose activities are at most kVisitGap apart belong to the same
/// visit.
struct Activity {
  UnixMillis from = UnixMillis::max();  ///< Beginning of the span; the default span is empty.
  UnixMillis to = UnixMillis::min();

  Activity() = default;
  explicit Activity(UnixMillis time, std::chrono::milliseconds engaged = {})
      : from(time - engaged), to(time) {}
  /// Extends this activity to include `other`.
  void add(const Activity& other) {
    from = std::min(from, other.from);
    to = std::max(to, other.to);
  }
  /// Returns true if the two activities are at most kVisitGap apart; false if this activity is
  /// empty.
  [[nodiscard]] bool reaches(const Activity& other) const {
    return from <= to && other.to >= from - kVisitGap && other.from <= to + kVisitGap;
  }
  bool operator==(const Activity&) const = default;
};

/// Orders events by their own time; events at the same time, by arrival.
using EventOrder = std::pair<UnixMillis, EventId>;

/// The ids of an event's visitor by which the event's visit is found. A visitor has another id on
/// each UTC day. An id is 0 if no visit of that day is searched for.
struct VisitKeys {
  std::uint64_t own = 0;     ///< Visitor's id on the event's day.
  std::uint64_t before = 0;  ///< Visitor's id on the day before, if the visit may have begun then.
  std::uint64_t after = 0;   ///< Visitor's id on the day after, if the visit may continue then.
  /// True if the ids identify a visit that an import names, not a visitor. Such a visit continues
  /// however much time is between its events.
  bool named = false;
};

/// The values of an event that decide to which visit it belongs and what the visit counts.
struct VisitMember {
  EventOrder order;
  Activity activity;
  VisitRole role = VisitRole::kPassive;
};

/// A visit of a visitor to a site. The same events give the same visits in any order of arrival,
/// because add() and absorb() use only minima, maxima and sums.
struct Visit {
  VisitId id = 0;
  SiteId site = 0;
  EventOrder first{};  ///< First event, which determines the visit's source, device and country.
  UnixMillis ended{};  ///< Time of the last event that is not an engagement.
  Activity active;     ///< Activity of all events, including engagements.
  EventOrder entry{};  ///< First pageview; its event id is 0 if the visit has no pageview.
  EventOrder exit{};   ///< Last pageview; its event id is 0 if the visit has no pageview.
  std::int64_t pageviews = 0;
  std::int64_t events = 0;   ///< Events of any name except engagement.
  bool interactive = false;  ///< True if the visit has an interactive custom event.
  /// True if an import named the visit; the visit is then found by that name alone.
  bool named = false;
  /// UTC day of the event whose arrival created the visit. Never changes, whereas an earlier event
  /// that arrives later can change the day of `first`.
  Days born{};

  [[nodiscard]] UnixMillis started() const { return first.first; }
  /// Returns true if an event with that activity belongs to the visit.
  [[nodiscard]] bool reaches(const Activity& activity) const {
    return named || active.reaches(activity);
  }
  void add(const VisitMember& event);
  /// Merges `other` into this visit; `other` must not be used afterwards.
  void absorb(const Visit& other);
};

/// The SQL expressions of a visit's values from which kVisitFacts computes its facts.
struct VisitSql {
  std::string started;  ///< Start of the visit in Unix milliseconds; `ended` is its end.
  std::string ended;
  std::string pageviews;
  std::string interactive;  ///< 1 if the visit has an interactive event, 0 or NULL if not.
};

/// The facts of a visit that queries sum over the visits they count.
enum class VisitFact : std::uint8_t {
  kBounce,   ///< 1 if the visit is a bounce, else 0.
  kSeconds,  ///< Time from start to end, after both are rounded down to seconds.
};

/// How a fact is computed, stored and named.
struct VisitFactInfo {
  VisitFact fact;
  std::string_view sum_name;  ///< Name of the fact's sum in messages: "bounces".
  std::uint32_t part_id;      ///< The fact's PartColumn::id: never change one.
  bool is_flag;               ///< True if the fact is always 0 or 1; else it has up to 32 bits.
  std::int64_t (*of)(const Visit& visit);
  /// Returns the SQL expression for the same number, for SQLite and ClickHouse.
  std::string (*sql)(const VisitSql& visit);
};

/// One row for each fact, in enum order.
inline constexpr std::array kVisitFacts = {
    VisitFactInfo{VisitFact::kBounce, "bounces", 9, true,
                  [](const Visit& visit) -> std::int64_t {
                    return visit.pageviews < 2 && !visit.interactive ? 1 : 0;
                  },
                  [](const VisitSql& visit) {
                    return visit.pageviews + " < 2 AND coalesce(" + visit.interactive + ", 0) = 0";
                  }},
    VisitFactInfo{VisitFact::kSeconds, "seconds of visits", 10, false,
                  [](const Visit& visit) -> std::int64_t {
                    using std::chrono::seconds;
                    return (std::chrono::floor<seconds>(visit.ended) -
                            std::chrono::floor<seconds>(visit.started()))
                        .count();
                  },
                  [](const VisitSql& visit) {
                    return "(" + visit.ended + " - " + visit.ended + " % 1000 - (" + visit.started +
                           " - " + visit.started + " % 1000)) / 1000";
                  }},
};
static_assert(is_complete(kVisitFacts, &VisitFactInfo::fact, VisitFact::kSeconds));

[[nodiscard]] constexpr const VisitFactInfo& info_of(VisitFact fact) {
  return kVisitFacts[static_cast<std::size_t>(fact)];
}

/// Divides events of a visitor into visits. Returns for each of `events` the number of its visit;
/// visits are numbered from 0 in order of time. An engagement that is close to no other event gets
/// nullopt. `named`: if true, an import has named the visit, so all events belong to a single one.
[[nodiscard]] std::vector<std::optional<std::size_t>> divide_into_visits(
    std::span<const VisitMember> events, bool named);

}  // namespace analytics
