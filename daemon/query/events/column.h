#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/wire/dimension.h"
#include "daemon/model/visit.h"

namespace analytics::query {

/// The columns of numbers that an EventSource fills for each event. A text is represented by its id
/// in the EventSource's dictionary; the id 0 means the empty text.
enum class Column : std::uint8_t {
  // The columns from here to kVisit are those of an event.
  kTime,  ///< Time of the event in Unix seconds.
  /// Milliseconds past kTime. An EventPart does not have this column, because it contains the
  /// events of a visit in order.
  kMillis,
  /// Id of the visitor of the visit's first event; of the event's own visitor if it has no visit.
  kVisitor,
  kIsPageview,  ///< 1 for a pageview, else 0.
  kName,
  kPath,
  kHostname,
  kProps,          ///< Properties of the event: a JSON object, as a text.
  kRevenue,        ///< Revenue in millionths of the currency's unit.
  kCurrency,       ///< Id of the currency's text; 0 if the event has no revenue.
  kEngagedMillis,  ///< Time on the page in milliseconds; -1 if the event does not report it.
  kScrollDepth,    ///< Scroll depth in percent of the page; -1 if the event does not report it.
  kVisit,          ///< Id of the visit; 0 for no visit, and the columns of visits are then 0, too.
  // The columns from here on are those of the event's visit.
  kFirstFact,  ///< First of the columns of kVisitFacts; see column_of(VisitFact).
  kReferrer = kFirstFact + kVisitFacts.size(),
  kSource,
  kChannel,  ///< Channel of the visit, a value of Channel.
  kUtmSource,
  kUtmMedium,
  kUtmCampaign,
  kUtmContent,
  kUtmTerm,
  kClient,
  kPlace,
  kScreen,    ///< Class of the screen, a value of ScreenClass.
  kLanguage,  ///< Language of the visitor, a LanguageNumber.
  kEntryPage,
  kExitPage,
  kEntryHostname,
  kExitHostname,
};

[[nodiscard]] constexpr std::size_t index_of(Column column) {
  return static_cast<std::size_t>(column);
}
inline constexpr std::size_t kColumns = index_of(Column::kExitHostname) + 1;

/// Returns the column that contains a fact of the event's visit.
[[nodiscard]] constexpr Column column_of(VisitFact fact) {
  return static_cast<Column>(index_of(Column::kFirstFact) + static_cast<std::size_t>(fact));
}
/// Returns the fact that the column contains; nullopt for every other column.
[[nodiscard]] constexpr std::optional<VisitFact> fact_of(Column column) {
  if (column < Column::kFirstFact || column >= Column::kReferrer) return std::nullopt;
  return static_cast<VisitFact>(index_of(column) - index_of(Column::kFirstFact));
}

/// Returns the column whose dictionary contains the texts of `column`. Entry and exit pages share
/// the dictionary of kPath, and their hostnames that of kHostname. Every other column has its own.
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
[[nodiscard]] constexpr bool is_of_visit(Column column) { return column >= Column::kFirstFact; }

/// The columns that a query reads; an EventSource does not fill other columns.
class ColumnSet {
 public:
  void add(Column column) { bits_.set(index_of(column)); }
  void add(const ColumnSet& columns) { bits_ |= columns.bits_; }
  [[nodiscard]] bool has(Column column) const { return bits_.test(index_of(column)); }
  /// Returns true if the set has a column from `first` to `last` in the order of Column, inclusive.
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

/// Adds the columns that contain the field's values. For goals, these are the name and the path.
void add_columns_of(Field field, ColumnSet& columns);

/// Returns the column that contains the field's values. REQUIRES: the field has one text per event,
/// so it is not a goal, a property key or a time.
[[nodiscard]] Column column_of(Field field);

}  // namespace analytics::query
