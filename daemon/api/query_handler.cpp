#include <nlohmann/json.hpp>

#include "common/json.h"
#include "daemon/api/errors.h"
#include "daemon/api/handlers.h"
#include "daemon/api/representation.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/buckets.h"
#include "daemon/stats/v2_query.h"
#include "daemon/stats/value_json.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

ordered_json results_of(const Answer& answered) {
  auto results = ordered_json::array();
  for (const auto& row : answered.rows) {
    auto metrics = ordered_json::array();
    for (const auto& value : row.metrics) metrics.push_back(to_json(value));
    results.push_back({{"metrics", std::move(metrics)}, {"dimensions", row.dimensions}});
  }
  return results;
}

ordered_json meta_of(const v2::Request& request, const Answer& answered) {
  const auto& query = request.query;
  auto meta = ordered_json::object();
  if (request.wants_imports) meta["imports_included"] = true;
  if (request.wants_time_labels) {
    meta["time_labels"] = ordered_json::array();
    for (const auto& dimension : query.dimensions) {
      if (!is_time(dimension.field)) continue;
      for (auto& bucket : make_buckets(dimension.field, query.selection.range, query.zone)) {
        meta["time_labels"].push_back(std::move(bucket.label));
      }
    }
  }
  if (request.wants_total_rows) meta["total_rows"] = answered.total_rows;
  return meta;
}

Result<http::Response> run(v2::Request request, const std::string& domain, UnixSeconds now,
                           store::Reader& reader) {
  if (request.from_first_event) {  // the directory does not follow first events
    const auto site = reader.registry->site(request.query.selection.site);
    if (!site) return fail(site.error());
    v2::begin_at(request, site->first_event_at, now);
  }
  const auto answered = answer(request.query, *reader.stats);
  if (!answered) return fail(answered.error());
  const ordered_json body = {{"results", results_of(*answered)},
                             {"meta", meta_of(request, *answered)},
                             {"query", v2::echo(request, domain)}};
  return json_response(body.dump());
}

}  // namespace

void post_query(const Services& services, const Call& call, http::Responder respond) {
  const auto refuse = [&](const Error& error) { std::move(respond)(error_response(error)); };
  if (media_type(call.request.head.field("Content-Type")) != "application/json") {
    return refuse({ErrorCode::kUnsupportedMediaType, "Content-Type must be application/json.", {}});
  }
  const auto body = json::parse_document(call.request.body);
  if (!body) return refuse(body.error());
  const auto name = v2::site_id_of(*body);
  if (!name) return refuse(name.error());
  const auto site = call.own_site(*name);
  if (!site) return refuse(site.error());
  const auto now = services.now_in_seconds();
  auto request = v2::parse(*body, {*site, call.snapshot->goals(site->id), now});
  if (!request) return refuse(request.error());
  read_stats(
      services,
      [request = std::move(*request), domain = site->domain, now](store::Reader& reader) {
        return run(request, domain, now, reader);
      },
      represented(call.request, Keep::kAsk, std::move(respond)));
}

}  // namespace analytics::api
