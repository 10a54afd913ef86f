#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "daemon/model/query.h"
#include "daemon/model/visit.h"
#include "daemon/query/events/column.h"

namespace analytics::query {

using PartId = std::int64_t;

/// A visit of a part that may also have events in other parts or in rows.
struct SharedVisit {
  std::uint32_t visit;  ///< Index of the visit in the part.
  VisitId id;           ///< Id of the visit, the same in all parts and rows of the site.
  /// Id of the visit's visitor, the same in all parts and rows of the site.
  std::uint64_t visitor;
};

/// The revenue of an event of a part.
struct PartRevenue {
  std::uint32_t event;    ///< Index of the event in the part.
  std::int64_t currency;  ///< Id of the currency's text in the EventSource.
  std::int64_t micros;    ///< Amount in millionths of the currency's unit.
};

/// Events of a site, as columns of small codes. The events of a visitor are next to each other, and
/// within them the events of each visit. A visitor's events are in a single part unless the visitor
/// has a shared visit. Events without a visit belong to a pseudo-visit of their visitor. Functions
/// throw the EventSource's errors.
///
/// Only load() reads from the EventSource: it must not run while another thread uses the
/// EventSource. The other functions may be called by any thread, one at a time.
class EventPart {
 public:
  static constexpr std::size_t kBlock = 1'024;          ///< Number of events or visits per block.
  static constexpr std::uint32_t kMaxEvents = 262'144;  ///< Upper bound of events().
  /// Upper bound of the length of range(): 97 days.
  static constexpr std::uint32_t kMaxPartSeconds = 8'388'608;

  virtual ~EventPart() = default;

  [[nodiscard]] virtual PartId id() const = 0;
  [[nodiscard]] virtual std::uint32_t events() const = 0;
  [[nodiscard]] virtual std::uint32_t visits() const = 0;
  /// Returns a range that contains all events of the part.
  [[nodiscard]] virtual const TimeRange& range() const = 0;

  /// Fetches columns. The functions below work only on loaded columns: shared_visits() needs
  /// kVisit or kVisitor, and revenues() needs kRevenue. first_events(), events_by_visit() and
  /// pageviews_by_visit() need kIsPageview or another column of single events.
  virtual void load(const ColumnSet& columns) = 0;
  /// Returns a power of two that is above every value of kTime, in seconds after the beginning of
  /// range().
  [[nodiscard]] std::uint32_t times() const {
    return std::bit_ceil(static_cast<std::uint32_t>((range().to - range().from).count()));
  }

  /// Returns, by code, the EventSource's id of each value in a column of texts, channels, clients
  /// or places. Every code that read() or by_visit() can return has an entry, even in a damaged
  /// part.
  [[nodiscard]] virtual std::span<const std::int64_t> numbers(Column column) = 0;

  /// Reads the column's values for the block of events that begins at the event `first`, a multiple
  /// of kBlock, and returns the number of values. Texts are codes; kTime counts seconds from the
  /// beginning of range(). REQUIRES: `out` has room for kBlock values; a column of events other
  /// than kVisitor, kVisit, kRevenue and kCurrency.
  virtual std::size_t read(Column column, std::size_t first, std::span<std::uint32_t> out) = 0;

  /// Returns the column's value for each visit. kVisit is 1, or 0 for a pseudo-visit; kVisitor is
  /// the index of the visitor. REQUIRES: a column of visits, kVisit or kVisitor.
  [[nodiscard]] virtual std::span<const std::uint32_t> by_visit(Column column) = 0;
  /// Returns the index of each visit's first event, followed by the number of all events.
  [[nodiscard]] virtual std::span<const std::uint32_t> first_events() = 0;
  /// Return the number of events, and of pageviews, that each visit has in this part.
  [[nodiscard]] virtual std::span<const std::uint32_t> events_by_visit() = 0;
  [[nodiscard]] virtual std::span<const std::uint32_t> pageviews_by_visit() = 0;

  /// Return the shared visits in ascending order of `visit`, and the revenues in order of `event`.
  [[nodiscard]] virtual std::span<const SharedVisit> shared_visits() = 0;
  [[nodiscard]] virtual std::span<const PartRevenue> revenues() = 0;
};

}  // namespace analytics::query
