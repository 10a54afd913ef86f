#pragma once

#include <array>
#include <cstddef>

#include "daemon/query/events/column.h"

namespace analytics::query {

/// What the numbers of a column stand for: a text of the column's dictionary, a value of Channel or
/// ScreenClass, a LanguageNumber, or a Client or Place, which have several texts.
enum class ValueKind { kText, kChannel, kScreen, kLanguage, kClient, kPlace };

/// A column whose value each event is stored with.
struct OwnColumn {
  Column column;
  const char* name;  ///< Name of the column in tables; a Client or Place has a column per part.
  ValueKind kind = ValueKind::kText;
};

/// All such columns, in the order in which rows, parts, the journal and the tables of a cluster
/// store them; parts store their indexes. From kReferrer on, queries see the values of the visit's
/// first event instead.
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

/// Returns the index of a column in kOwnColumns; kOwnColumns.size() for another column.
[[nodiscard]] constexpr std::size_t own_place(Column column) {
  std::size_t place = 0;
  while (place < kOwnColumns.size() && kOwnColumns[place].column != column) ++place;
  return place;
}

/// Index of the first column that queries read from the visit's first event.
inline constexpr std::size_t kFirstOfVisit = own_place(Column::kReferrer);

}  // namespace analytics::query
