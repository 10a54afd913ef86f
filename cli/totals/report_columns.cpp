#include "cli/totals/report_columns.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics::cli {
namespace {

struct NamedColumn {
  std::string_view name;  ///< Name of the column in lower case.
  Column column;
};

constexpr Column dimension(std::string_view name) { return {ColumnKind::kDimension, name}; }
constexpr Column count(std::int64_t DaySums::*sum) { return {ColumnKind::kCount, {}, sum}; }
constexpr Column plain(ColumnKind kind) { return {kind}; }
constexpr Column metadata(std::string_view name) { return {ColumnKind::kMetadata, name}; }

using enum ColumnKind;
constexpr NamedColumn kColumns[] = {
    {"date", plain(kDate)},
    {"day", plain(kDate)},
    {"date + hour (yyyymmddhh)", plain(kDate)},
    {"datum", plain(kDate)},
    {"fecha", plain(kDate)},
    {"nth day", plain(kDayNumber)},
    {"tag n", plain(kDayNumber)},
    {"día n", plain(kDayNumber)},

    // Columns of Plausible's export: https://plausible.io/docs/csv-import
    {"source", dimension("visit:source")},
    {"referrer", dimension("visit:referrer")},
    {"utm_source", dimension("visit:utm_source")},
    {"utm_medium", dimension("visit:utm_medium")},
    {"utm_campaign", dimension("visit:utm_campaign")},
    {"utm_content", dimension("visit:utm_content")},
    {"utm_term", dimension("visit:utm_term")},
    {"hostname", dimension("event:hostname")},
    {"page", dimension("event:page")},
    {"entry_page", dimension("visit:entry_page")},
    {"exit_page", dimension("visit:exit_page")},
    {"name", dimension("event:name")},
    {"link_url", dimension("event:props:url")},
    {"path", dimension("event:props:path")},
    {"country", dimension("visit:country")},
    {"region", dimension("visit:region")},
    {"city", plain(kNothing)},  // not imported: a GeoNames id or a bare name
    {"device", dimension("visit:device")},
    {"browser", dimension("visit:browser")},
    {"browser_version", dimension("visit:browser_version")},
    {"operating_system", dimension("visit:os")},
    {"operating_system_version", dimension("visit:os_version")},
    {"property", plain(kPropertyName)},
    {"value", plain(kPropertyValue)},
    {"visitors", count(&DaySums::visitors)},
    {"visits", count(&DaySums::visits)},
    {"entrances", count(&DaySums::visits)},
    {"exits", count(&DaySums::visits)},
    {"pageviews", count(&DaySums::pageviews)},
    {"events", count(&DaySums::events)},
    {"bounces", count(&DaySums::bounces)},
    {"visit_duration", count(&DaySums::seconds)},
    {"total_scroll_depth", plain(kNothing)},
    {"total_scroll_depth_visits", plain(kNothing)},
    {"total_time_on_page", plain(kNothing)},
    {"total_time_on_page_visits", plain(kNothing)},

    // Columns of Google Analytics 4: reports, explorations and Data API.
    {"page path and screen class", dimension("event:page")},
    {"page path + query string and screen class", dimension("event:page")},
    {"page path", dimension("event:page")},
    {"pagepath", dimension("event:page")},
    {"landing page", dimension("visit:entry_page")},
    {"landing page + query string", dimension("visit:entry_page")},
    {"landingpage", dimension("visit:entry_page")},
    {"host name", dimension("event:hostname")},
    {"session source", dimension("visit:source")},
    {"sessionsource", dimension("visit:source")},
    {"session source / medium", plain(kSourceMedium)},
    {"session medium", dimension("visit:utm_medium")},
    {"sessionmedium", dimension("visit:utm_medium")},
    {"session campaign", dimension("visit:utm_campaign")},
    {"sessioncampaignname", dimension("visit:utm_campaign")},
    {"session primary channel group (default channel group)", dimension("visit:channel")},
    {"session default channel group", dimension("visit:channel")},
    {"sessiondefaultchannelgroup", dimension("visit:channel")},
    {"country id", dimension("visit:country")},
    {"countryid", dimension("visit:country")},
    {"device category", dimension("visit:device")},
    {"devicecategory", dimension("visit:device")},
    {"operating system", dimension("visit:os")},
    {"operatingsystem", dimension("visit:os")},
    {"operatingsystemversion", dimension("visit:os_version")},
    {"event name", dimension("event:name")},
    {"eventname", dimension("event:name")},
    {"users", count(&DaySums::visitors)},
    {"active users", count(&DaySums::visitors)},
    {"activeusers", count(&DaySums::visitors)},
    {"total users", count(&DaySums::visitors)},
    {"totalusers", count(&DaySums::visitors)},
    {"sessions", count(&DaySums::visits)},
    {"views", count(&DaySums::pageviews)},
    {"screenpageviews", count(&DaySums::pageviews)},
    {"screen page views", count(&DaySums::pageviews)},
    {"userengagementduration", plain(kEngagedSeconds)},
    {"user engagement", plain(kEngagedSeconds)},
    {"event count", count(&DaySums::events)},
    {"eventcount", count(&DaySums::events)},
    {"engaged sessions", plain(kEngagedVisits)},
    {"engagedsessions", plain(kEngagedVisits)},
    {"bounce rate", plain(kBounceRate)},
    {"bouncerate", plain(kBounceRate)},
    {"average session duration", plain(kMeanSeconds)},
    {"averagesessionduration", plain(kMeanSeconds)},

    // Columns of Matomo, by their names in its API and in English.
    {"label", plain(kLabel)},
    {"nb_uniq_visitors", count(&DaySums::visitors)},
    {"unique visitors", count(&DaySums::visitors)},
    {"nb_visits", count(&DaySums::visits)},
    {"unique pageviews", count(&DaySums::visits)},
    {"nb_hits", count(&DaySums::pageviews)},
    {"nb_pageviews", count(&DaySums::pageviews)},
    {"bounce_count", count(&DaySums::bounces)},
    {"sum_visit_length", count(&DaySums::seconds)},
    {"total time spent by visitors (in seconds)", count(&DaySums::seconds)},
    {"bounce_rate", plain(kBounceRate)},
    {"avg_time_on_site", plain(kMeanSeconds)},
    {"avg. visit duration (in seconds)", plain(kMeanSeconds)},
    {"metadata_url", metadata("url")},
    {"metadata: url", metadata("url")},
    {"metadata_code", metadata("code")},
    {"metadata: code", metadata("code")},
    {"metadata_segment", metadata("segment")},
    {"metadata: segment", metadata("segment")},
    {"metadata_is_aggregate", metadata("is_aggregate")},
    {"metadata: is_aggregate", metadata("is_aggregate")},
};

}  // namespace

std::optional<Column> find_column(std::string_view name) {
  const auto lower = ascii_lower(trim(name));
  const auto* found = std::find_if(std::begin(kColumns), std::end(kColumns),
                                   [&](const NamedColumn& row) { return row.name == lower; });
  return found == std::end(kColumns) ? std::nullopt : std::optional(found->column);
}

}  // namespace analytics::cli
