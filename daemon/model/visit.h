#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/time.h"
#include "daemon/model/site.h"

namespace analytics {

using VisitId = std::int64_t;
using EventId = std::int64_t;  ///< In order of arrival.

/// Two events of a visitor that are no further apart belong to one visit: see Activity.
inline constexpr std::chrono::minutes kVisitGap{30};

/// The role of an event in its visit.
enum class VisitRole {
  kPage,
  kInteractive,  ///< A custom event that ends a bounce.
  kPassive,      ///< A custom event that does not.
  kStay,  ///< An engagement: keeps a visit alive, and neither makes, counts for nor lengthens one.
};

/// The time in which an event shows that its visitor is there. An engagement that tells of N
/// milliseconds begins N milliseconds before its own time; all other events are moments. Events of
/// which one's activity is within kVisitGap of another's belong to one visit.
struct Activity {
  UnixMillis from = UnixMillis::max();  ///< From the beginning: of no event.
  UnixMillis to = UnixMillis::min();

  Activity() = default;
  explicit Activity(UnixMillis time, std::chrono::milliseconds engaged = {})
      : from(time - engaged), to(time) {}
  /// Widens this activity to one that contains the other, too.
  void add(const Activity& other) {
    from = std::min(from, other.from);
    to = std::max(to, other.to);
  }
  [[nodiscard]] bool reaches(const Activity& other) const {
    return from <= to && other.to >= from - kVisitGap && other.from <= to + kVisitGap;
  }
  bool operator==(const Activity&) const = default;
};

/// Events are compared by their own time; what came at the same moment, by its arrival.
using EventOrder = std::pair<UnixMillis, EventId>;

/// The ids by which an event's visit is found: the visitor's on the day of the event and, where the
/// visit may go on there, on the days around it. 0: not to be tried.
struct VisitKeys {
  std::uint64_t own = 0;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  /// The ids stand for a visit that an import names, not for a visitor: how far apart its events
  /// are does not matter.
  bool named = false;
};

/// An event as its visit sees it.
struct VisitMember {
  EventOrder order;
  Activity activity;
  VisitRole role = VisitRole::kPassive;
};

/// Events of one visitor on one site. The same events make the same visits, in whatever order they
/// arrive: add() and absorb() only take the least, the greatest and the sum.
struct Visit {
  VisitId id = 0;
  SiteId site = 0;
  EventOrder first{};  ///< Whose source, device and country the visit has.
  UnixMillis ended{};  ///< The time of its last event that is no engagement.
  Activity active;     ///< Of all its events, engagements included.
  EventOrder entry{};  ///< The first and last pageview; event 0: there is none.
  EventOrder exit{};
  std::int64_t pageviews = 0;
  std::int64_t events = 0;   ///< Events of any name except engagement.
  bool interactive = false;  ///< Has a custom event that ends a bounce.
  bool named = false;        ///< By an import: found by that name alone.
  /// The UTC day of the event that made the visit. It never changes, unlike the first event's.
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

/// Divides events of one visitor into visits. Returns for each event, in the order given, the
/// number of its visit, counted from 0 in order of time; nullopt for an engagement that reaches no
/// visit. `named`: all of them are of one visit, which an import named.
[[nodiscard]] std::vector<std::optional<std::size_t>> divide_into_visits(
    std::span<const VisitMember> events, bool named);

}  // namespace analytics
