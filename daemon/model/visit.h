#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

#include "common/time.h"
#include "daemon/model/site.h"

namespace analytics {

using VisitId = std::int64_t;
using EventId = std::int64_t;  ///< In order of arrival.

/// Two events of a visitor that are no further apart belong to one visit.
inline constexpr std::chrono::minutes kVisitGap{30};

/// The role of an event in its visit.
enum class VisitRole {
  kPage,
  kInteractive,  ///< A custom event that ends a bounce.
  kPassive,      ///< A custom event that does not.
  kStay,  ///< An engagement: belongs to a visit, and neither makes, counts for nor lengthens one.
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

/// Events of one visitor on one site. The same events make the same visits, in whatever order they
/// arrive: add() and absorb() only take the least, the greatest and the sum.
struct Visit {
  VisitId id = 0;
  SiteId site = 0;
  EventOrder first{};  ///< Whose source, device and country the visit has.
  UnixMillis ended{};
  EventOrder entry{};  ///< The first and last pageview; event 0: there is none.
  EventOrder exit{};
  std::int64_t pageviews = 0;
  std::int64_t events = 0;   ///< Events of any name except engagement.
  bool interactive = false;  ///< Has a custom event that ends a bounce.
  bool named = false;        ///< By an import: found by that name alone.
  /// The UTC day of the event that made the visit. It never changes, unlike the first event's.
  Days born{};

  [[nodiscard]] UnixMillis started() const { return first.first; }
  /// True if an event at that time belongs to the visit.
  [[nodiscard]] bool reaches(UnixMillis time) const {
    return named || (time >= started() - kVisitGap && time <= ended + kVisitGap);
  }
  /// REQUIRES: of this visit, and no engagement.
  void add(const EventOrder& event, VisitRole role);
  /// Merges `other` into this visit; `other` must not be used afterwards.
  void absorb(const Visit& other);
};

}  // namespace analytics
