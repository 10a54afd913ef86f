#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>

#include "common/wire/dimension.h"

namespace analytics::query {

/// The columns of numbers that a source fills for each event. A text is represented by its number
/// in the source's dictionary, in which 0 is the empty text.
enum class Column : std::uint8_t {
  // of an event
  kTime,        ///< Unix seconds.
  kMillis,      ///< Milliseconds past kTime. Only in rows; a part stores a visit's events in order.
  kVisitor,     ///< Visitor of the first event of the visit; the event's own if it has no visit.
  kIsPageview,  ///< 1 or 0.
  kName,
  kPath,
  kHostname,
  kProps,          ///< A JSON object, as a text.
  kRevenue,        ///< Millionths of the currency's unit.
  kCurrency,       ///< Number of the currency's text; 0 if the event has no revenue.
  kEngagedMillis,  ///< Time on the page; -1 if not reported, like kScrollDepth.
  kScrollDepth,
  kVisit,  ///< Id of the visit. 0: no visit, and all columns below are 0.
  // of the event's visit
  kIsBounce,  ///< 1 or 0.
  kVisitSeconds,
  kReferrer,
  kSource,
  kChannel,  ///< A value of Channel.
  kUtmSource,
  kUtmMedium,
  kUtmCampaign,
  kUtmContent,
  kUtmTerm,
  kClient,
  kPlace,
  kScreen,    ///< A value of ScreenClass.
  kLanguage,  ///< A LanguageNumber.
  kEntryPage,
  kExitPage,
  kEntryHostname,
  kExitHostname,
};
inline constexpr std::size_t kColumns = 31;

[[nodiscard]] constexpr std::size_t index_of(Column column) {
  return static_cast<std::size_t>(column);
}

/// Returns the event column that shares its texts with a column of the visit: pages and hostnames
/// of events and of visits have the same dictionary. Other columns are returned unchanged.
[[nodiscard]] constexpr Column text_column(Column column) {
  switch (column) {
    case Column::kEntryPage:
    case Column::kExitPage: return Column::kPath;
    case Column::kEntryHostname:
    case Column::kExitHostname: return Column::kHostname;
    default: return column;
  }
}

/// Returns true for a column of the event's visit, false for a column of the event itself.
[[nodiscard]] constexpr bool is_of_visit(Column column) { return column >= Column::kIsBounce; }

/// The columns that a query reads; a source does not fill the others.
class ColumnSet {
 public:
  void add(Column column) { bits_.set(index_of(column)); }
  void add(const ColumnSet& columns) { bits_ |= columns.bits_; }
  [[nodiscard]] bool has(Column column) const { return bits_.test(index_of(column)); }
  [[nodiscard]] bool has_any(Column first, Column last) const {
    for (auto at = index_of(first); at <= index_of(last); ++at) {
      if (bits_.test(at)) return true;
    }
    return false;
  }
  /// Returns true if the visits of the events must be found: for columns of visits, for kVisit, and
  /// for kVisitor, which is the visitor of the visit's first event.
  [[nodiscard]] bool needs_visits() const {
    return has(Column::kVisitor) || has_any(Column::kVisit, Column::kExitHostname);
  }

 private:
  std::bitset<kColumns> bits_;
};

/// Adds the columns that contain the field's values.
void add_columns_of(Field field, ColumnSet& columns);

/// Returns the column that contains the field's values. REQUIRES: the field has one text per event,
/// so it is not a goal, a property key or a time.
[[nodiscard]] Column column_of(Field field);

}  // namespace analytics::query
