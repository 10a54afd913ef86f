#pragma once

#include "common/wire/dimension.h"

/// Periods, filters and intervals that a shared page offers, with their names in its URL.
namespace analytics::share {

/// A period: its name in the URL, its label on the page, and its keyboard shortcut.
struct PeriodName {
  const char* id;
  const char* name;
  const char* key;
};
/// Id of the period that shows the last 30 minutes, minute by minute.
inline constexpr char kRealtimePeriod[] = "realtime";

/// Id of the filter by a custom property; the viewer of the page types the property's name.
inline constexpr char kPropertyFilter[] = "event:props";

inline constexpr PeriodName kPeriods[] = {{kRealtimePeriod, "Realtime", "r"},
                                          {"day", "Today", "d"},
                                          {"7d", "7 days", "w"},
                                          {"30d", "30 days", "t"},
                                          {"month", "This month", "m"},
                                          {"6mo", "6 months", "s"},
                                          {"12mo", "12 months", "l"},
                                          {"year", "This year", "y"},
                                          {"all", "All time", "a"}};

struct FilterName {
  const char* id;
  const char* name;
};
/// Dimensions that the page can filter by, as the Stats API names them. Countries and regions are
/// filtered by name, not by code.
inline constexpr FilterName kFilterFields[] = {{"event:page", "Page"},
                                               {"visit:entry_page", "Entry page"},
                                               {"visit:exit_page", "Exit page"},
                                               {"event:hostname", "Host"},
                                               {"visit:entry_page_hostname", "Entry host"},
                                               {"visit:exit_page_hostname", "Exit host"},
                                               {"visit:source", "Source"},
                                               {"visit:channel", "Channel"},
                                               {"visit:referrer", "Referrer"},
                                               {"visit:utm_campaign", "Campaign"},
                                               {"visit:utm_medium", "Medium"},
                                               {"visit:utm_source", "UTM source"},
                                               {"visit:utm_content", "Content"},
                                               {"visit:utm_term", "Term"},
                                               {"visit:country_name", "Country"},
                                               {"visit:region_name", "Region"},
                                               {"visit:city", "City"},
                                               {"visit:language", "Language code"},
                                               {"visit:device", "Device"},
                                               {"visit:screen", "Screen"},
                                               {"visit:browser", "Browser"},
                                               {"visit:browser_version", "Browser version"},
                                               {"visit:os", "System"},
                                               {"visit:os_version", "System version"},
                                               {"event:goal", "Goal"},
                                               {"event:name", "Event"},
                                               {kPropertyFilter, "Property"}};
inline constexpr FilterName kFilterOperators[] = {
    {"is", "is"},
    {"is_not", "is not"},
    {"contains", "contains"},
    {"contains_not", "does not contain"},
    {"matches_wildcard", "matches the pattern"},
    {"matches_wildcard_not", "does not match the pattern"}};

struct IntervalName {
  const char* id;
  const char* name;
  Field field;
  int hours;  ///< Approximate length in hours.
};
inline constexpr IntervalName kIntervals[] = {{"hour", "Hours", Field::kHour, 1},
                                              {"day", "Days", Field::kDay, 24},
                                              {"week", "Weeks", Field::kWeek, 7 * 24},
                                              {"month", "Months", Field::kMonth, 30 * 24}};

}  // namespace analytics::share
