#pragma once

#include "common/dimension.h"

/// Choices that a person has on a shared page, as its URL names them.
namespace analytics::share {

/// A period: its name in a URL, its name on the page, and the key for it.
struct PeriodName {
  const char* id;
  const char* name;
  const char* key;
};
/// The half hour up to now, by minutes.
inline constexpr char kRealtimePeriod[] = "realtime";

/// A filter on one property, whose name is typed.
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
/// Dimensions that the page can filter by, as the Stats API names them. Places by name, not by
/// code.
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
  int hours;  ///< About.
};
inline constexpr IntervalName kIntervals[] = {{"hour", "Hours", Field::kHour, 1},
                                              {"day", "Days", Field::kDay, 24},
                                              {"week", "Weeks", Field::kWeek, 7 * 24},
                                              {"month", "Months", Field::kMonth, 30 * 24}};

}  // namespace analytics::share
