#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "daemon/model/query.h"
#include "daemon/model/visit.h"
#include "daemon/query/column.h"

namespace analytics::query {

using PartId = std::int64_t;

/// A visit of a part whose events are not all in one place: some are in other parts or rows, or are
/// not next to each other.
struct SharedVisit {
  std::uint32_t visit;  ///< Its place among the part's visits.
  VisitId id;           ///< No other visit of the site's rows and parts has it.
};

/// The revenue of one event of a part.
struct PartRevenue {
  std::uint32_t event;    ///< Its place among the part's events.
  std::int64_t currency;  ///< The source's number of the text.
  std::int64_t micros;    ///< Millionths of the currency's unit.
};

/// Events of one site, as columns of small codes. A visitor's events are in one part, next to each
/// other, and among them those of each visit, shared visits apart. Events without a visit are in a
/// pseudo-visit of their visitor. Functions throw what the source's failures are.
///
/// Only load() reads from the source. A part may be used by any one thread at a time, and load() by
/// the source's.
class EventPart {
 public:
  static constexpr std::size_t kBlock = 1'024;              ///< Events that are read at once.
  static constexpr std::uint32_t kMostSeconds = 8'388'608;  ///< A range() is no longer: 97 days.

  virtual ~EventPart() = default;

  [[nodiscard]] virtual PartId id() const = 0;
  [[nodiscard]] virtual std::uint32_t events() const = 0;
  [[nodiscard]] virtual std::uint32_t visits() const = 0;
  /// The range that holds all events.
  [[nodiscard]] virtual const TimeRange& range() const = 0;

  /// Fetches columns: what the functions below are asked for must have been loaded. With kVisit
  /// shared_visits(), with kRevenue revenues(), with kIsPageview or any column of single events the
  /// events of each visit.
  virtual void load(const ColumnSet& columns) = 0;
  /// Every value of kTime is below this power of two.
  [[nodiscard]] std::uint32_t times() const {
    return std::bit_ceil(static_cast<std::uint32_t>((range().to - range().from).count()));
  }

  /// Returns the source's number for each code of a column of texts, channels, clients or places.
  /// Every code that is read has an entry, even in a damaged part.
  [[nodiscard]] virtual std::span<const std::int64_t> numbers(Column column) = 0;

  /// Reads the values of the block of events that begins at `first`, a multiple of kBlock, and
  /// returns how many there are. Texts are codes, kTime counts seconds from the beginning of
  /// range(). REQUIRES: `out` has room for kBlock; a column of events other than kVisitor, kVisit,
  /// kRevenue and kCurrency.
  virtual std::size_t read(Column column, std::size_t first, std::span<std::uint32_t> out) = 0;

  /// Returns the value of each visit. kVisit is 1, or 0 for a pseudo-visit; kVisitor is the
  /// visitor's place. REQUIRES: a column of visits or one of these two.
  [[nodiscard]] virtual std::span<const std::uint32_t> by_visit(Column column) = 0;
  /// Returns the place of each visit's first event, and then the number of all events.
  [[nodiscard]] virtual std::span<const std::uint32_t> first_events() = 0;
  /// Returns the number of events of each visit in this part, and the pageviews among them.
  [[nodiscard]] virtual std::span<const std::uint32_t> events_by_visit() = 0;
  [[nodiscard]] virtual std::span<const std::uint32_t> pageviews_by_visit() = 0;

  [[nodiscard]] virtual std::span<const SharedVisit> shared_visits() = 0;  ///< In order.
  [[nodiscard]] virtual std::span<const PartRevenue> revenues() = 0;       ///< In order.
};

}  // namespace analytics::query
