#include <algorithm>
#include <cmath>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/provisioning.h"
#include "cli/commands/stats_overview.h"
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

constexpr char kTotals[] = "visitors,visits,pageviews,views_per_visit,bounce_rate,visit_duration";
constexpr int kPanelRows = 5;
constexpr int kTableRows = 100;

struct Section {
  const char* title;
  const char* key;  ///< In JSON, and of its rows.
  const char* property;
};
constexpr Section kSections[] = {{"Pages", "page", "event:page"},
                                 {"Sources", "source", "visit:source"},
                                 {"Countries", "country", "visit:country"},
                                 {"Devices", "device", "visit:device"},
                                 {"Goals", "goal", "event:goal"}};

/// Conditions as the server takes them, all of which must hold.
std::string filters_of(const std::vector<std::string>& filters) {
  std::string all;
  for (const auto& filter : filters) {
    const auto sign = std::min(filter.find("=="), filter.find("!="));
    const auto name = std::string(trim(std::string_view(filter).substr(0, sign)));
    const auto rest = sign == std::string::npos ? std::string() : filter.substr(sign);
    all += (all.empty() ? "" : ";") + property_of(name);
    for (std::size_t i = 0; i < rest.size(); ++i) {  // each is one condition, whatever it holds
      const bool is_escaped = i > 0 && rest[i - 1] == '\\';
      if (rest[i] == ';' && !is_escaped) all += '\\';
      all += rest[i];
    }
  }
  return all;
}

/// One of the routes of the Stats API, and what `results` has there.
class Asking {
 public:
  Asking(const StatsOptions& options, Context& context) : context_(context) {
    common_ = {{"site_id", options.site},
               {"period", options.period},
               {"date", options.date},
               {"filters", filters_of(options.filters)}};
  }

  Outcome<ordered_json> ask(const std::string& route, Parameters parameters) const {
    parameters.insert(parameters.begin(), common_.begin(), common_.end());
    ApiClient::Request request{"GET", "/api/v1/stats/" + route, {}, true, true, {}, {}, {}};
    char before = '?';
    for (const auto& [name, value] : parameters) {
      if (value.empty()) continue;
      request.path += before + name + "=" + percent_encode(value);
      before = '&';
    }
    const auto reply = context_.api.call(request);
    if (!reply) return tl::unexpected(reply.error());
    auto body = body_of(*reply);
    if (!body) return tl::unexpected(body.error());
    const auto found = body->find("results");
    if (found == body->end() || !found->is_structured()) return bad_answer();
    warn(*body);
    return *found;
  }

 private:
  /// Says once what the numbers lack.
  void warn(const ordered_json& body) const {
    const auto text = body.value("warning", "");
    if (text.empty() || std::exchange(has_warned_, true) || context_.settings.quiet) return;
    context_.err << "analytics: " << visible(text) << '\n';
  }

  Context& context_;
  Parameters common_;
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

/// Returns null for a metric of a newer server.
const MetricInfo* known(const std::string& name) {
  const auto metric = parse_metric(name);
  return metric ? &info_of(*metric) : nullptr;
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

/// The answers of all routes under their names.
Outcome<ordered_json> read_overview(const StatsOptions& options, const Asking& asking) {
  ordered_json all = {{"site", options.site}};
  const auto totals =
      asking.ask("aggregate", {{"metrics", kTotals}, {"compare", "previous_period"}});
  if (!totals) return tl::unexpected(totals.error());
  all["totals"] = *totals;
  const auto series = asking.ask("timeseries", {{"metrics", "visitors"}});
  if (!series) return tl::unexpected(series.error());
  all["timeseries"] = *series;
  for (const auto& section : kSections) {
    const auto rows = asking.ask("breakdown", {{"property", section.property},
                                               {"metrics", "visitors"},
                                               {"limit", std::to_string(kPanelRows)}});
    if (!rows) return tl::unexpected(rows.error());
    all[section.key] = *rows;
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
  for (const auto& [metric, result] : all["totals"].items()) {
    overview.totals.push_back(total_of(metric, result));
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
                                Context& context) {
  const auto all = read_overview(options, asking);
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
      options.period.empty() || options.period == "30d" || options.period == "7d";
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

/// A table of any rows: their members are its columns.
Outcome<ExitCode> show_table(const StatsOptions& options, const Asking& asking, Context& context) {
  const bool is_time =
      options.by == "time" || options.by == "hour" || options.by == "day" || options.by == "month";
  const auto metrics = options.metrics.empty() ? "visitors" : options.metrics;
  Outcome<ordered_json> rows = [&] {
    if (is_time) {
      const auto interval = options.by == "day" || options.by == "month" ? options.by : "";
      return asking.ask("timeseries", {{"metrics", metrics}, {"interval", interval}});
    }
    const auto limit = options.limit == 0 ? kTableRows : options.limit;
    return asking.ask("breakdown", {{"property", property_of(options.by)},
                                    {"metrics", metrics},
                                    {"limit", std::to_string(limit)}});
  }();
  if (!rows) return tl::unexpected(rows.error());
  if (is_time && options.limit != 0 && rows->size() > static_cast<std::size_t>(options.limit)) {
    rows->erase(rows->begin(), rows->end() - options.limit);  // the last ones
  }
  std::vector<std::string> columns;
  if (!rows->empty()) {
    for (const auto& [name, value] : rows->front().items()) columns.push_back(name);
  } else {
    columns = {options.by};
    for (const auto metric : split(metrics, ',')) columns.emplace_back(trim(metric));
  }
  if (context.settings.output != OutputForm::kJson) write_amounts(*rows);
  const ordered_json body = {{"results", *rows}};
  return print_list(body, "results", columns, context);
}

/// Some totals, by name.
Outcome<ExitCode> show_totals(const StatsOptions& options, const Asking& asking, Context& context) {
  const auto results =
      asking.ask("aggregate", {{"metrics", options.metrics}, {"compare", "previous_period"}});
  if (!results) return tl::unexpected(results.error());
  ordered_json body = {{"results", ordered_json::array()}};
  for (const auto& [metric, result] : results->items()) {
    ordered_json row = {{"metric", metric}};
    for (const auto& [name, value] : result.items()) row[name] = value;
    body["results"].push_back(std::move(row));
  }
  return print_list(body, "results", {"metric", "value", "comparison_value", "change"}, context);
}

}  // namespace

Outcome<ExitCode> show_stats(const StatsOptions& given, Context& context) {
  auto options = given;
  if (options.by == "hour" && options.period.empty()) options.period = "day";
  if (options.by == "hour" && options.period != "day") {
    return give_up(ExitCode::kUsage, "--by hour requires --period day", "usage");
  }
  if (options.by.empty() && options.limit != 0) {
    return give_up(ExitCode::kUsage, "--limit requires --by", "usage");
  }
  const Asking asking(options, context);
  try {
    if (!options.by.empty()) return show_table(options, asking, context);
    if (!options.metrics.empty()) return show_totals(options, asking, context);
    return show_overview(options, asking, context);
  } catch (const nlohmann::json::exception&) {  // a server that answers in another form
    return bad_answer();
  }
}

}  // namespace analytics::cli
