#include "daemon/query/events/column.h"

#include <stdexcept>

namespace analytics::query {

Column column_of(Field field) {
  switch (field) {
    case Field::kName: return Column::kName;
    case Field::kPage: return Column::kPath;
    case Field::kHostname: return Column::kHostname;
    case Field::kProp: return Column::kProps;
    case Field::kSource: return Column::kSource;
    case Field::kChannel: return Column::kChannel;
    case Field::kReferrer: return Column::kReferrer;
    case Field::kUtmSource: return Column::kUtmSource;
    case Field::kUtmMedium: return Column::kUtmMedium;
    case Field::kUtmCampaign: return Column::kUtmCampaign;
    case Field::kUtmContent: return Column::kUtmContent;
    case Field::kUtmTerm: return Column::kUtmTerm;
    case Field::kDevice:
    case Field::kBrowser:
    case Field::kBrowserVersion:
    case Field::kOs:
    case Field::kOsVersion: return Column::kClient;
    case Field::kCountry:
    case Field::kRegion:
    case Field::kCity:
    case Field::kCountryName:
    case Field::kRegionName:
    case Field::kCityName: return Column::kPlace;
    case Field::kScreen: return Column::kScreen;
    case Field::kLanguage: return Column::kLanguage;
    case Field::kEntryPage: return Column::kEntryPage;
    case Field::kExitPage: return Column::kExitPage;
    case Field::kEntryHostname: return Column::kEntryHostname;
    case Field::kExitHostname: return Column::kExitHostname;
    case Field::kGoal:
    case Field::kPropKey:
    case Field::kMinute:
    case Field::kHour:
    case Field::kDay:
    case Field::kWeek:
    case Field::kMonth: break;
  }
  throw std::logic_error("no column holds this field alone");
}

void add_columns_of(Field field, ColumnSet& columns) {
  if (is_time(field)) return columns.add(Column::kTime);
  if (field == Field::kPropKey) return columns.add(Column::kProps);
  if (field != Field::kGoal) return columns.add(column_of(field));
  columns.add(Column::kName);
  columns.add(Column::kPath);
}

}  // namespace analytics::query
