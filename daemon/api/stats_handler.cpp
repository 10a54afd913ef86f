#include <cmath>

#include <nlohmann/json.hpp>

#include "common/json.h"
#include "common/local_time.h"
#include "common/text.h"
#include "daemon/api/errors.h"
#include "daemon/api/handlers.h"
#include "daemon/stats/formulas.h"
#include "daemon/stats/period.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

std::string_view parameter(const Params& params, std::string_view name) {
  const auto* value = params.find(name);
  return value == nullptr ? std::string_view() : trim(*value);
}

tl::unexpected<Error> refuse(const char* field, const std::string& problem) {
  return fail(
      {ErrorCode::kInvalidParameter, std::string(field) + " " + problem + ".", {{field, problem}}});
}

/// Errors: kInvalidParameter, `metrics`.
Result<std::vector<Metric>> read_metrics(std::string_view text) {
  if (text.empty()) return std::vector{Metric::kVisitors};
  std::vector<Metric> metrics;
  for (const auto part : split(text, ',')) {
    const auto metric = parse_metric(trim(part));
    if (!metric) return refuse("metrics", "names none called " + json::quote(trim(part)));
    metrics.push_back(*metric);
  }
  return metrics;
}

/// A question, and the same of the period before when it is asked for.
struct Aggregate {
  Query query;
  std::optional<Query> before;
};

/// Errors: kInvalidParameter, naming the parameter.
Result<Aggregate> read_aggregate(const Params& params, const Site& site, UnixSeconds now) {
  if (!parameter(params, "filters").empty()) return refuse("filters", "are not known here");
  auto metrics = read_metrics(parameter(params, "metrics"));
  if (!metrics) return fail(metrics.error());
  const auto period = parse_period(parameter(params, "period"), parameter(params, "date"),
                                   local_day(now, site.timezone));
  if (!period) return fail(period.error());
  Aggregate aggregate{{site.id, range_of(*period, site.timezone), std::move(*metrics)}, {}};
  const auto compare = parameter(params, "compare");
  if (compare == "previous_period") {
    aggregate.before = aggregate.query;
    aggregate.before->range = range_of(period_before(*period), site.timezone);
  } else if (!compare.empty()) {
    return refuse("compare", "must be previous_period");
  }
  return aggregate;
}

ordered_json number(std::optional<double> value) {
  if (!value) return nullptr;
  if (std::floor(*value) == *value) return static_cast<std::int64_t>(*value);
  return *value;
}

ordered_json results_of(const Aggregate& asked, const Sums& sums, const Sums* before) {
  auto results = ordered_json::object();
  for (const auto metric : asked.query.metrics) {
    const auto value = value_of(metric, sums);
    auto& shown = results[std::string(metric_name(metric))];
    shown["value"] = number(value);
    if (before == nullptr) continue;
    const auto earlier = value_of(metric, *before);
    shown["comparison_value"] = number(earlier);
    shown["change"] = number(change_of(metric, value, earlier));
  }
  return results;
}

}  // namespace

void get_aggregate(const Services& services, const Call& call, http::Responder respond) {
  const auto site = call.site_parameter();
  if (!site) return std::move(respond)(error_response(site.error()));
  const auto asked = read_aggregate(call.params, *site,
                                    std::chrono::floor<std::chrono::seconds>(services.clock.now()));
  if (!asked) return std::move(respond)(error_response(asked.error()));
  read_stats(
      services,
      [asked = *asked](store::Reader& reader) -> Result<http::Response> {
        const auto sums = reader.stats->aggregate(asked.query);
        if (!sums) return fail(sums.error());
        std::optional<Sums> before;
        if (asked.before) {
          const auto earlier = reader.stats->aggregate(*asked.before);
          if (!earlier) return fail(earlier.error());
          before = *earlier;
        }
        const ordered_json body = {
            {"results", results_of(asked, *sums, before ? &*before : nullptr)}};
        return json_response(body.dump());
      },
      std::move(respond));
}

}  // namespace analytics::api
