#include "cli/replay/formats/export_format.h"

#include <algorithm>

namespace analytics::cli {
namespace {

constexpr std::string_view kGoatCounter[] = {"Referrer scheme", "FirstVisit", "Session"};
constexpr std::string_view kUmami[] = {"url_path", "referrer_domain", "event_type", "session_id"};
constexpr std::string_view kPlausibleColumns[] = {"pathname", "hostname", "user_id",
                                                  "referrer_source"};
constexpr std::string_view kPosthog[] = {"event", "distinct_id", "properties"};
constexpr std::string_view kSegment[] = {"type"};
constexpr std::string_view kGa4[] = {"event_name", "event_timestamp", "event_params"};
constexpr std::string_view kMatomo[] = {"idVisit", "actionDetails"};
constexpr std::string_view kSnowplow[] = {"collector_tstamp", "event", "event_id", "page_url",
                                          "domain_userid"};

constexpr std::string_view kSeveralOfPosthog[] = {"\"results\"", "$prev_pageview_pathname"};
constexpr std::string_view kSeveralOfSegment[] = {"\"batch\"", "\\\"batch\\\""};
constexpr std::string_view kSeveralOfMatomo[] = {"actionDetails"};

constexpr ExportFormat kExportFormats[] = {
    {"goatcounter", "has the header of GoatCounter's export", "GoatCounter's CSV export",
     kGoatCounter, read_goatcounter},
    {"umami", "has the columns of Umami's website_event",
     "Umami's SQL dump, or website_event as CSV, with session.csv and event_data.csv", kUmami,
     read_umami},
    {"plausible", "has the columns of Plausible's events",
     "Plausible's table events_v2 as CSV, TSV or JSON with names", kPlausibleColumns,
     read_plausible},
    {"posthog", "is an event of PostHog", "PostHog's events as JSON or CSV", kPosthog, read_posthog,
     divide_posthog, kSeveralOfPosthog},
    {"segment", "is a call of Segment or RudderStack", "Segment's and RudderStack's calls as JSON",
     kSegment, read_segment, divide_segment, kSeveralOfSegment, is_segment},
    {"ga4", "is an event of Google Analytics 4", "Google Analytics 4's BigQuery export as JSON",
     kGa4, read_ga4},
    {"matomo", "is a visit of Matomo's Live API",
     "Matomo's visits with their actions, as JSON of its Live API", kMatomo, read_matomo,
     divide_matomo, kSeveralOfMatomo},
    {"snowplow", "is an enriched event of Snowplow", "Snowplow's enriched events as TSV", kSnowplow,
     read_snowplow},
};

}  // namespace

std::span<const ExportFormat> export_formats() { return kExportFormats; }

const ExportFormat* find_export_format(std::string_view name) {
  if (name == "rudderstack") name = "segment";
  const auto* found = std::find_if(std::begin(kExportFormats), std::end(kExportFormats),
                                   [&](const ExportFormat& format) { return format.name == name; });
  return found == std::end(kExportFormats) ? nullptr : found;
}

const ExportFormat* guess_export_format(const ExportRow& row) {
  const auto fits = [&](const ExportFormat& format) {
    return std::all_of(format.marks.begin(), format.marks.end(),
                       [&](std::string_view name) { return row.has(name); }) &&
           (format.is_row == nullptr || format.is_row(row));
  };
  const auto* found = std::find_if(std::begin(kExportFormats), std::end(kExportFormats), fits);
  return found == std::end(kExportFormats) ? nullptr : found;
}

}  // namespace analytics::cli
