#include "cli/stats/stats_report.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/stats/stats_answer.h"
#include "common/text/grouped.h"
#include "common/text/text.h"
#include "common/wire/caveats.h"
#include "common/wire/metric.h"

namespace analytics::cli {

using nlohmann::ordered_json;

namespace {

constexpr int kPanelRows = 5;

std::string duration(double value) {
  const auto seconds = std::llround(value);
  const auto minutes = seconds / 60;
  return minutes == 0 ? std::to_string(seconds) + "s"
                      : std::to_string(minutes) + "m " + std::to_string(seconds % 60) + "s";
}

/// Formats a metric's value for people, such as "1m 46s".
std::string text_of(const MetricInfo* info, const ordered_json& value) {
  if (value.is_object()) return value.value("long", "-");  // an amount: €15,353.00
  if (value.is_array()) {
    std::vector<std::string> amounts;
    for (const auto& each : value) amounts.push_back(text_of(info, each));
    return amounts.empty() ? "-" : join(amounts, ", ");
  }
  if (!value.is_number()) return "-";
  const auto unit = info == nullptr ? MetricUnit::kNumber : info->unit;
  if (unit == MetricUnit::kSeconds) return duration(value.get<double>());
  if (unit == MetricUnit::kPercent) return value.dump() + "%";
  return value.is_number_integer() ? grouped(value.get<std::int64_t>()) : value.dump();
}

std::vector<std::string> metrics_of(const Section& section) {
  if (!section.is_of_goals) return {"visitors"};
  return {"visitors", "conversion_rate", "total_revenue"};
}

/// Returns the panel of a section, without columns that are empty in every row.
Overview::Panel panel_of(const Section& section, const ordered_json& rows) {
  Overview::Panel panel{section.title, {}, {}};
  for (const auto& row : rows) panel.rows.push_back({row.value(section.key, ""), {}});
  for (const auto& metric : metrics_of(section)) {
    const auto value_of = [&](const ordered_json& row) {
      return row.value(metric, ordered_json());
    };
    const auto* info = known(metric);
    const bool is_empty = std::all_of(rows.begin(), rows.end(),
                                      [&](const auto& row) { return value_of(row).is_null(); });
    if (is_empty && metric != "visitors") continue;
    panel.columns.emplace_back(info == nullptr ? metric : info->label);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      panel.rows[i].values.push_back(text_of(info, value_of(rows[i])));
    }
  }
  return panel;
}

Overview::Total total_of(const std::string& metric, const ordered_json& result) {
  const auto* info = known(metric);
  Overview::Total total{info == nullptr ? metric : std::string(info->short_label),
                        text_of(info, result.value("value", ordered_json())),
                        {},
                        Tone::kSame};
  const auto change = result.value("change", ordered_json());
  const auto before = result.value("comparison_value", ordered_json());
  const bool had_any = !before.is_number() || before.get<double>() > 0;
  const bool is_compared = change.is_number() && !before.is_null() && had_any;
  if (!is_compared) return total;
  const auto number = change.get<double>();
  const bool in_points = info != nullptr && info->change_in_points;
  const bool less_is_better = info != nullptr && info->less_is_better;
  total.change = (number > 0 ? "+" : "") + change.dump() + (in_points ? " pts" : "%");
  if (number != 0) total.tone = (number > 0) != less_is_better ? Tone::kBetter : Tone::kWorse;
  return total;
}

/// Returns the metrics of an overview's totals: those of conversions if a filter is about a goal.
std::vector<std::string> usual_totals(const ordered_json& filters) {
  const bool has_goal = std::any_of(filters.begin(), filters.end(),
                                    [](const auto& filter) { return filter[1] == "event:goal"; });
  if (has_goal)
    return {"visitors", "events", "conversion_rate", "total_revenue", "average_revenue"};
  return {"visitors", "visits", "pageviews", "views_per_visit", "bounce_rate", "visit_duration"};
}

/// Returns the first and last day of an answer's range. The buckets do not show the last day,
/// because a week has the label of its first day.
std::vector<std::string> days_of(const ordered_json& answer) {
  std::vector<std::string> days;
  const auto query = answer.value("query", ordered_json::object());
  for (const auto& end : query.value("date_range", ordered_json::array())) {
    if (end.is_string()) days.push_back(end.get<std::string>().substr(0, 10));
  }
  return days.size() == 2 ? days : std::vector<std::string>{};
}

}  // namespace

double number_in(const ordered_json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_number() ? found->get<double>() : 0;
}

Outcome<ordered_json> read_overview(const std::string& site, const Asking& asking,
                                    const ordered_json& comparison) {
  ordered_json all = {{"site", site}};
  const auto metrics = usual_totals(asking.filters());
  // The range of a month or a year ends today, because its later days are in the future.
  const auto& range = asking.date_range();
  const bool ends_today = range.is_string() && range != "day";
  ordered_json query = {{"metrics", metrics},
                        {"include", {{"trim_relative_date_range", ends_today}}}};
  if (!comparison.is_null()) query["include"]["comparisons"] = comparison;
  const auto totals = TRY(asking.ask(query));
  if (const auto days = days_of(totals); !days.empty()) all["date_range"] = days;
  all["totals"] = totals_of(totals, metrics, false);
  all["meta"] = meta_with_caveats(totals);
  const std::vector<std::string> visitors{"visitors"};
  const auto series = TRY(
      asking.ask({{"metrics", visitors},
                  {"dimensions", {"time"}},
                  {"include", {{"time_labels", true}, {"trim_relative_date_range", ends_today}}}}));
  all["timeseries"] = series_of(series, visitors);
  for (const auto& section : kSections) {
    const auto wanted = metrics_of(section);
    const auto rows = TRY(asking.ask({{"metrics", wanted},
                                      {"dimensions", {section.property}},
                                      {"pagination", {{"limit", kPanelRows}}}}));
    all[section.key] = rows_of(rows, {section.key}, wanted);
  }
  return all;
}

Overview overview_of(const ordered_json& all) {
  Overview overview;
  const auto& series = all["timeseries"];
  for (const auto& bucket : series) {
    overview.buckets.push_back({bucket.value("date", ""), number_in(bucket, "visitors")});
  }
  overview.name = all.value("site", "");
  overview.url = all.value("url", "");
  overview.title = overview.name;
  if (const auto days = all.find("date_range"); days != all.end()) {
    const auto first = days->at(0).get<std::string>();
    const auto last = days->at(1).get<std::string>();
    overview.title += ", " + first + (first == last ? "" : " to " + last);
  }
  overview.series = "Visitors";
  overview.notes = sentences(caveats_of(all));
  const auto& totals = all["totals"];
  for (const auto& [metric, result] : totals.items()) {
    auto& total = overview.totals.emplace_back(total_of(metric, result));
    if (!totals.contains("conversion_rate")) continue;
    if (metric == "visitors") total.name = "Converted";
    if (metric == "events") total.name = "Conversions";
  }
  for (const auto& section : kSections) {
    overview.panels.push_back(panel_of(section, all[section.key]));
  }
  return overview;
}

}  // namespace analytics::cli
