#include "daemon/app/route_table.h"

#include "daemon/api/handlers.h"
#include "daemon/api/registry/registry_handlers.h"
#include "daemon/call/errors.h"
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

// Literal paths come before patterns that would match them, because the first match counts.
constexpr Route kRoutes[] = {
    {kPost, "/api/event", kPublic, kEventBody, post_event, true},
    {kOptions, "/api/event", kPublic, kEventBody, event_options, true},
    {kGet, "/api/pixel.gif", kPublic, kSmallBody, get_pixel},
    {kGet, "/api/openapi.json", kPublic, kSmallBody, get_openapi},
    {kGet, "/js/{script}", kPublic, kSmallBody, get_tracker},
    {kPost, "/api/v1/events", kEventsImport, kBulkBody, post_bulk},
    {kGet, "/api/health", kPublic, kSmallBody, get_health},
    {kGet, "/api/health/live", kPublic, kSmallBody, get_live},
    {kGet, "/api/health/ready", kPublic, kSmallBody, get_ready},
    {kPost, "/api/v1/sites", kSitesWrite, kSmallBody, create_site},
    {kGet, "/api/v1/sites", kReadSites, kSmallBody, list_sites},
    {kPut, "/api/v1/sites/shared-links", kLinksWrite, kSmallBody, ensure_link},
    {kGet, "/api/v1/sites/shared-links", kLinksWrite, kSmallBody, list_links},
    {kDelete, "/api/v1/sites/shared-links", kLinksWrite, kSmallBody, delete_link},
    {kPut, "/api/v1/account/shared-links", kLinksWrite, kSmallBody, ensure_account_link},
    {kGet, "/api/v1/account/shared-links", kLinksWrite, kSmallBody, list_account_links},
    {kDelete, "/api/v1/account/shared-links", kLinksWrite, kSmallBody, delete_account_link},
    {kPut, "/api/v1/sites/goals", kGoalsWrite, kSmallBody, ensure_goal},
    {kGet, "/api/v1/sites/goals", kReadGoals, kSmallBody, list_goals},
    {kDelete, "/api/v1/sites/goals/{goal}", kGoalsWrite, kSmallBody, delete_goal},
    {kPut, "/api/v1/sites/funnels", kGoalsWrite, kSmallBody, ensure_funnel},
    {kGet, "/api/v1/sites/funnels", kReadGoals, kSmallBody, list_funnels},
    {kDelete, "/api/v1/sites/funnels", kGoalsWrite, kSmallBody, delete_funnel},
    {kGet, "/api/v1/sites/{site}/drops", kSitesRead, kSmallBody, list_drops},
    {kPut, "/api/v1/sites/{site}/exclusions", kSitesWrite, kSmallBody, ensure_exclusion},
    {kGet, "/api/v1/sites/{site}/exclusions", kReadSites, kSmallBody, list_exclusions},
    {kDelete, "/api/v1/sites/{site}/exclusions/{exclusion}", kSitesWrite, kSmallBody,
     delete_exclusion},
    {kGet, "/api/v1/sites/{site}/imports", kEventsImport, kSmallBody, list_imports},
    {kGet, "/api/v1/sites/{site}/imports/{import}", kEventsImport, kSmallBody, get_import},
    {kDelete, "/api/v1/sites/{site}/imports/{import}", kEventsImport, kSmallBody, delete_import},
    {kPost, "/api/v1/sites/{site}/imports/{import}/totals", kEventsImport, kBulkBody, post_totals},
    {kGet, "/api/v1/sites/{site}/events", kStatsRead, kSmallBody, export_events},
    {kDelete, "/api/v1/sites/{site}/events", kSitesWrite, kSmallBody, delete_events},
    {kGet, "/api/v1/sites/{site}", kReadSites, kSmallBody, get_site},
    {kPut, "/api/v1/sites/{site}", kSitesWrite, kSmallBody, update_site},
    {kPatch, "/api/v1/sites/{site}", kSitesWrite, kSmallBody, update_site},
    {kDelete, "/api/v1/sites/{site}", kSitesWrite, kSmallBody, delete_site},
    {kGet, "/api/v1/stats/aggregate", kStatsRead, kSmallBody, get_aggregate},
    {kGet, "/api/v1/stats/timeseries", kStatsRead, kSmallBody, get_timeseries},
    {kGet, "/api/v1/stats/breakdown", kStatsRead, kSmallBody, get_breakdown},
    {kGet, "/api/v1/stats/realtime/visitors", kStatsRead, kSmallBody, get_realtime_visitors},
    {kGet, "/api/v1/stats/funnel", kStatsRead, kSmallBody, get_funnel},
    {kGet, "/api/v1/stats/sites", kStatsRead, kSmallBody, get_summaries},
    {kGet, "/api/v1/stats/alerts", kStatsRead, kSmallBody, get_alerts},
    {kPost, "/api/v2/query", kStatsRead, BodyLimit::kQuery, post_query},
    {kGet, "/", kPublic, kSmallBody, share::get_front},
    {kGet, "/share/@all", kPublic, kSmallBody, share::get_all_sites},
    {kPost, "/share/@all", kPublic, kSmallBody, share::post_account_password},
    {kGet, "/share/{site}", kPublic, kSmallBody, share::get_page},
    {kPost, "/share/{site}", kPublic, kSmallBody, share::post_password},
    {kGet, "/share/{site}/current", kPublic, kSmallBody, share::get_current},
    {kGet, "/share/{site}/csv", kPublic, kSmallBody, share::get_csv},
    {kGet, "/assets/share.css", kPublic, kSmallBody, get_share_stylesheet},
    {kGet, "/assets/background.css", kPublic, kSmallBody, share::get_background},
    {kGet, "/assets/map.svg", kPublic, kSmallBody, get_map},
    {kGet, "/assets/share.js", kPublic, kSmallBody, get_share_script},
};

http::Response not_found(const http::Head& head) {
  if (head.path == "/share" || head.path.starts_with("/share/")) return share::not_found();
  return error_response(ErrorCode::kNotFound, "Unknown path.");
}

}  // namespace

api::RouteTable route_table() { return {kRoutes, not_found}; }

}  // namespace analytics
