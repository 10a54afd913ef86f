#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "daemon/api/handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/representation.h"
#include "daemon/call/work.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/caveats.h"
#include "daemon/stats/parsing/v1_query.h"
#include "daemon/stats/realtime.h"
#include "daemon/stats/value_json.h"
#include "daemon/stats/warnings.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

v1::Words words_of(const Params& params) {
  const auto word = [&](std::string_view name) {
    const auto* value = params.find(name);
    return value == nullptr ? std::string_view() : trim(*value);
  };
  return {word("period"),  word("date"),         word("interval"), word("metrics"),
          word("filters"), word("property"),     word("compare"),  word("limit"),
          word("page"),    word("with_imported")};
}

/// Returns a metric's name in Stats API v1, where both conversion rates have the same name.
std::string v1_name_of(Metric metric) {
  const bool by_row = metric == Metric::kGroupConversionRate;
  return std::string(metric_name(by_row ? Metric::kConversionRate : metric));
}

/// Returns a dimension's JSON key in Stats API v1: "source" for "visit:source", "plan" for
/// "event:props:plan".
std::string key_of(const Dimension& dimension) {
  const auto name = dimension_name(dimension);
  return dimension.field == Field::kProp ? dimension.key : name.substr(name.find(':') + 1);
}

void add_metrics(ordered_json& shown, const Query& query, const std::vector<Value>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    shown[v1_name_of(query.metrics[i])] = to_json(values[i]);
  }
}

ordered_json aggregate_results(const v1::Request& request, const std::vector<Answer>& answers) {
  const auto& values = answers.front().rows.front().metrics;
  auto results = ordered_json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto metric = request.query.metrics[i];
    auto& shown = results[v1_name_of(metric)];
    shown["value"] = to_json(values[i]);
    if (!request.before) continue;
    const auto& earlier = answers.back().rows.front().metrics[i];
    shown["comparison_value"] = to_json(earlier);
    shown["change"] = to_json(change_of(metric, values[i], earlier));
  }
  return results;
}

ordered_json timeseries_results(const v1::Request& request, const std::vector<Answer>& answers) {
  auto results = ordered_json::array();
  for (const auto& row : every_bucket(request.query, answers.front())) {
    ordered_json shown = {{"date", row.dimensions.front()}};
    add_metrics(shown, request.query, row.metrics);
    results.push_back(std::move(shown));
  }
  return results;
}

ordered_json breakdown_results(const v1::Request& request, const std::vector<Answer>& answers) {
  const auto& query = request.query;
  auto results = ordered_json::array();
  for (const auto& row : answers.front().rows) {
    auto shown = ordered_json::object();
    for (std::size_t i = 0; i < row.dimensions.size(); ++i) {
      shown[key_of(query.dimensions[i])] = row.dimensions[i];
    }
    add_metrics(shown, query, row.metrics);
    results.push_back(std::move(shown));
  }
  return results;
}

/// Returns the first warning that applies to a metric, or that imported totals are missing; nullopt
/// if none applies. An answer in Stats API v1 has room for one.
std::optional<Warning> first_warning(const v1::Request& request,
                                     const std::vector<Answer>& answers) {
  for (const auto& answered : answers) {
    for (const auto metric : request.query.metrics) {
      if (const auto warning = warning_of(metric, answered.totals)) return warning;
    }
  }
  const bool lacks_imports =
      std::any_of(answers.begin(), answers.end(),
                  [](const Answer& answered) { return answered.totals.are_imports_left_out; });
  return lacks_imports ? std::optional(kImportsLeftOut) : std::nullopt;
}

using Parse = Result<v1::Request> (*)(const v1::Words&, const QueryContext&);
using Print = ordered_json (*)(const v1::Request&, const std::vector<Answer>&);

void answer_v1(const ReadContext& context, const Call& call, Parse parse, Print print,
               http::Responder respond) {
  const auto site = call.site_parameter();
  if (!site) return respond(error_response(site.error()));
  read_stats(
      context, lane_of_site(context, site->id),
      // The parameters are parsed on the analyst thread, because matching many filter values with
      // goals is slow.
      [params = call.params, site = *site, goals = call.snapshot->goals(site->id),
       now = context.now_in_seconds(), parse,
       print](store::Reader& reader) -> Result<http::Response> {
        const auto request = TRY(parse(words_of(params), {site, goals, now}));
        std::vector<Query> queries{request.query};
        if (request.before) queries.push_back(*request.before);
        const auto answers = TRY(answer(queries, *reader.stats));
        auto meta = ordered_json::object();
        add_to(meta, caveats_of(queries, answers, now));
        ordered_json body = {{"results", print(request, answers)}, {"meta", std::move(meta)}};
        if (const auto warning = first_warning(request, answers)) body["warning"] = warning->text;
        return json_response(body.dump());
      },
      represented(call.request, respond));
}

}  // namespace

void get_aggregate(const ReadContext& context, const Call& call, http::Responder respond) {
  answer_v1(context, call, v1::parse_aggregate, aggregate_results, std::move(respond));
}

void get_timeseries(const ReadContext& context, const Call& call, http::Responder respond) {
  answer_v1(context, call, v1::parse_timeseries, timeseries_results, std::move(respond));
}

void get_breakdown(const ReadContext& context, const Call& call, http::Responder respond) {
  answer_v1(context, call, v1::parse_breakdown, breakdown_results, std::move(respond));
}

void get_realtime_visitors(const ReadContext& context, const Call& call, http::Responder respond) {
  const auto site = call.site_parameter();
  if (!site) return respond(error_response(site.error()));
  read_stats(
      context, lane_of_site(context, site->id),
      [query = realtime_query(site->id, context.now_in_seconds())](
          store::Reader& reader) -> Result<http::Response> {
        const auto answered = TRY(answer(query, *reader.stats));
        return json_response(to_json(answered.rows.front().metrics.front()).dump());
      },
      std::move(respond));
}

}  // namespace analytics::api
