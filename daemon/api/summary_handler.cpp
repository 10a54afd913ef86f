#include <nlohmann/json.hpp>

#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/stats/site_summary.h"
#include "daemon/stats/value_json.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const SiteSummary& summary) {
  ordered_json row = {{"domain", summary.site.domain},
                      {"timezone", summary.site.timezone},
                      {"current_visitors", summary.current},
                      {"visitors_today", summary.today},
                      {"visitors_7d", summary.week},
                      {"visitors_7d_before", summary.week_before},
                      {"change_7d", to_json(week_change(summary))},
                      {"visitors_by_day", summary.days},
                      {"last_event_at", nullptr},
                      {"dropped_today", summary.dropped_today},
                      {"meta", ordered_json::object()}};
  if (summary.last_event) row["last_event_at"] = format_rfc3339(*summary.last_event);
  add_to(row["meta"], summary.caveats);
  return row;
}

}  // namespace

void get_summaries(const ReadContext& context, const Call& call, http::Responder respond) {
  auto page = call.params.page();
  if (!page) return respond(error_response(page.error()));
  page->limit = std::min(page->limit, kMaxSitesAtOnce);
  read_stats(
      context, lane_of_account(context, call.key->account),
      [account = call.key->account, only = call.key->sites, page = *page,
       now = context.now_in_seconds()](store::Reader& reader) -> Result<http::Response> {
        const auto sites = TRY(reader.registry->list_sites(account, only, page));
        auto rows = ordered_json::array();
        for (const auto& site : sites.items) {
          const auto summary = TRY(summarise(site, now, *reader.registry, *reader.stats));
          rows.push_back(json_of(summary));
        }
        return list_response("sites", std::move(rows), page, sites.ends);
      },
      std::move(respond));
}

}  // namespace analytics::api
