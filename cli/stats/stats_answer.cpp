#include "cli/stats/stats_answer.h"

#include <nlohmann/json.hpp>

namespace analytics::cli {

using nlohmann::ordered_json;

namespace {

/// Returns the value that a metric has if there are no events.
ordered_json nothing_of(const std::string& metric) {
  const auto* info = known(metric);
  const bool is_null =
      info != nullptr && (info->unit == MetricUnit::kSeconds || info->unit == MetricUnit::kMoney);
  return is_null ? ordered_json() : ordered_json(0);
}

/// Returns true if a null is worth showing, because the metric could have had a value.
bool is_wanted(const std::string& metric, const ordered_json& warnings) {
  const auto* info = known(metric);
  return !warnings.contains(metric) && (info == nullptr || info->unit != MetricUnit::kMoney);
}

}  // namespace

const MetricInfo* known(const std::string& name) {
  const auto metric = parse_metric(name);
  return metric ? &info_of(*metric) : nullptr;
}

ordered_json warnings_of(const ordered_json& body) {
  const auto meta = body.value("meta", ordered_json::object());
  return meta.value("metric_warnings", ordered_json::object());
}

std::string column_of(const std::string& property) {
  constexpr std::string_view kProps = "event:props:";
  if (property.starts_with("time")) return "date";
  if (property.starts_with(kProps)) return property.substr(kProps.size());
  return property.substr(property.find(':') + 1);
}

ordered_json rows_of(const ordered_json& body, const std::vector<std::string>& columns,
                     const std::vector<std::string>& metrics) {
  auto rows = ordered_json::array();
  for (const auto& result : body["results"]) {
    auto& row = rows.emplace_back(ordered_json::object());
    for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = result["dimensions"][i];
    const auto& then = result.value("comparison", ordered_json());
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      row[metrics[i]] = result["metrics"][i];
      if (!result.contains("comparison")) continue;
      row[metrics[i] + "_before"] = then.is_null() ? ordered_json() : then["metrics"][i];
      row[metrics[i] + "_change"] = then.is_null() ? ordered_json() : then["change"][i];
    }
  }
  return rows;
}

Caveats caveats_of(const ordered_json& body) {
  return caveats_in(body.value("meta", ordered_json()));
}

ordered_json meta_with_caveats(const ordered_json& body) {
  auto meta = ordered_json::object();
  add_to(meta, caveats_of(body));
  return meta;
}

void blank_future_rows(const ordered_json& body, const std::string& label_key, ordered_json& rows) {
  auto now = caveats_of(body).partial_until.substr(0, 19);
  if (now.size() < 19) return;
  now[10] = ' ';  // `now` is in the form of time labels: "2026-11-21 14:00:00"
  for (auto& row : rows) {
    const auto label = row.value(label_key, "");
    if (label <= now) continue;
    for (auto& [name, value] : row.items()) {
      if (name != label_key) value = nullptr;
    }
  }
}

ordered_json series_of(const ordered_json& body, const std::vector<std::string>& metrics) {
  auto found = rows_of(body, {"date"}, metrics);
  auto rows = ordered_json::array();
  std::size_t next = 0;
  for (const auto& label : body["meta"]["time_labels"]) {
    if (next < found.size() && found[next]["date"] == label) {
      rows.push_back(std::move(found[next++]));
      continue;
    }
    auto& row = rows.emplace_back(ordered_json{{"date", label}});
    for (const auto& metric : metrics) row[metric] = nothing_of(metric);
  }
  blank_future_rows(body, "date", rows);
  return rows;
}

ordered_json totals_of(const ordered_json& body, const std::vector<std::string>& metrics,
                       bool with_meaningless) {
  auto totals = ordered_json::object();
  const auto warnings = warnings_of(body);
  const auto& result = body["results"].at(0);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const auto& value = result["metrics"][i];
    if (value.is_null() && !with_meaningless && !is_wanted(metrics[i], warnings)) continue;
    auto& total = totals[metrics[i]] = {{"value", value}};
    if (!result.contains("comparison")) continue;
    total["comparison_value"] = result["comparison"]["metrics"][i];
    total["change"] = result["comparison"]["change"][i];
  }
  return totals;
}

}  // namespace analytics::cli
