#include "daemon/stats/parsing/v1_query.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/json/json.h"
#include "common/text/local_time.h"
#include "common/text/text.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/buckets.h"
#include "daemon/stats/parsing/v2_query.h"
#include "daemon/stats/period.h"
#include "daemon/stats/warnings.h"

namespace analytics::v1 {
namespace {

constexpr std::int64_t kMaxLimit = 1'000;
constexpr std::int64_t kMaxPage = 1'000'000;
constexpr std::size_t kDefaultLimit = 100;
constexpr std::size_t kMaxConditions = 50;

tl::unexpected<Error> refuse(const std::string& field, const std::string& problem) {
  return fail({ErrorCode::kInvalidParameter, field + " " + problem + ".", {{field, problem}}});
}

Result<std::vector<Metric>> read_metrics(std::string_view text) {
  if (text.empty()) return std::vector{Metric::kVisitors};
  std::vector<Metric> metrics;
  for (const auto part : split(text, ',')) {
    const auto metric = parse_metric(trim(part));
    if (!metric || !info_of(*metric).is_in_v1)
      return refuse("metrics", "has an unknown name: " + json::quote(trim(part)));
    if (std::find(metrics.begin(), metrics.end(), *metric) != metrics.end()) {
      return refuse("metrics", "has " + std::string(trim(part)) + " twice");
    }
    metrics.push_back(*metric);
  }
  return metrics;
}

/// Rejects the query if any of its metrics is meaningless with its dimensions and filters.
Status check_sense(const Query& query) {
  for (const auto metric : query.metrics) {
    const auto reason = meaningless(query, metric);
    if (!reason) continue;
    const auto problem =
        "contains " + std::string(metric_name(metric)) + ": " + std::string(reason->text);
    return fail({ErrorCode::kInvalidParameter, "metrics " + problem, {{"metrics", problem}}});
  }
  return {};
}

/// The parts of a query that all three routes read alike, and the days of its range.
struct Common {
  Query query;
  Period period;
};

Result<Common> read_common(const Words& words, const QueryContext& context) {
  Common common;
  const auto today = local_day(context.now, context.site.timezone);
  common.period = TRY(parse_period(words.period, words.date, today));
  auto& query = common.query;
  query.zone = context.site.timezone;
  query.selection.site = context.site.id;
  query.selection.range = range_of(common.period, query.zone);
  if (query.selection.range.from >= query.selection.range.to) {
    return refuse("date", "is a day that does not exist in the site's time zone");
  }
  query.selection.goals = context.goals;
  query.selection.filter = TRY(parse_filters(words.filters, context.goals));
  query.metrics = TRY(read_metrics(words.metrics));
  const auto imported = words.with_imported;
  if (!imported.empty() && imported != "true" && imported != "false") {
    return refuse("with_imported", "must be true or false");
  }
  query.selection.with_imports = imported == "true";
  return common;
}

Result<Field> read_interval(const Words& words) {
  if (words.interval == "day" || words.interval == "date") return Field::kDay;
  if (words.interval == "month") return Field::kMonth;
  if (!words.interval.empty()) return refuse("interval", "must be day or month");
  if (words.period == "day") return Field::kHour;
  return words.period == "6mo" || words.period == "12mo" ? Field::kMonth : Field::kDay;
}

Result<std::size_t> read_number(const char* field, std::string_view text, std::int64_t most,
                                std::size_t otherwise) {
  if (text.empty()) return otherwise;
  const auto number = parse_int(text);
  if (!number || *number < 1 || *number > most) {
    return refuse(field, "must be 1 to " + std::to_string(most));
  }
  return static_cast<std::size_t>(*number);
}

/// Splits a text at separators that no backslash precedes. Keeps all backslashes.
std::vector<std::string_view> split_unescaped(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
    } else if (text[i] == separator) {
      parts.push_back(text.substr(from, i - from));
      from = i + 1;
    }
  }
  parts.push_back(text.substr(from));
  return parts;
}

std::string unescape(std::string_view text) {
  constexpr std::string_view kSpecial = "|;\\";
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escapes =
        text[i] == '\\' && i + 1 < text.size() && kSpecial.find(text[i + 1]) != kSpecial.npos;
    if (escapes) ++i;
    plain += text[i];
  }
  return plain;
}

Status check_goals(const Filter& condition, const std::vector<Goal>& goals) {
  for (const auto& value : condition.match.values) {
    const bool exists = std::any_of(goals.begin(), goals.end(),
                                    [&](const Goal& goal) { return goal_name(goal) == value; });
    if (!exists)
      return refuse("filters",
                    "has the goal " + json::quote(value) + ", which the site does not have");
  }
  return {};
}

Result<Filter> read_condition(std::string_view text, const std::vector<Goal>& goals) {
  const auto sign = std::min(text.find("=="), text.find("!="));
  if (sign == std::string_view::npos) {
    return refuse("filters", "has " + json::quote(text) + ", which lacks == or !=");
  }
  const auto name = trim(text.substr(0, sign));
  const auto dimension = parse_dimension(name);
  if (!dimension || is_time(dimension->field)) {
    return refuse("filters", "has an unknown property: " + json::quote(name));
  }
  Filter condition;
  condition.kind = Filter::Kind::kValue;
  condition.dimension = *dimension;
  condition.negated = text[sign] == '!';
  const auto values = trim(text.substr(sign + 2));
  if (values.empty()) return refuse("filters", "lacks a value for " + std::string(name));
  const bool is_goal = dimension->field == Field::kGoal;
  if (is_goal && condition.negated) return refuse("filters", "cannot combine event:goal with !=");
  const bool has_wildcard = !is_goal && values.find('*') != std::string_view::npos;
  if (has_wildcard) condition.match.kind = MatchKind::kWildcard;
  for (const auto value : split_unescaped(values, '|')) {
    condition.match.values.push_back(unescape(trim(value)));
  }
  if (is_goal) TRY(check_goals(condition, goals));
  return condition;
}

/// Reads filters in the JSON form of v2.
Result<Filter> read_list(std::string_view text, const std::vector<Goal>& goals) {
  const auto list = json::parse_document(text);
  if (!list) return refuse("filters", "begins like a JSON list but is not valid JSON");
  auto filter = v2::parse_filters(*list, goals);
  if (filter) return filter;
  const auto& error = filter.error();
  return fail({error.code, error.message, {{"filters", error.message}}});
}

/// Returns the metric by which the rows of a breakdown are ordered: the first metric except time
/// on page, as in Plausible.
Metric order_of_rows(const std::vector<Metric>& metrics) {
  const auto first = std::find_if(metrics.begin(), metrics.end(),
                                  [](Metric metric) { return metric != Metric::kTimeOnPage; });
  return first == metrics.end() ? Metric::kVisitors : *first;
}

/// Returns true if a breakdown by this field leaves out rows without a value.
bool is_left_out_when_empty(Field field) {
  using enum Field;
  constexpr Field kPlacesAndPages[] = {kCountry, kRegion, kCity, kEntryPage, kExitPage};
  return (field >= kUtmSource && field <= kUtmTerm) ||
         std::find(std::begin(kPlacesAndPages), std::end(kPlacesAndPages), field) !=
             std::end(kPlacesAndPages);
}

}  // namespace

Result<Filter> parse_filters(std::string_view text, const std::vector<Goal>& goals) {
  if (trim(text).starts_with('[')) return read_list(trim(text), goals);
  Filter all;
  if (trim(text).empty()) return all;
  for (const auto part : split_unescaped(text, ';')) {
    if (trim(part).empty()) continue;
    auto condition = TRY(read_condition(trim(part), goals));
    all.parts.push_back(std::move(condition));
    if (all.parts.size() > kMaxConditions)
      return refuse("filters", "has more than " + std::to_string(kMaxConditions) + " conditions");
  }
  return all;
}

Result<Request> parse_aggregate(const Words& words, const QueryContext& context) {
  auto common = TRY(read_common(words, context));
  TRY(check_sense(common.query));
  Request request{std::move(common.query), {}};
  if (words.compare.empty()) return request;
  if (words.compare != "previous_period") return refuse("compare", "must be previous_period");
  const auto today = local_day(context.now, context.site.timezone);
  request.before = request.query;
  request.before->selection.range =
      range_of(period_before(common.period, today), request.query.zone);
  return request;
}

Result<Request> parse_timeseries(const Words& words, const QueryContext& context) {
  auto common = TRY(read_common(words, context));
  const auto interval = TRY(read_interval(words));
  auto& query = common.query;
  query.dimensions = {{interval, {}}};
  query.limit = kMaxBuckets;
  if (common.period.last - common.period.first >= std::chrono::days(kMaxBuckets)) {
    return refuse("date", "has more than " + std::to_string(kMaxBuckets) + " days");
  }
  TRY(check_sense(query));
  rate_by_row(query);
  return Request{std::move(query), {}};
}

Result<Request> parse_breakdown(const Words& words, const QueryContext& context) {
  if (words.property.empty()) {
    return fail(
        {ErrorCode::kMissingParameter, "property is required.", {{"property", "is required"}}});
  }
  auto common = TRY(read_common(words, context));
  auto& query = common.query;
  const auto dimension = parse_dimension(words.property);
  if (!dimension || is_time(dimension->field)) {
    return refuse("property", "has an unknown name: " + json::quote(words.property));
  }
  query.dimensions = {*dimension};
  // A version is meaningless without its browser or system.
  if (dimension->field == Field::kBrowserVersion) query.dimensions.push_back({Field::kBrowser, {}});
  if (dimension->field == Field::kOsVersion) query.dimensions.push_back({Field::kOs, {}});
  const auto limit = TRY(read_number("limit", words.limit, kMaxLimit, kDefaultLimit));
  const auto page = TRY(read_number("page", words.page, kMaxPage, 1));
  query.limit = limit;
  query.offset = (page - 1) * limit;
  TRY(check_sense(query));
  rate_by_row(query);
  query.order = {{order_of_rows(query.metrics), {}, true}};
  query.rows.without_empty = is_left_out_when_empty(dimension->field);
  return Request{std::move(query), {}};
}

}  // namespace analytics::v1
