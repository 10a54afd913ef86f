#pragma once

#include <array>
#include <cstddef>

#include "daemon/query/events/column.h"

namespace analytics::query {

/// Kind of the values of a column: ids of texts in the column's dictionary, values of Channel or
/// ScreenClass, LanguageNumbers, or ids of Clients or Places, which have several texts.
enum class ValueKind { kText, kChannel, kScreen, kLanguage, kClient, kPlace };

/// A column that is stored for each event, even if queries read it from the visit's first event.
struct OwnColumn {
  Column column;
  const char* name;  ///< Name in database tables, where a Client or Place has a column per member.
  ValueKind kind = ValueKind::kText;
};

/// All columns that are stored for each event, in the order in which rows, parts, the journal and
/// the tables of a cluster contain them; parts store the indexes of columns in this array, so these
/// must not change. From kReferrer on, queries see the values of the visit's first event instead of
/// the event's own.
inline constexpr std::array kOwnColumns = {
    OwnColumn{Column::kName, "name"},
    OwnColumn{Column::kHostname, "hostname"},
    OwnColumn{Column::kPath, "path"},
    OwnColumn{Column::kProps, "props"},
    OwnColumn{Column::kCurrency, "revenue_currency"},
    OwnColumn{Column::kReferrer, "referrer"},
    OwnColumn{Column::kSource, "source"},
    OwnColumn{Column::kChannel, "channel", ValueKind::kChannel},
    OwnColumn{Column::kUtmSource, "utm_source"},
    OwnColumn{Column::kUtmMedium, "utm_medium"},
    OwnColumn{Column::kUtmCampaign, "utm_campaign"},
    OwnColumn{Column::kUtmContent, "utm_content"},
    OwnColumn{Column::kUtmTerm, "utm_term"},
    OwnColumn{Column::kClient, "client", ValueKind::kClient},
    OwnColumn{Column::kPlace, "place", ValueKind::kPlace},
    OwnColumn{Column::kScreen, "screen", ValueKind::kScreen},
    OwnColumn{Column::kLanguage, "language", ValueKind::kLanguage},
};

/// Returns the index of a column in kOwnColumns; kOwnColumns.size() for a column that is not in it.
[[nodiscard]] constexpr std::size_t own_place(Column column) {
  std::size_t place = 0;
  while (place < kOwnColumns.size() && kOwnColumns[place].column != column) ++place;
  return place;
}

/// Index in kOwnColumns of the first column that queries read from the visit's first event.
inline constexpr std::size_t kFirstOfVisit = own_place(Column::kReferrer);

}  // namespace analytics::query
