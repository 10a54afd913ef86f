#include "daemon/app/route_table.h"

#include "daemon/api/handlers.h"
#include "daemon/api/registry/registry_handlers.h"
#include "daemon/call/errors.h"
#include "daemon/http/router.h"
#include "daemon/share/handlers.h"

namespace analytics {
namespace {

using namespace api;
using enum http::Method;
using enum Scope;

constexpr auto kEventBody = BodyLimit::kEvent;
constexpr auto kBulkBody = BodyLimit::kBulk;
constexpr auto kSmallBody = BodyLimit::kProvisioning;
constexpr std::nullopt_t kPublic = std::nullopt;
constexpr Access kReadSites(kSitesRead, kSitesWrite);
constexpr Access kReadGoals(kSitesRead, kGoalsWrite);

// A literal path must come before a pattern that also matches it, because the first match counts.
constexpr Route kRoutes[] = {
    {kPost, "/api/event", kPublic, kEventBody, kHandler<post_event>},
    {kGet, "/api/pixel.gif", kPublic, kSmallBody, kHandler<get_pixel>},
    {kGet, "/api/openapi.json", kPublic, kSmallBody, kHandler<get_openapi>},
    {kGet, "/js/{script}", kPublic, kSmallBody, kHandler<get_tracker>},
    {kPost, "/api/v1/events", kEventsImport, kBulkBody, kHandler<post_bulk>},
    {kGet, "/api/health", kPublic, kSmallBody, kHandler<get_health>},
    {kGet, "/api/health/live", kPublic, kSmallBody, kHandler<get_live>},
    {kGet, "/api/health/ready", kPublic, kSmallBody, kHandler<get_ready>},
    {kPost, "/api/v1/sites", kSitesWrite, kSmallBody, kHandler<create_site>},
    {kGet, "/api/v1/sites", kReadSites, kSmallBody, kHandler<list_sites>},
    {kPut, "/api/v1/sites/shared-links", kLinksWrite, kSmallBody, kHandler<ensure_link>},
    {kGet, "/api/v1/sites/shared-links", kLinksWrite, kSmallBody, kHandler<list_links>},
    {kDelete, "/api/v1/sites/shared-links", kLinksWrite, kSmallBody, kHandler<delete_link>},
    {kPut, "/api/v1/account/shared-links", kLinksWrite, kSmallBody, kHandler<ensure_account_link>},
    {kGet, "/api/v1/account/shared-links", kLinksWrite, kSmallBody, kHandler<list_account_links>},
    {kDelete, "/api/v1/account/shared-links", kLinksWrite, kSmallBody,
     kHandler<delete_account_link>},
    {kPut, "/api/v1/sites/goals", kGoalsWrite, kSmallBody, kHandler<ensure_goal>},
    {kGet, "/api/v1/sites/goals", kReadGoals, kSmallBody, kHandler<list_goals>},
    {kDelete, "/api/v1/sites/goals/{goal}", kGoalsWrite, kSmallBody, kHandler<delete_goal>},
    {kPut, "/api/v1/sites/funnels", kGoalsWrite, kSmallBody, kHandler<ensure_funnel>},
    {kGet, "/api/v1/sites/funnels", kReadGoals, kSmallBody, kHandler<list_funnels>},
    {kDelete, "/api/v1/sites/funnels", kGoalsWrite, kSmallBody, kHandler<delete_funnel>},
    {kPut, "/api/v1/sites/custom-props", kGoalsWrite, kSmallBody, kHandler<ensure_property>},
    {kDelete, "/api/v1/sites/custom-props/{property}", kGoalsWrite, kSmallBody,
     kHandler<delete_property>},
    {kGet, "/api/v1/sites/{site}/drops", kSitesRead, kSmallBody, kHandler<list_drops>},
    {kPut, "/api/v1/sites/{site}/exclusions", kSitesWrite, kSmallBody, kHandler<ensure_exclusion>},
    {kGet, "/api/v1/sites/{site}/exclusions", kReadSites, kSmallBody, kHandler<list_exclusions>},
    {kDelete, "/api/v1/sites/{site}/exclusions/{exclusion}", kSitesWrite, kSmallBody,
     kHandler<delete_exclusion>},
    {kGet, "/api/v1/sites/{site}/imports", kEventsImport, kSmallBody, kHandler<list_imports>},
    {kGet, "/api/v1/sites/{site}/imports/{import}", kEventsImport, kSmallBody,
     kHandler<get_import>},
    {kDelete, "/api/v1/sites/{site}/imports/{import}", kEventsImport, kSmallBody,
     kHandler<delete_import>},
    {kPost, "/api/v1/sites/{site}/imports/{import}/totals", kEventsImport, kBulkBody,
     kHandler<post_totals>},
    {kGet, "/api/v1/sites/{site}/events", kStatsRead, kSmallBody, kHandler<export_events>},
    {kDelete, "/api/v1/sites/{site}/events", kSitesWrite, kSmallBody, kHandler<delete_events>},
    {kGet, "/api/v1/sites/{site}", kReadSites, kSmallBody, kHandler<get_site>},
    {kPut, "/api/v1/sites/{site}", kSitesWrite, kSmallBody, kHandler<update_site>},
    {kPatch, "/api/v1/sites/{site}", kSitesWrite, kSmallBody, kHandler<update_site>},
    {kDelete, "/api/v1/sites/{site}", kSitesWrite, kSmallBody, kHandler<delete_site>},
    {kGet, "/api/v1/stats/aggregate", kStatsRead, kSmallBody, kHandler<get_aggregate>},
    {kGet, "/api/v1/stats/timeseries", kStatsRead, kSmallBody, kHandler<get_timeseries>},
    {kGet, "/api/v1/stats/breakdown", kStatsRead, kSmallBody, kHandler<get_breakdown>},
    {kGet, "/api/v1/stats/realtime/visitors", kStatsRead, kSmallBody,
     kHandler<get_realtime_visitors>},
    {kGet, "/api/v1/stats/funnel", kStatsRead, kSmallBody, kHandler<get_funnel>},
    {kGet, "/api/v1/stats/sites", kStatsRead, kSmallBody, kHandler<get_summaries>},
    {kGet, "/api/v1/stats/alerts", kStatsRead, kSmallBody, kHandler<get_alerts>},
    {kPost, "/api/v2/query", kStatsRead, BodyLimit::kQuery, kHandler<post_query>},
    {kGet, "/", kPublic, kSmallBody, kHandler<share::get_front>},
    {kGet, "/share/@all", kPublic, kSmallBody, kHandler<share::get_all_sites>},
    {kPost, "/share/@all", kPublic, kSmallBody, kHandler<share::post_account_password>},
    {kGet, "/share/{site}", kPublic, kSmallBody, kHandler<share::get_page>},
    {kPost, "/share/{site}", kPublic, kSmallBody, kHandler<share::post_password>},
    {kGet, "/share/{site}/current", kPublic, kSmallBody, kHandler<share::get_current>},
    {kGet, "/share/{site}/csv", kPublic, kSmallBody, kHandler<share::get_csv>},
    {kGet, "/assets/share.css", kPublic, kSmallBody, kHandler<get_share_stylesheet>},
    {kGet, "/assets/background.css", kPublic, kSmallBody, kHandler<share::get_background>},
    {kGet, "/assets/map.svg", kPublic, kSmallBody, kHandler<get_map>},
    {kGet, "/assets/share.js", kPublic, kSmallBody, kHandler<get_share_script>},
};

constexpr char kNoProperties[] =
    "Properties need no declaration here: every property of an event is stored and can be queried.";
constexpr char kNoGuests[] =
    "There are no guests here: give people a shared link, with PUT /api/v1/sites/shared-links.";
constexpr char kNoPlugins[] =
    "The plugins API does not exist here: use the sites API, /api/v1/sites, with a key.";
constexpr char kNoDashboard[] =
    "The dashboard's own API does not exist here: use the stats API, POST /api/v2/query.";
constexpr char kOtherHealth[] = "Use GET /api/health, /api/health/live or /api/health/ready.";

/// Paths of Plausible that do not exist here, each with what to do instead.
constexpr struct {
  std::string_view pattern;
  std::string_view advice;
} kOtherPaths[] = {
    {"/api/v1/sites/custom-props", kNoProperties},
    {"/api/v1/sites/guests", kNoGuests},
    {"/api/v1/sites/guests/{email}", kNoGuests},
    {"/api/v1/sites/teams",
     "There are no teams here: each key belongs to an account, which owns its sites."},
    {"/api/plugins/v1/{resource}", kNoPlugins},
    {"/api/plugins/v1/{resource}/{id}", kNoPlugins},
    {"/api/stats/{site}/{report}", kNoDashboard},
    {"/api/stats/{site}/{report}/{detail}", kNoDashboard},
    {"/api/system", kOtherHealth},
    {"/api/system/health/{kind}", kOtherHealth},
    {"/api/docs/query/schema.json", "The API is described in GET /api/openapi.json."},
};

std::string_view advice_on(std::string_view path) {
  for (const auto& other : kOtherPaths) {
    if (http::match_path(other.pattern, path).matches) return other.advice;
  }
  return {};
}

http::Response not_found(const http::Head& head) {
  if (http::first_segment(head.path) == "share") return share::not_found();
  if (const auto advice = advice_on(head.path); !advice.empty()) {
    return error_response(ErrorCode::kNotSupported, std::string(advice));
  }
  return error_response(ErrorCode::kNotFound, "Unknown path.");
}

}  // namespace

api::RouteTable route_table() { return {kRoutes, not_found, advice_on}; }

}  // namespace analytics
