#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/stats/alert_json.h"
#include "daemon/stats/alerts.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kMaxSilentHours = 8'760;

/// Returns the hours without events after which a site counts as silent: the request's parameter
/// `silent_hours`, or else the setting of that name. Errors: kInvalidParameter.
Result<std::chrono::hours> silent_after(const ReadContext& context, const Params& params) {
  const auto* text = params.find_text("silent_hours");
  if (text == nullptr) return std::chrono::hours(context.settings.snapshot()->silent_hours);
  const auto hours = parse_int(trim(*text));
  if (hours && *hours >= 1 && *hours <= kMaxSilentHours) return std::chrono::hours(*hours);
  return fail({ErrorCode::kInvalidParameter,
               "silent_hours must be 1 to 8760.",
               {{"silent_hours", "must be 1 to 8760"}}});
}

/// Finds the problems of a site, such as missing events, and appends each to `rows` as JSON.
/// Errors: those of the stores.
Status add_alerts(const Site& site, UnixSeconds now, const AlertRules& rules, store::Reader& reader,
                  ordered_json& rows) {
  const auto alerts = TRY(find_alerts(site.id, now, rules, *reader.registry, *reader.stats));
  for (const auto& alert : alerts) rows.push_back(to_json(alert));
  return {};
}

}  // namespace

void get_alerts(const ReadContext& context, const Call& call, http::Responder respond) {
  auto page = call.params.page();
  if (!page) return respond(error_response(page.error()));
  page->limit = std::min(page->limit, kMaxSitesAtOnce);
  const auto silent = silent_after(context, call.params);
  if (!silent) return respond(error_response(silent.error()));
  std::optional<Site> only;
  if (call.params.find("site_id") != nullptr) {
    auto site = call.site_parameter();
    if (!site) return respond(error_response(site.error()));
    only = std::move(*site);
  }
  read_stats(
      context, only ? lane_of_site(context, only->id) : lane_of_account(context, call.key->account),
      [account = call.key->account, key_sites = call.key->sites, page = *page,
       rules = AlertRules{*silent, context.settings.snapshot()->default_keep}, only,
       now = context.now_in_seconds()](store::Reader& reader) -> Result<http::Response> {
        store::Page<Site> sites;
        if (only) {
          sites.items.push_back(*only);
        } else {
          sites = TRY(reader.registry->list_sites(account, key_sites, page));
        }
        auto rows = ordered_json::array();
        for (const auto& site : sites.items) TRY(add_alerts(site, now, rules, reader, rows));
        return list_response("alerts", std::move(rows), page, sites.ends);
      },
      std::move(respond));
}

}  // namespace analytics::api
