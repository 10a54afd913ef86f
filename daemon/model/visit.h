#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/text/time.h"
#include "daemon/model/site.h"

namespace analytics {

using VisitId = std::int64_t;
using EventId = std::int64_t;  ///< Assigned in order of arrival.

/// Events of a visitor that are at most this far apart belong to the same visit; see Activity.
inline constexpr std::chrono::minutes kVisitGap{30};

/// The role of an event in its visit.
enum class VisitRole {
  kPage,
  kInteractive,  ///< A custom event, with which a visit is no bounce.
  kPassive,      ///< A custom event that does not end a bounce.
  /// An engagement. It keeps a visit alive, but does not start or lengthen it, and does not count
  /// as its event.
  kStay,
};

/// The time in which an event shows its visitor to be present. An engagement that reports N
/// milliseconds begins N milliseconds before its own time; every other event is a single moment.
/// Events whose activities are at most kVisitGap apart belong to the same visit.
struct Activity {
  UnixMillis from = UnixMillis::max();  ///< By default, the activity of no event.
  UnixMillis to = UnixMillis::min();

  Activity() = default;
  explicit Activity(UnixMillis time, std::chrono::milliseconds engaged = {})
      : from(time - engaged), to(time) {}
  /// Extends this activity to include the other.
  void add(const Activity& other) {
    from = std::min(from, other.from);
    to = std::max(to, other.to);
  }
  [[nodiscard]] bool reaches(const Activity& other) const {
    return from <= to && other.to >= from - kVisitGap && other.from <= to + kVisitGap;
  }
  bool operator==(const Activity&) const = default;
};

/// Orders events by their own time; events at the same time, by arrival.
using EventOrder = std::pair<UnixMillis, EventId>;

/// Ids by which an event's visit is found: those of the visitor on the event's day and, if the
/// visit may extend to the day before or after, on those days. 0: that day is not searched.
struct VisitKeys {
  std::uint64_t own = 0;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  /// True if the ids identify a visit that an import names, not a visitor. The time between its
  /// events does not matter.
  bool named = false;
};

/// The properties of an event that its visit depends on.
struct VisitMember {
  EventOrder order;
  Activity activity;
  VisitRole role = VisitRole::kPassive;
};

/// A visit: events of a visitor on a site. The same events give the same visits in any order of
/// arrival, because add() and absorb() use only minima, maxima and sums.
struct Visit {
  VisitId id = 0;
  SiteId site = 0;
  EventOrder first{};  ///< First event, which determines the visit's source, device and country.
  UnixMillis ended{};  ///< Time of the last event that is not an engagement.
  Activity active;     ///< Activity of all events, including engagements.
  EventOrder entry{};  ///< First and last pageview; event 0 if there is no pageview.
  EventOrder exit{};
  std::int64_t pageviews = 0;
  std::int64_t events = 0;   ///< Events of any name except engagement.
  bool interactive = false;  ///< True if a custom event ends the bounce.
  bool named = false;        ///< True if an import named the visit; it is found by that name alone.
  /// UTC day of the event that created the visit. Never changes, unlike the first event's day.
  Days born{};

  [[nodiscard]] UnixMillis started() const { return first.first; }
  [[nodiscard]] bool is_bounce() const { return pageviews < 2 && !interactive; }
  /// Returns the duration in whole seconds of the clock.
  [[nodiscard]] std::chrono::seconds duration() const {
    return std::chrono::floor<std::chrono::seconds>(ended) -
           std::chrono::floor<std::chrono::seconds>(started());
  }
  /// Returns true if an event with that activity belongs to the visit.
  [[nodiscard]] bool reaches(const Activity& activity) const {
    return named || active.reaches(activity);
  }
  void add(const VisitMember& event);
  /// Merges `other` into this visit; `other` must not be used afterwards.
  void absorb(const Visit& other);
};

/// The definitions of Visit in SQL, for SQLite and ClickHouse. Members are SQL expressions for a
/// row of visits.
struct VisitSql {
  std::string started;  ///< Unix milliseconds, as is `ended`.
  std::string ended;
  std::string pageviews;
  std::string interactive;  ///< 1 if true, 0 or NULL if false.

  [[nodiscard]] std::string is_bounce() const;
  [[nodiscard]] std::string duration() const;
};

/// Divides events of a visitor into visits. Returns the visit's number for each event, in the order
/// of `events`; visits are numbered from 0 in order of time. Nullopt marks an engagement that
/// reaches no visit. `named`: all events belong to a single visit that an import names.
[[nodiscard]] std::vector<std::optional<std::size_t>> divide_into_visits(
    std::span<const VisitMember> events, bool named);

}  // namespace analytics
