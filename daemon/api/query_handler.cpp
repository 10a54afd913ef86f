#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/json/json.h"
#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/representation.h"
#include "daemon/call/work.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/caveats.h"
#include "daemon/stats/parsing/v2_query.h"
#include "daemon/stats/value_json.h"
#include "daemon/stats/warnings.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

/// Converts the rows of a query's answer to JSON.
class ResultWriter {
 public:
  explicit ResultWriter(const Query& query) : query_(query) {
    for (const auto metric : query.metrics) {
      is_null_.push_back(meaningless(query, metric).has_value());
    }
  }

  [[nodiscard]] ordered_json of(const Answer& answered) const {
    auto results = ordered_json::array();
    for (const auto& row : answered.rows) {
      auto& shown = results.emplace_back();
      shown["metrics"] = metrics_of(row.metrics);
      shown["dimensions"] = row.dimensions;
      if (query_.before) shown["comparison"] = comparison_of(row);
    }
    return results;
  }

 private:
  [[nodiscard]] ordered_json metrics_of(const std::vector<Value>& values) const {
    auto metrics = ordered_json::array();
    for (std::size_t i = 0; i < values.size(); ++i) {
      metrics.push_back(is_null_[i] ? ordered_json() : to_json(values[i]));
    }
    return metrics;
  }

  [[nodiscard]] ordered_json comparison_of(const Row& row) const {
    if (!row.before) return nullptr;
    std::vector<Value> changes;
    for (std::size_t i = 0; i < row.metrics.size(); ++i) {
      changes.push_back(change_of(query_.metrics[i], row.metrics[i], row.before->metrics[i]));
    }
    return {{"metrics", metrics_of(row.before->metrics)},
            {"dimensions", row.before->dimensions},
            {"change", metrics_of(changes)}};
  }

  const Query& query_;
  std::vector<bool> is_null_;  ///< For each metric: true if it is meaningless in this query.
};

/// Adds to `meta` whether the numbers include imported daily totals and, if they do not, the reason
/// as a code of Plausible's API.
void add_imports(const Query& query, const TotalsUse& totals, ordered_json& meta) {
  const bool are_included = totals.are_imports_added && !totals.are_imports_left_out;
  meta["imports_included"] = are_included;
  if (are_included) return;
  const bool is_by_hour =
      std::any_of(query.dimensions.begin(), query.dimensions.end(), [](const Dimension& dimension) {
        return dimension.field == Field::kHour || dimension.field == Field::kMinute;
      });
  if (!totals.are_imports_left_out) {
    meta["imports_skip_reason"] = totals.has_imports ? "out_of_range" : "no_imported_data";
    return;
  }
  meta["imports_skip_reason"] = is_by_hour ? "unsupported_interval" : "unsupported_query";
  meta["imports_warning"] = kImportsLeftOut.text;
}

/// Returns true if no event of the query had revenue: the answer has all rows, and the metric is
/// empty in every row.
bool is_unpaid(const Query& query, const Answer& answered, Metric metric) {
  if (answered.rows.empty() || answered.rows.size() < answered.total_rows) return false;
  const auto place = std::find(query.metrics.begin(), query.metrics.end(), metric);
  const auto column = static_cast<std::size_t>(place - query.metrics.begin());
  return std::none_of(answered.rows.begin(), answered.rows.end(), [&](const Row& row) {
    const auto* amounts = std::get_if<std::vector<Money>>(&row.metrics[column]);
    return amounts != nullptr && !amounts->empty();
  });
}

ordered_json meta_of(const v2::Request& request, const Answer& answered, UnixSeconds now) {
  auto meta = ordered_json::object();
  if (request.wants_imports) add_imports(request.query, answered.totals, meta);
  if (request.wants_time_labels) {
    meta["time_labels"] = ordered_json::array();
    for (const auto& bucket : answered.buckets) meta["time_labels"].push_back(bucket.label);
  }
  if (request.wants_total_rows) meta["total_rows"] = answered.total_rows;
  add_to(meta, caveats_of({&request.query, 1}, {&answered, 1}, now));
  auto warnings = ordered_json::object();
  for (const auto metric : request.query.metrics) {
    auto warning = meaningless(request.query, metric);
    if (!warning) warning = warning_of(metric, answered.totals);
    if (!warning && is_of_revenue(metric) && is_unpaid(request.query, answered, metric)) {
      warning = kNoRevenue;
    }
    if (warning) {
      warnings[std::string(metric_name(metric))] = {{"code", warning->code},
                                                    {"warning", warning->text}};
    }
  }
  if (!warnings.empty()) meta["metric_warnings"] = std::move(warnings);
  return meta;
}

/// A query that waits for an analyst thread. That thread also parses the body, because parsing
/// looks up time zones and compiles regular expressions.
struct PendingQuery {
  nlohmann::json body;
  SiteId site;
  std::vector<Goal> goals;
  UnixSeconds now;
};

Result<http::Response> run(const PendingQuery& pending, store::Reader& reader) {
  const bool begins_there = pending.body.value("date_range", nlohmann::json()) == "all";
  const auto site = TRY(begins_there ? reader.registry->site_of_now(pending.site)
                                     : reader.registry->site(pending.site));
  const auto request = TRY(v2::parse(pending.body, {site, pending.goals, pending.now}));
  const auto answered = TRY(answer(request.query, *reader.stats));
  const ordered_json body = {{"results", ResultWriter(request.query).of(answered)},
                             {"meta", meta_of(request, answered, pending.now)},
                             {"query", v2::echo(request, site.domain)}};
  return json_response(body.dump());
}

/// Parses the body as JSON. Errors: kUnsupportedMediaType, kMalformedBody.
Result<nlohmann::json> read_json_body(const http::Request& request) {
  if (media_type(request.head.field("Content-Type")) != "application/json") {
    return fail(ErrorCode::kUnsupportedMediaType, "Content-Type must be application/json.");
  }
  TRY(check_unencoded(request.head));
  return json::parse_document(request.body);
}

}  // namespace

void post_query(const ReadContext& context, const Call& call, http::Responder respond) {
  const auto refuse = [&](const Error& error) { respond(error_response(error)); };
  auto body = read_json_body(call.request);
  if (!body) return refuse(body.error());
  const auto name = v2::site_id_of(*body);
  if (!name) return refuse(name.error());
  const auto site = call.own_site(*name);
  if (!site) return refuse(site.error());
  auto pending = std::make_shared<const PendingQuery>(PendingQuery{
      std::move(*body), site->id, call.snapshot->goals(site->id), context.now_in_seconds()});
  read_stats(
      context, lane_of_site(context, pending->site),
      [pending](store::Reader& reader) { return run(*pending, reader); },
      represented(call.request, respond));
}

}  // namespace analytics::api
