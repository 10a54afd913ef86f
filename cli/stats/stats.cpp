#include <algorithm>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/frame/output.h"
#include "cli/frame/requests.h"
#include "cli/stats/stats_answer.h"
#include "cli/stats/stats_asking.h"
#include "cli/stats/stats_commands.h"
#include "cli/stats/stats_query.h"
#include "cli/stats/stats_report.h"
#include "cli/stats/stats_words.h"
#include "common/text/csv.h"
#include "common/text/grouped.h"
#include "common/text/text.h"
#include "common/wire/frozen_version.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

constexpr int kTableRows = 100;
constexpr std::size_t kMaxRows = 10'000;  // maximum number of rows in an answer of the server

bool is_for_people(const Context& context) {
  return context.settings.output == OutputForm::kText && context.out_is_terminal;
}

/// Returns a row's value in a form for programs; empty if the value is absent or null.
std::string plain(const ordered_json& row, const char* key) {
  const auto found = row.find(key);
  if (found == row.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string amount_of(const ordered_json& amount) {
  return plain(amount, "value") + " " + amount.value("currency", "");
}

/// Replaces the amounts of money in each row with formatted strings: "19.8 EUR, 5 USD".
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

/// Prints a tab-separated line per value, with its section and name, for programs.
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
  auto all = TRY(read_overview(options.site, asking, comparison));
  const bool is_drawn = is_for_people(context);
  if (!is_drawn) tell_caveats(all, context);
  if (!is_drawn && context.settings.output != OutputForm::kJson) write_amounts(all["totals"]);
  if (context.settings.output == OutputForm::kJson) {
    context.out << all.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
    return ExitCode::kOk;
  }
  if (context.settings.output == OutputForm::kCsv) {
    context.out << csv_row({"metric", "value", "comparison_value", "change"});
    for (const auto& [metric, result] : all["totals"].items()) {
      context.out << csv_row({metric, plain(result, "value"), plain(result, "comparison_value"),
                              plain(result, "change")});
    }
    return ExitCode::kOk;
  }
  if (!context.out_is_terminal) {
    print_lines(all, context.out);
    return ExitCode::kOk;
  }
  const auto overview = overview_of(all);
  const bool has_visitors =
      number_in(all["totals"].value("visitors", ordered_json::object()), "value") > 0;
  const bool ends_yesterday =
      options.period.empty() || (options.period.ends_with('d') && options.period != "day");
  if (!has_visitors && ends_yesterday && options.date.empty() && !context.settings.quiet) {
    context.err << "analytics: the period ends with yesterday; --period day is today\n";
  }
  const bool colour = !context.settings.no_color || context.settings.force_color;
  draw_overview(context.out, overview, terminal_columns(Stream::kOut), colour);
  return ExitCode::kOk;
}

/// The metrics that the user requested (`shown`), and those that the query contains (`counted`). A
/// row's conversion rate is relative to the row's visitors (group_conversion_rate), unless the row
/// is itself a conversion.
struct Metrics {
  std::vector<std::string> shown;
  std::vector<std::string> counted;
};
Metrics metrics_of(const std::string& list, const std::string& by) {
  Metrics metrics;
  for (const auto name : split(list, ',')) metrics.shown.emplace_back(trim(name));
  const bool by_conversion = by.empty() || by == "event:goal" || by.starts_with("event:props:");
  const std::string rate = "conversion_rate";
  const std::string of_row = "group_conversion_rate";
  auto& shown = metrics.shown;
  const bool has_rate = std::find(shown.begin(), shown.end(), rate) != shown.end();
  if (!by_conversion && has_rate) std::erase(shown, of_row);
  metrics.counted = shown;
  if (!by_conversion) {
    std::replace(metrics.counted.begin(), metrics.counted.end(), rate, of_row);
  }
  return metrics;
}

/// Returns the properties by which a table groups its rows. A table of versions is also grouped by
/// browser or operating system, because a version alone identifies neither.
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

/// Reports that a table leaves out rows: below the table for people, on stderr for programs.
void tell_cut(std::size_t cut, std::size_t total, Context& context) {
  if (context.settings.quiet || context.settings.output == OutputForm::kJson) return;
  auto& out = is_for_people(context) ? context.out : context.err;
  if (!is_for_people(context)) out << "analytics: ";
  out << grouped(static_cast<std::int64_t>(cut)) << (cut == 1 ? " more row" : " more rows");
  if (total <= kMaxRows) out << " (--limit " << total << ")";
  out << '\n';
}

/// Adds "or later" to operating system versions that browsers also report for newer ones.
void show_versions(ordered_json& rows) {
  for (auto& row : rows) {
    row["os_version"] = shown_version(row.value("os", ""), row.value("os_version", ""));
  }
}

/// Shows a table of rows by a property.
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
  const auto body = TRY(asking.ask(query));
  std::vector<std::string> columns(properties.size());
  std::transform(properties.begin(), properties.end(), columns.begin(), column_of);
  const bool is_series = is_time && comparison.is_null();
  auto rows = is_series ? series_of(body, metrics.shown) : rows_of(body, columns, metrics.shown);
  if (is_time && !is_series) blank_future_rows(body, columns.front(), rows);
  const auto total = rows.size() + static_cast<std::size_t>(caveats_of(body).cut);
  if (is_time && limit != 0 && rows.size() > limit) {
    rows.erase(rows.begin(), rows.end() - options.limit);  // only the latest rows stay
  }
  const auto cut = total - rows.size();
  for (const auto& metric : metrics.shown) {
    columns.push_back(metric);
    if (comparison.is_null()) continue;
    columns.insert(columns.end(), {metric + "_before", metric + "_change"});
  }
  if (context.settings.output != OutputForm::kJson) write_amounts(rows);
  if (is_for_people(context) && properties.front() == "visit:os_version") show_versions(rows);
  tell_caveats(body, context);
  const auto code = print_list(
      {{"results", std::move(rows)}, {"total_rows", total}, {"meta", meta_with_caveats(body)}},
      "results", columns, context);
  if (cut > 0) tell_cut(cut, total, context);
  return code;
}

/// Shows the totals of the requested metrics.
Outcome<ExitCode> show_totals(const StatsOptions& options, const Asking& asking,
                              const ordered_json& comparison, Context& context) {
  const auto metrics = metrics_of(options.metrics, "");
  ordered_json query = {{"metrics", metrics.counted}};
  if (!comparison.is_null()) query["include"]["comparisons"] = comparison;
  const auto body = TRY(asking.ask(query));
  const auto totals = totals_of(body, metrics.shown, true);
  auto rows = ordered_json::array();
  for (const auto& [metric, total] : totals.items()) {
    auto& row = rows.emplace_back(ordered_json{{"metric", metric}});
    row.update(total);
  }
  if (context.settings.output != OutputForm::kJson) write_amounts(rows);
  tell_caveats(body, context);
  return print_list({{"results", std::move(rows)}, {"meta", meta_with_caveats(body)}}, "results",
                    {"metric", "value", "comparison_value", "change"}, context);
}

}  // namespace

Outcome<ExitCode> show_stats(const StatsOptions& given, Context& context) {
  if (given.site.empty()) {
    const bool is_plain = given.by.empty() && given.metrics.empty() && given.filters.empty() &&
                          given.period.empty() && given.date.empty() && given.compare.empty() &&
                          given.limit == 0;
    if (is_plain) return show_all_sites(context);
    return give_up(ExitCode::kUsage, "the table of all sites has no options; or --site is missing",
                   "usage");
  }
  auto options = given;
  if (options.by == "hour" && options.period.empty()) options.period = "day";
  if (options.by.empty() && options.limit != 0) {
    return give_up(ExitCode::kUsage, "--limit requires --by", "usage");
  }
  // Tables are compared only on request, totals by default. There is no period before all time.
  const bool is_compared = options.by.empty() && options.period != "all";
  if (options.compare.empty()) options.compare = is_compared ? "previous" : "none";
  const auto range = TRY(date_range_of(options));
  const auto filters = TRY(filters_of(options.filters));
  ordered_json comparison;
  if (options.compare != "none") comparison = TRY(comparison_of(options.compare));
  const Asking asking({{"site_id", options.site}, {"date_range", range}, {"filters", filters}},
                      !options.metrics.empty(), context);
  try {
    if (!options.by.empty()) return show_table(options, asking, comparison, context);
    if (!options.metrics.empty()) return show_totals(options, asking, comparison, context);
    return show_overview(options, asking, comparison, context);
  } catch (const nlohmann::json::exception&) {  // the answer has an unexpected form
    return bad_answer();
  }
}

}  // namespace analytics::cli
