#include "daemon/stats/parsing/v2_query.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "common/text/local_time.h"
#include "common/text/text.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/buckets.h"

namespace analytics::v2 {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::int64_t kMaxLimit = 10'000;
constexpr std::int64_t kMaxOffset = 10'000'000;
constexpr std::size_t kMaxDimensions = 8;

tl::unexpected<Error> refuse(const std::string& pointer, const std::string& problem) {
  return fail({ErrorCode::kInvalidParameter, pointer + ": " + problem + ".", {{pointer, problem}}});
}

json member(const json& body, const char* key, json otherwise) {
  const auto found = body.find(key);
  return found == body.end() ? otherwise : *found;
}

/// Returns the key as a token of a JSON pointer (RFC 6901).
std::string escaped(std::string_view key) {
  std::string token;
  for (const char c : key.substr(0, 100))
    token += c == '~' ? "~0" : (c == '/' ? "~1" : std::string(1, c));
  return token;
}

std::string at(const char* list, std::size_t index) {
  return std::string("#/") + list + "/" + std::to_string(index);
}

Status check_form(const json& body) {
  static constexpr std::array<std::string_view, 8> kKeys = {"site_id",    "metrics",   "date_range",
                                                            "dimensions", "filters",   "order_by",
                                                            "include",    "pagination"};
  for (const auto& [key, value] : body.items()) {
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
      return refuse("#/" + escaped(key), "is not a known field");
    }
  }
  for (const char* key : {"metrics", "date_range"}) {
    if (!body.contains(key)) {
      const auto pointer = std::string("#/") + key;
      return fail(
          {ErrorCode::kMissingParameter, pointer + ": is required.", {{pointer, "is required"}}});
    }
  }
  return {};
}

Result<std::vector<Metric>> read_metrics(const json& list) {
  if (!list.is_array()) return refuse("#/metrics", "must be a list of metrics");
  if (list.empty()) return refuse("#/metrics", "needs at least one metric");
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto metric =
        list[i].is_string() ? parse_metric(list[i].get_ref<const std::string&>()) : std::nullopt;
    if (!metric) return refuse(at("metrics", i), "Invalid metric " + excerpt(list[i]));
    if (std::find(metrics.begin(), metrics.end(), *metric) != metrics.end()) {
      return refuse("#/metrics", "must not have a metric twice");
    }
    metrics.push_back(*metric);
  }
  return metrics;
}

/// Returns the field that the dimension `time` means for a range of this length: hours up to two
/// days, days up to forty days, weeks up to 52 weeks, else months.
Field fitting_time(const TimeRange& range) {
  const auto length = range.to - range.from;
  if (length <= std::chrono::hours(48)) return Field::kHour;
  if (length <= std::chrono::days(40)) return Field::kDay;
  if (length <= std::chrono::weeks(52)) return Field::kWeek;
  return Field::kMonth;
}

std::optional<Dimension> read_dimension(const json& value, const TimeRange& range) {
  if (!value.is_string()) return std::nullopt;
  const auto& name = value.get_ref<const std::string&>();
  return name == "time" ? std::optional(Dimension{fitting_time(range), {}}) : parse_dimension(name);
}

Result<std::vector<Dimension>> read_dimensions(const json& list, const TimeRange& range) {
  if (!list.is_array()) return refuse("#/dimensions", "must be a list of dimensions");
  if (list.size() > kMaxDimensions)
    return refuse("#/dimensions",
                  "has more than " + std::to_string(kMaxDimensions) + " dimensions");
  std::vector<Dimension> dimensions;
  bool has_time = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto dimension = read_dimension(list[i], range);
    if (!dimension) return refuse(at("dimensions", i), "Invalid dimension " + excerpt(list[i]));
    if (std::find(dimensions.begin(), dimensions.end(), *dimension) != dimensions.end()) {
      return refuse("#/dimensions", "must not have a dimension twice");
    }
    if (is_time(dimension->field) && std::exchange(has_time, true)) {
      return refuse("#/dimensions", "must not have two dimensions of time");
    }
    dimensions.push_back(*dimension);
  }
  return dimensions;
}

Result<std::vector<OrderKey>> read_order(const json& list, const Query& query) {
  if (!list.is_array()) return refuse("#/order_by", "must be a list of pairs");
  std::vector<OrderKey> order;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& pair = list[i];
    const auto pointer = at("order_by", i);
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string()) {
      return refuse(pointer, "must be a metric or dimension, and asc or desc");
    }
    if (pair[1] != "asc" && pair[1] != "desc") {
      return refuse(pointer + "/1", "must be asc or desc");
    }
    OrderKey key{parse_metric(pair[0].get_ref<const std::string&>()), {}, pair[1] == "desc"};
    const auto dimension = read_dimension(pair[0], query.selection.range);
    if (!key.metric && !dimension) {
      return refuse(pointer + "/0", "Invalid value in order_by " + excerpt(pair[0]));
    }
    if (dimension) key.dimension = *dimension;
    const bool is_asked =
        key.metric ? std::count(query.metrics.begin(), query.metrics.end(), *key.metric) > 0
                   : std::count(query.dimensions.begin(), query.dimensions.end(), *dimension) > 0;
    if (!is_asked) return refuse(pointer + "/0", "is not a queried metric or dimension");
    const bool is_there = std::any_of(order.begin(), order.end(), [&](const OrderKey& each) {
      return each.metric == key.metric && each.dimension == key.dimension;
    });
    if (is_there) return refuse(pointer + "/0", "is listed twice");
    order.push_back(std::move(key));
  }
  return order;
}

constexpr std::array<std::pair<std::string_view, Comparison::Mode>, 3> kModes = {
    {{"previous_period", Comparison::Mode::kPreviousPeriod},
     {"year_over_year", Comparison::Mode::kYearOverYear},
     {"custom", Comparison::Mode::kCustom}}};

Result<Comparison> read_comparison(const json& value, const std::string& zone, UnixSeconds now) {
  const std::string at = "#/include/comparisons";
  if (!value.is_object()) return refuse(at, "must be an object");
  for (const auto& [key, unused] : value.items()) {
    if (key != "mode" && key != "date_range" && key != "match_day_of_week" && key != "same_part") {
      return refuse(at + "/" + escaped(key), "is not a known field");
    }
  }
  const auto name = member(value, "mode", nullptr);
  const auto mode = std::find_if(kModes.begin(), kModes.end(),
                                 [&](const auto& each) { return name == each.first; });
  if (mode == kModes.end()) {
    return refuse(at + "/mode", "must be previous_period, year_over_year or custom");
  }
  Comparison comparison{mode->second};
  for (const auto& [key, flag] : {std::pair("match_day_of_week", &comparison.match_day_of_week),
                                  std::pair("same_part", &comparison.same_part)}) {
    const auto given = member(value, key, false);
    if (!given.is_boolean()) return refuse(at + "/" + key, "must be true or false");
    *flag = given.get<bool>();
  }
  const bool is_custom = comparison.mode == Comparison::Mode::kCustom;
  if (is_custom != value.contains("date_range")) {
    return refuse(at + "/date_range", is_custom ? "is required" : "needs the mode custom");
  }
  if (!is_custom) return comparison;
  const auto range = parse_date_range(value["date_range"], zone, now);
  if (!range) return refuse(at + "/date_range", "is not a date range");
  comparison.custom = *range;
  return comparison;
}

Status read_include(const json& include, Request& request, UnixSeconds now) {
  if (!include.is_object()) return refuse("#/include", "must be an object");
  for (const auto& [key, value] : include.items()) {
    if (key == "comparisons") {
      request.comparison = TRY(read_comparison(value, request.query.zone, now));
      continue;
    }
    const auto pointer = "#/include/" + escaped(key);
    bool* flag = key == "time_labels"                ? &request.wants_time_labels
                 : key == "total_rows"               ? &request.wants_total_rows
                 : key == "imports"                  ? &request.wants_imports
                 : key == "trim_relative_date_range" ? &request.is_trimmed
                                                     : nullptr;
    if (flag == nullptr) return refuse(pointer, "is not a known field");
    if (!value.is_boolean()) return refuse(pointer, "must be true or false");
    *flag = value.get<bool>();
  }
  request.query.selection.with_imports = request.wants_imports;
  const auto& dimensions = request.query.dimensions;
  const bool has_time = std::any_of(dimensions.begin(), dimensions.end(),
                                    [](const auto& each) { return is_time(each.field); });
  if (request.wants_time_labels && !has_time) {
    return refuse("#/include/time_labels", "requires a time dimension");
  }
  return {};
}

Status read_pagination(const json& pagination, Query& query) {
  if (!pagination.is_object()) return refuse("#/pagination", "must be an object");
  for (const auto& [key, value] : pagination.items()) {
    const auto pointer = "#/pagination/" + escaped(key);
    const bool is_limit = key == "limit";
    if (!is_limit && key != "offset") return refuse(pointer, "is not a known field");
    if (!value.is_number_integer()) return refuse(pointer, "must be a whole number");
    const auto least = is_limit ? 1 : 0;
    const auto most = is_limit ? kMaxLimit : kMaxOffset;
    const bool fits = value.is_number_unsigned() &&
                      value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
    if (!fits || value.get<std::int64_t>() < least) {
      return refuse(pointer, "must be " + std::to_string(least) + " to " + std::to_string(most));
    }
    (is_limit ? query.limit : query.offset) = value.get<std::size_t>();
  }
  return {};
}

Status read_range(const json& body, const QueryContext& context, Query& query) {
  query.selection.range = TRY(parse_date_range(body["date_range"], query.zone, context.now));
  if (body["date_range"] == "all") {
    const auto first = std::min(known_from(context.site).value_or(context.now), context.now);
    query.selection.range.from = start_of_day(local_day(first, query.zone), query.zone);
  }
  return {};
}

Status check_buckets(const Query& query, const TimeRange& range, const std::string& pointer) {
  for (const auto& dimension : query.dimensions) {
    if (is_time(dimension.field) &&
        make_buckets(dimension.field, range, query.zone).size() >= kMaxBuckets) {
      return refuse(pointer, "is too long for " + dimension_name(dimension));
    }
  }
  return {};
}

/// Reads metrics, filters, dimensions and order. REQUIRES: the range has been read.
Status read_query(const json& body, Query& query) {
  auto& selection = query.selection;
  query.metrics = TRY(read_metrics(body["metrics"]));
  selection.filter = TRY(parse_filters(member(body, "filters", json::array()), selection.goals));
  query.dimensions =
      TRY(read_dimensions(member(body, "dimensions", json::array()), selection.range));
  TRY(check_buckets(query, selection.range, "#/date_range"));
  query.order = TRY(read_order(member(body, "order_by", json::array()), query));
  return {};
}

/// Returns the number of calendar months of a range given as a word; 0 for other ranges.
std::chrono::months months_of(const json& date_range) {
  if (date_range == "month") return std::chrono::months(1);
  return std::chrono::months(date_range == "year" ? 12 : 0);
}

/// Shortens a range that was given as a word, such as "month", so that it ends with the current
/// day, or for "day" with the current hour.
void end_now(const json& date_range, UnixSeconds now, Query& query) {
  auto& range = query.selection.range;
  if (!date_range.is_string() || now >= range.to || now < range.from) return;
  const auto end =
      date_range == "day"
          ? next_hour(now, query.zone)
          : start_of_day(local_day(now, query.zone) + std::chrono::days(1), query.zone);
  range.to = std::min(range.to, end);
}

ordered_json to_json(const TimeRange& range, const std::string& zone) {
  return {format_with_offset(range.from, zone),
          format_with_offset(range.to - std::chrono::seconds(1), zone)};
}

ordered_json to_json(const Comparison& comparison, const std::string& zone) {
  const auto mode = std::find_if(kModes.begin(), kModes.end(),
                                 [&](const auto& each) { return each.second == comparison.mode; });
  ordered_json object = {{"mode", mode->first}};
  if (comparison.mode == Comparison::Mode::kCustom) {
    object["date_range"] = to_json(comparison.custom, zone);
  }
  if (comparison.match_day_of_week) object["match_day_of_week"] = true;
  return object;
}

}  // namespace

std::string excerpt(const json& value, std::size_t most) {
  const auto text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= most ? text : std::string(cut_utf8(text, most)) + "…";
}

Result<std::string> site_id_of(const json& body) {
  if (!body.is_object()) return refuse("#", "must be an object");
  const auto found = body.find("site_id");
  if (found == body.end()) {
    return fail(
        {ErrorCode::kMissingParameter, "#/site_id: is required.", {{"#/site_id", "is required"}}});
  }
  if (!found->is_string()) return refuse("#/site_id", "must be a string");
  return found->get<std::string>();
}

Result<Request> parse(const json& body, const QueryContext& context) {
  TRY(check_form(body));
  Request request;
  auto& query = request.query;
  query.zone = context.site.timezone;
  query.selection.site = context.site.id;
  query.selection.goals = context.goals;
  TRY(read_range(body, context, query));
  TRY(read_query(body, query));
  TRY(read_include(member(body, "include", json::object()), request, context.now));
  if (request.is_trimmed) end_now(member(body, "date_range", nullptr), context.now, query);
  TRY(read_pagination(member(body, "pagination", json::object()), query));
  if (request.comparison) {
    if (request.comparison->same_part) {
      request.comparison->calendar = months_of(body["date_range"]);
    }
    query.before =
        compared_range(*request.comparison, query.selection.range, query.zone, context.now);
    TRY(check_buckets(query, *query.before, "#/include/comparisons"));
  }
  return request;
}

ordered_json echo(const Request& request, const std::string& domain) {
  const auto& query = request.query;
  const auto& range = query.selection.range;
  ordered_json body = {{"site_id", domain}, {"metrics", ordered_json::array()}};
  for (const auto metric : query.metrics) body["metrics"].push_back(metric_name(metric));
  body["date_range"] = to_json(range, query.zone);
  body["filters"] = to_json(query.selection.filter)[1];
  body["dimensions"] = ordered_json::array();
  for (const auto& dimension : query.dimensions) {
    body["dimensions"].push_back(dimension_name(dimension));
  }
  body["order_by"] = ordered_json::array();
  for (const auto& key : query.order.empty() ? default_order(query) : query.order) {
    const auto name =
        key.metric ? std::string(metric_name(*key.metric)) : dimension_name(key.dimension);
    body["order_by"].push_back({name, key.descending ? "desc" : "asc"});
  }
  body["include"] = ordered_json::object();
  if (request.comparison) {
    auto comparison = *request.comparison;
    if (comparison.same_part) comparison = {Comparison::Mode::kCustom, false, *query.before};
    body["include"]["comparisons"] = to_json(comparison, query.zone);
  }
  if (request.wants_imports) body["include"]["imports"] = true;
  if (request.wants_time_labels) body["include"]["time_labels"] = true;
  if (request.wants_total_rows) body["include"]["total_rows"] = true;
  if (request.is_trimmed) body["include"]["trim_relative_date_range"] = true;
  body["pagination"] = {{"offset", query.offset}, {"limit", query.limit}};
  return body;
}

}  // namespace analytics::v2
