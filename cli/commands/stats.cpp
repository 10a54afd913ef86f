#include <algorithm>
#include <cmath>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/provisioning.h"
#include "cli/commands/stats_answer.h"
#include "cli/commands/stats_overview.h"
#include "cli/commands/stats_query.h"
#include "cli/commands/stats_words.h"
#include "cli/frame/api_client.h"
#include "cli/frame/output.h"
#include "common/csv.h"
#include "common/grouped.h"
#include "common/metric.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

constexpr int kPanelRows = 5;
constexpr int kTableRows = 100;

struct Section {
  const char* title;
  const char* key;  ///< In JSON, and of its rows.
  const char* property;
};
constexpr Section kSections[] = {{"Pages", "page", "event:page"},
                                 {"Sources", "source", "visit:source"},
                                 {"Countries", "country", "visit:country_name"},
                                 {"Devices", "device", "visit:device"},
                                 {"Goals", "goal", "event:goal"}};

/// Asks the Stats API about the site, period and filters of the options.
class Asking {
 public:
  /// `common` has what all queries have in common.
  Asking(ordered_json common, bool explains, Context& context)
      : common_(std::move(common)), explains_(explains), context_(context) {}

  /// Adds `more` to what all queries have, and returns the answer.
  Outcome<ordered_json> ask(const ordered_json& more) const {
    auto query = common_;
    query.update(more);
    const auto reply = context_.api.call(
        {"POST", "/api/v2/query", {}, true, true, {}, query.dump(-1, ' ', false, kReplace)});
    if (!reply) return tl::unexpected(reply.error());
    auto body = body_of(*reply);
    if (!body) return tl::unexpected(body.error());
    if (!body->contains("results") || !(*body)["results"].is_array()) return bad_answer();
    warn(*body);
    return *body;
  }

 private:
  static constexpr auto kReplace = ordered_json::error_handler_t::replace;

  /// Says once what the numbers lack. Of the metrics of an overview nobody asked for each.
  void warn(const ordered_json& body) const {
    const auto warnings = warnings_of(body);
    for (const auto& [metric, warning] : warnings.items()) {
      const bool is_of_totals = warning.value("code", "").starts_with("totals_");
      if (!is_of_totals && !explains_) continue;
      if (std::exchange(has_warned_, true) || context_.settings.quiet) return;
      context_.err << "analytics: " << (is_of_totals ? "" : metric + ": ")
                   << visible(warning.value("warning", "")) << '\n';
    }
  }

  const ordered_json common_;
  const bool explains_;
  Context& context_;
  mutable bool has_warned_ = false;
};

std::string duration(double value) {
  const auto seconds = std::llround(value);
  const auto minutes = seconds / 60;
  return minutes == 0 ? std::to_string(seconds) + "s"
                      : std::to_string(minutes) + "m " + std::to_string(seconds % 60) + "s";
}

double number_in(const ordered_json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_number() ? found->get<double>() : 0;
}

/// A value for programs: empty where there is none.
std::string plain(const ordered_json& row, const char* key) {
  const auto found = row.find(key);
  return found == row.end() || found->is_null() ? std::string() : found->dump();
}

/// How a value is read best.
std::string text_of(const MetricInfo* info, const ordered_json& value) {
  if (!value.is_number()) return "-";
  const auto unit = info == nullptr ? MetricUnit::kNumber : info->unit;
  if (unit == MetricUnit::kSeconds) return duration(value.get<double>());
  if (unit == MetricUnit::kPercent) return value.dump() + "%";
  return value.is_number_integer() ? grouped(value.get<std::int64_t>()) : value.dump();
}

Overview::Total total_of(const std::string& metric, const ordered_json& result) {
  const auto* info = known(metric);
  Overview::Total total{info == nullptr ? metric : std::string(info->short_label),
                        text_of(info, result.value("value", ordered_json())),
                        {},
                        Tone::kSame};
  const auto change = result.value("change", ordered_json());
  const auto before = result.value("comparison_value", ordered_json());
  const bool is_compared = change.is_number() && before.is_number() && before.get<double>() > 0;
  if (!is_compared) return total;
  const auto number = change.get<double>();
  const bool in_points = info != nullptr && info->change_in_points;
  const bool less_is_better = info != nullptr && info->less_is_better;
  total.change = (number > 0 ? "+" : "") + change.dump() + (in_points ? " pts" : "%");
  if (number != 0) total.tone = (number > 0) != less_is_better ? Tone::kBetter : Tone::kWorse;
  return total;
}

/// Of conversions, if the filters name a goal.
std::vector<std::string> usual_totals(const StatsOptions& options) {
  const bool has_goal =
      std::any_of(options.filters.begin(), options.filters.end(), [](const std::string& filter) {
        return property_of(std::string(trim(filter.substr(0, filter.find_first_of("=!"))))) ==
               "event:goal";
      });
  if (has_goal)
    return {"visitors", "events", "conversion_rate", "total_revenue", "average_revenue"};
  return {"visitors", "visits", "pageviews", "views_per_visit", "bounce_rate", "visit_duration"};
}

/// The answers of all queries under their names.
Outcome<ordered_json> read_overview(const StatsOptions& options, const Asking& asking,
                                    const ordered_json& comparison) {
  ordered_json all = {{"site", options.site}};
  const auto metrics = usual_totals(options);
  ordered_json query = {{"metrics", metrics}};
  if (!comparison.is_null()) query["include"] = {{"comparisons", comparison}};
  const auto totals = asking.ask(query);
  if (!totals) return tl::unexpected(totals.error());
  all["totals"] = totals_of(*totals, metrics, false);
  const std::vector<std::string> visitors{"visitors"};
  const auto series = asking.ask(
      {{"metrics", visitors}, {"dimensions", {"time"}}, {"include", {{"time_labels", true}}}});
  if (!series) return tl::unexpected(series.error());
  all["timeseries"] = series_of(*series, visitors);
  for (const auto& section : kSections) {
    const auto rows = asking.ask({{"metrics", visitors},
                                  {"dimensions", {section.property}},
                                  {"pagination", {{"limit", kPanelRows}}}});
    if (!rows) return tl::unexpected(rows.error());
    all[section.key] = rows_of(*rows, {section.key}, visitors);
  }
  return all;
}

Overview overview_of(const ordered_json& all) {
  Overview overview;
  const auto& series = all["timeseries"];
  for (const auto& bucket : series) {
    overview.buckets.push_back({bucket.value("date", ""), number_in(bucket, "visitors")});
  }
  overview.title = all.value("site", "");
  if (!series.empty()) {
    const auto first = overview.buckets.front().label.substr(0, 10);
    const auto last = overview.buckets.back().label.substr(0, 10);
    overview.title += ", " + first + (first == last ? "" : " to " + last);
  }
  overview.series = "Visitors";
  const auto& totals = all["totals"];
  for (const auto& [metric, result] : totals.items()) {
    auto& total = overview.totals.emplace_back(total_of(metric, result));
    if (!totals.contains("conversion_rate")) continue;
    if (metric == "visitors") total.name = "Converted";
    if (metric == "events") total.name = "Conversions";
  }
  for (const auto& section : kSections) {
    Overview::Panel panel{section.title, {}};
    for (const auto& row : all[section.key]) {
      panel.rows.emplace_back(row.value(section.key, ""),
                              text_of(known("visitors"), row.value("visitors", ordered_json())));
    }
    overview.panels.push_back(std::move(panel));
  }
  return overview;
}

/// For programs: a line a value, tab-separated, with what it belongs to.
void print_lines(const ordered_json& all, std::ostream& out) {
  for (const auto& [metric, result] : all["totals"].items()) {
    out << "total\t" << metric << '\t' << plain(result, "value") << '\t' << plain(result, "change")
        << '\n';
  }
  for (const auto& bucket : all["timeseries"]) {
    out << "time\t" << bucket.value("date", "") << '\t' << plain(bucket, "visitors") << '\n';
  }
  for (const auto& section : kSections) {
    for (const auto& row : all[section.key]) {
      out << section.key << '\t' << visible(row.value(section.key, "")) << '\t'
          << plain(row, "visitors") << '\n';
    }
  }
}

Outcome<ExitCode> show_overview(const StatsOptions& options, const Asking& asking,
                                const ordered_json& comparison, Context& context) {
  const auto all = read_overview(options, asking, comparison);
  if (!all) return tl::unexpected(all.error());
  if (context.settings.output == OutputForm::kJson) {
    context.out << all->dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
    return ExitCode::kOk;
  }
  if (context.settings.output == OutputForm::kCsv) {
    context.out << csv_row({"metric", "value", "comparison_value", "change"});
    for (const auto& [metric, result] : (*all)["totals"].items()) {
      context.out << csv_row({metric, plain(result, "value"), plain(result, "comparison_value"),
                              plain(result, "change")});
    }
    return ExitCode::kOk;
  }
  if (!context.out_is_terminal) {
    print_lines(*all, context.out);
    return ExitCode::kOk;
  }
  const auto overview = overview_of(*all);
  const bool has_visitors =
      number_in((*all)["totals"].value("visitors", ordered_json::object()), "value") > 0;
  const bool ends_yesterday =
      options.period.empty() || (options.period.ends_with('d') && options.period != "day");
  if (!has_visitors && ends_yesterday && options.date.empty() && !context.settings.quiet) {
    context.err << "analytics: the period ends with yesterday; --period day is today\n";
  }
  const bool colour = !context.settings.no_color || context.settings.force_color;
  draw_overview(context.out, overview, terminal_columns(Stream::kOut), colour);
  return ExitCode::kOk;
}

std::string amount_of(const ordered_json& amount) {
  return plain(amount, "value") + " " + amount.value("currency", "");
}

/// Amounts as a person reads them: "19.8 EUR, 5 USD".
void write_amounts(ordered_json& rows) {
  for (auto& row : rows) {
    for (auto& [name, value] : row.items()) {
      if (value.is_object()) value = amount_of(value);
      if (!value.is_array()) continue;
      std::vector<std::string> amounts;
      for (const auto& amount : value) amounts.push_back(amount_of(amount));
      value = join(amounts, ", ");
    }
  }
}

/// The metrics that were asked for, and how the server is to count them: a conversion rate of a row
/// is of the row's visitors, unless the row is a conversion itself.
struct Metrics {
  std::vector<std::string> shown;
  std::vector<std::string> counted;
};
Metrics metrics_of(const std::string& list, const std::string& by) {
  Metrics metrics;
  for (const auto name : split(list, ',')) metrics.shown.emplace_back(trim(name));
  metrics.counted = metrics.shown;
  const bool by_conversion = by.empty() || by == "event:goal" || by.starts_with("event:props:");
  if (!by_conversion) {
    std::replace(metrics.counted.begin(), metrics.counted.end(), std::string("conversion_rate"),
                 std::string("group_conversion_rate"));
  }
  return metrics;
}

/// The properties of a table: a version says nothing without what it is the version of.
std::vector<std::string> properties_of(const std::string& by) {
  if (by == "time") return {"time"};
  for (const auto* interval : {"hour", "day", "week", "month"}) {
    if (by == interval) return {std::string("time:") + interval};
  }
  const auto property = property_of(by);
  if (property == "visit:browser_version") return {property, "visit:browser"};
  if (property == "visit:os_version") return {property, "visit:os"};
  return {property};
}

/// A table of rows by a property.
Outcome<ExitCode> show_table(const StatsOptions& options, const Asking& asking,
                             const ordered_json& comparison, Context& context) {
  const auto properties = properties_of(options.by);
  const bool is_time = properties.front().starts_with("time");
  const auto limit = static_cast<std::size_t>(options.limit);
  const auto metrics =
      metrics_of(options.metrics.empty() ? "visitors" : options.metrics, properties.front());
  ordered_json query = {{"metrics", metrics.counted}, {"dimensions", properties}};
  if (is_time) query["include"]["time_labels"] = true;
  if (!is_time) query["pagination"]["limit"] = limit == 0 ? kTableRows : limit;
  if (!comparison.is_null()) query["include"]["comparisons"] = comparison;
  const auto body = asking.ask(query);
  if (!body) return tl::unexpected(body.error());
  std::vector<std::string> columns(properties.size());
  std::transform(properties.begin(), properties.end(), columns.begin(), column_of);
  auto rows = is_time && comparison.is_null() ? series_of(*body, metrics.shown)
                                              : rows_of(*body, columns, metrics.shown);
  if (is_time && limit != 0 && rows.size() > limit) {
    rows.erase(rows.begin(), rows.end() - options.limit);  // the last ones
  }
  for (const auto& metric : metrics.shown) {
    columns.push_back(metric);
    if (comparison.is_null()) continue;
    columns.insert(columns.end(), {metric + "_before", metric + "_change"});
  }
  if (context.settings.output != OutputForm::kJson) write_amounts(rows);
  return print_list({{"results", std::move(rows)}}, "results", columns, context);
}

/// Some totals, by name.
Outcome<ExitCode> show_totals(const StatsOptions& options, const Asking& asking,
                              const ordered_json& comparison, Context& context) {
  const auto metrics = metrics_of(options.metrics, "");
  ordered_json query = {{"metrics", metrics.counted}};
  if (!comparison.is_null()) query["include"]["comparisons"] = comparison;
  const auto body = asking.ask(query);
  if (!body) return tl::unexpected(body.error());
  const auto totals = totals_of(*body, metrics.shown, true);
  auto rows = ordered_json::array();
  for (const auto& [metric, total] : totals.items()) {
    auto& row = rows.emplace_back(ordered_json{{"metric", metric}});
    row.update(total);
  }
  if (context.settings.output != OutputForm::kJson) write_amounts(rows);
  return print_list({{"results", std::move(rows)}}, "results",
                    {"metric", "value", "comparison_value", "change"}, context);
}

}  // namespace

Outcome<ExitCode> show_stats(const StatsOptions& given, Context& context) {
  auto options = given;
  if (options.by == "hour" && options.period.empty()) options.period = "day";
  if (options.by.empty() && options.limit != 0) {
    return give_up(ExitCode::kUsage, "--limit requires --by", "usage");
  }
  // A table is compared on request, totals unless nobody wants it.
  if (options.compare.empty()) options.compare = options.by.empty() ? "previous" : "none";
  const auto range = date_range_of(options);
  if (!range) return tl::unexpected(range.error());
  const auto filters = filters_of(options.filters);
  if (!filters) return tl::unexpected(filters.error());
  ordered_json comparison;
  if (options.compare != "none") {
    auto wanted = comparison_of(options.compare);
    if (!wanted) return tl::unexpected(wanted.error());
    comparison = std::move(*wanted);
  }
  const Asking asking({{"site_id", options.site}, {"date_range", *range}, {"filters", *filters}},
                      !options.metrics.empty(), context);
  try {
    if (!options.by.empty()) return show_table(options, asking, comparison, context);
    if (!options.metrics.empty()) return show_totals(options, asking, comparison, context);
    return show_overview(options, asking, comparison, context);
  } catch (const nlohmann::json::exception&) {  // a server that answers in another form
    return bad_answer();
  }
}

}  // namespace analytics::cli
