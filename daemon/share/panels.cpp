#include "daemon/share/panels.h"

#include <algorithm>
#include <cmath>

#include "common/csv.h"
#include "common/grouped.h"
#include "common/local_time.h"
#include "common/text.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/money.h"

namespace analytics::share {
namespace {

constexpr std::size_t kRows = 9;        // of a panel
constexpr std::size_t kMoreRows = 100;  // of one that was asked for more
constexpr std::size_t kMaxTabs = 30;    // of props
constexpr std::size_t kCsvRows = 100'000;
constexpr std::size_t kMaxUrl = 7'000;  // bytes: a request line has 8 KiB

std::string label_of(Metric metric) { return std::string(info_of(metric).label); }

double number_of(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number == nullptr ? 0 : *number;
}

/// 1.5 as "1.5", 12345 as "12,345".
std::string decimal(double value) {
  const auto hundredths = std::llround(value * 100);
  auto text = grouped(hundredths / 100);
  if (const auto rest = std::llabs(hundredths % 100); rest != 0) {
    text += rest % 10 == 0 ? "." + std::to_string(rest / 10)
                           : "." + std::to_string(rest + 100).substr(1);
  }
  return text;
}

/// 83 as "1m 23s".
std::string duration(double value) {
  const auto seconds = std::llround(value);
  if (seconds < 60) return std::to_string(seconds) + "s";
  if (seconds < 3'600)
    return std::to_string(seconds / 60) + "m " + std::to_string(seconds % 60) + "s";
  return std::to_string(seconds / 3'600) + "h " + std::to_string(seconds / 60 % 60) + "m";
}

std::string text_of(Metric metric, const Value& value) {
  if (const auto* amounts = std::get_if<std::vector<Money>>(&value)) {
    std::vector<std::string> texts;
    for (const auto& amount : *amounts) {
      texts.push_back(long_text(amount));
    }
    return join(texts, ", ");
  }
  if (std::get_if<double>(&value) == nullptr) return "–";
  const auto number = number_of(value);
  switch (info_of(metric).unit) {
    case MetricUnit::kSeconds: return duration(number);
    case MetricUnit::kPercent: return decimal(number) + "%";
    case MetricUnit::kNumber:
    case MetricUnit::kMoney: return decimal(number);
  }
  return {};
}

/// "+12%", with a true minus.
std::string change_text(Metric metric, const Value& change) {
  if (std::get_if<double>(&change) == nullptr) return {};
  const auto number = number_of(change);
  const std::string sign = number > 0 ? "+" : (number < 0 ? "−" : "±");
  const char* unit = info_of(metric).change_in_points ? " points" : "%";
  return sign + decimal(std::abs(number)) + unit;
}

/// `has_before`: somebody came in the period before.
Tile tile_of(const View& view, Metric metric, const Value& value, const Value& before,
             bool has_before) {
  Tile tile;
  const bool is_default = metric == Metric::kVisitors;
  tile.link = {label_of(metric), view.url("metric", is_default ? "" : metric_name(metric)),
               metric == view.metric()};
  tile.value = text_of(metric, value);
  const auto change = change_of(metric, value, before);
  if (has_before) tile.change = change_text(metric, change);
  const auto more = info_of(metric).less_is_better ? -number_of(change) : number_of(change);
  if (more != 0) tile.tone = more > 0 ? "better" : "worse";
  return tile;
}

/// How a bucket reads under the chart: what its neighbours have in common is left out.
std::string short_label(Field interval, const std::string& label, bool is_one_day) {
  if (interval == Field::kHour) {
    const auto hour = label.substr(11, 5);
    const auto day = View::day_text(*parse_day(label.substr(0, 10)));
    return is_one_day ? hour : day.substr(0, day.rfind(' ')) + ", " + hour;
  }
  auto text = View::day_text(*parse_day(label));
  return interval == Field::kDay ? text.substr(0, text.rfind(' ')) : text;
}

/// The values of all buckets, also of those without events.
std::vector<double> series(const Query& query, const Answer& answer) {
  std::vector<double> values;
  for (const auto& row : every_bucket(query, answer))
    values.push_back(number_of(row.metrics.front()));
  return values;
}

/// Formats the value for programs; empty if there is none.
std::string csv_number(const Value& value) {
  if (std::get_if<double>(&value) == nullptr) return {};
  auto cell = decimal(number_of(value));
  std::erase(cell, ',');
  return cell;
}

/// The next "round" number.
double round_up(double value) {
  double power = 1;
  while (power * 10 <= value) power *= 10;
  for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (power * step >= value) return power * step;
  }
  return power * 10;
}

Chart chart_of(const View& view, const Query& now, const Answer& answer, const Query& earlier,
               const Answer& before) {
  Chart chart;
  const auto metric = view.metric();
  chart.metric = label_of(metric);
  chart.csv = view.url_below("/csv");
  const auto interval = now.dimensions.front().field;
  const auto values = series(now, answer);
  const auto values_before = view.is_all_time() ? std::vector<double>() : series(earlier, before);
  const auto& buckets = answer.buckets;
  const bool is_one_day = view.period().first == view.period().last;
  double most = 1;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    Bar bar;
    bar.label = short_label(interval, buckets[i].label, is_one_day);
    bar.value = values[i];
    bar.text = text_of(metric, values[i]);
    bar.before = i < values_before.size() ? values_before[i] : 0;
    most = std::max({most, bar.value, bar.before});
    chart.bars.push_back(std::move(bar));
  }
  chart.top_value = round_up(most);
  chart.top = text_of(metric, chart.top_value);
  return chart;
}

/// A panel, the dimension that is looked at, and what is counted of its rows.
struct Look {
  const PanelKind& panel;
  Dimension dimension;
  std::string column;
  std::vector<Metric> metrics;
};

Look look_of(const View& view, const PanelKind& panel, const std::string& key) {
  if (panel.tabs.empty()) {
    return {panel, {Field::kProp, key}, key, {Metric::kVisitors, Metric::kEvents}};
  }
  const auto chosen = view.tab(panel);
  const auto& tab = *std::find_if(panel.tabs.begin(), panel.tabs.end(),
                                  [&](const PanelTab& each) { return each.id == chosen; });
  Look look{panel, tab.dimension, tab.name, {Metric::kVisitors, Metric::kPercentage}};
  if (tab.dimension.field == Field::kGoal) {
    look.metrics = {Metric::kVisitors, Metric::kEvents, Metric::kConversionRate};
  } else if (tab.dimension.field == Field::kName) {
    look.metrics = {Metric::kVisitors, Metric::kEvents};
  }
  return look;
}

Query query_of(const View& view, const Look& look, std::size_t limit) {
  auto query = view.query(look.metrics, {look.dimension});
  query.limit = limit;
  if (look.dimension.field == Field::kBrowserVersion)
    query.dimensions.push_back({Field::kBrowser, {}});
  if (look.dimension.field == Field::kOsVersion) query.dimensions.push_back({Field::kOs, {}});
  return query;
}

std::size_t limit_of(const View& view, const PanelKind& panel) {
  return view.is_expanded(panel) ? kMoreRows : kRows;
}

Panel table_of(const View& view, const Look& look, const Answer& answer) {
  const auto& panel = look.panel;
  Panel shown{panel.id, panel.title, {}, {look.column}, {}, {}, {}};
  for (const auto& tab : panel.tabs) {
    const bool is_first = &tab == &panel.tabs.front();
    shown.tabs.push_back(
        {tab.name, view.url(panel.id, is_first ? "" : tab.id), tab.dimension == look.dimension});
  }
  for (const auto metric : look.metrics) shown.columns.push_back(label_of(metric));
  const auto field = look.dimension.field;
  const auto dimensions = query_of(view, look, 1).dimensions;
  const double most = answer.rows.empty() ? 1 : number_of(answer.rows.front().metrics.front());
  for (const auto& row : answer.rows) {
    PanelRow line;
    const auto& value = row.dimensions.front();
    line.name = row.dimensions.size() > 1 ? row.dimensions[1] + " " + value : value;
    line.href = view.url_where(dimensions, row.dimensions);
    if (line.href.size() > kMaxUrl) line.href.clear();  // which no request could carry
    line.share = most > 0 ? number_of(row.metrics.front()) / most : 0;
    if (field == Field::kCountry && !reads_as_empty(field, value)) line.country = value;
    for (std::size_t i = 0; i < row.metrics.size(); ++i) {
      line.numbers.push_back(text_of(look.metrics[i], row.metrics[i]));
    }
    shown.rows.push_back(std::move(line));
  }
  shown.csv = view.url_below("/csv", "panel", panel.id);
  if (view.is_expanded(panel)) {
    shown.more = {"Fewer rows", view.url("more", ""), false};
  } else if (answer.total_rows > answer.rows.size()) {
    const auto more = std::min(answer.total_rows, kMoreRows);
    shown.more = {"More rows (" + grouped(static_cast<std::int64_t>(more)) + ")",
                  view.url("more", panel.id), false};
  }
  return shown;
}

Query keys_query(const View& view) {
  auto query = view.query({Metric::kEvents}, {{Field::kPropKey, {}}});
  query.limit = kMaxTabs;
  return query;
}

/// The key that is looked at: the one chosen, or the most common.
std::string key_of(const View& view, const PanelKind& panel, const Answer& keys) {
  auto chosen = view.tab(panel);
  if (!chosen.empty() || keys.rows.empty()) return chosen;
  return keys.rows.front().dimensions.front();
}

void add_keys(const View& view, const Answer& keys, const std::string& key, Panel& panel) {
  for (const auto& row : keys.rows) {
    const auto& name = row.dimensions.front();
    panel.tabs.push_back({name, view.url(panel.id, name), name == key});
  }
}

/// Takes away the row of events without the prop, which are nothing to show, and what is more than
/// `most` rows. No filter does that, because daily totals count only without one.
void keep_props(Answer& answer, std::size_t most) {
  const auto none = empty_value(Field::kProp);
  answer.total_rows -=
      std::erase_if(answer.rows, [&](const Row& row) { return row.dimensions.front() == none; });
  if (answer.rows.size() > most) answer.rows.resize(most);
}

void note_totals(const std::vector<Answer>& answers, Page& page) {
  for (const auto& answer : answers) page.lacks_totals |= answer.totals.are_left_out;
}

}  // namespace

Status count_overview(const View& view, const Query& current, store::StatsStore& store,
                      Page& page) {
  const auto totals = view.totals();
  const Dimension interval{view.interval(), {}};
  const std::vector<Query> queries = {view.query(totals), view.query_before(totals),
                                      view.query({view.metric()}, {interval}),
                                      view.query_before({view.metric()}, {interval}), current};
  const auto answers = answer(queries, store);
  if (!answers) return fail(answers.error());
  const auto& all = *answers;
  const bool has_before = !view.is_all_time() && number_of(all[1].rows.front().metrics.front()) > 0;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    page.tiles.push_back(tile_of(view, totals[i], all[0].rows.front().metrics[i],
                                 all[1].rows.front().metrics[i], has_before));
  }
  page.chart = chart_of(view, queries[2], all[2], queries[3], all[3]);
  note_totals(all, page);
  page.current_visitors = std::llround(number_of(all[4].rows.front().metrics.front()));
  return {};
}

Status count_panels(const View& view, store::StatsStore& store, Page& page) {
  std::vector<Query> queries;
  std::vector<Look> looks;
  for (const auto& panel : View::panels()) {
    looks.push_back(look_of(view, panel, view.tab(panel)));
    queries.push_back(panel.tabs.empty() ? keys_query(view)
                                         : query_of(view, looks.back(), limit_of(view, panel)));
  }
  const auto answers = answer(queries, store);
  if (!answers) return fail(answers.error());
  note_totals(*answers, page);
  for (std::size_t i = 0; i < looks.size(); ++i) {
    if (!looks[i].panel.tabs.empty()) {
      page.panels.push_back(table_of(view, looks[i], (*answers)[i]));
      continue;
    }
    const auto& keys = (*answers)[i];
    const auto key = key_of(view, looks[i].panel, keys);
    if (key.empty()) continue;  // nobody sends any
    const auto look = look_of(view, looks[i].panel, key);
    const auto limit = limit_of(view, look.panel);
    auto values = answer(query_of(view, look, limit + 1), store);
    if (!values) return fail(values.error());
    keep_props(*values, limit);
    page.panels.push_back(table_of(view, look, *values));
    add_keys(view, keys, key, page.panels.back());
  }
  return {};
}

Result<std::string> panel_csv(const View& view, std::string_view panel, store::StatsStore& store) {
  Query query;
  std::vector<std::string> header;
  if (panel.empty()) {
    query = view.query(view.totals(), {{view.interval(), {}}});
    header = {"time"};
  } else {
    const auto& panels = View::panels();
    const auto found = std::find_if(panels.begin(), panels.end(),
                                    [&](const PanelKind& each) { return each.id == panel; });
    if (found == panels.end()) return fail(ErrorCode::kNotFound, "Unknown panel.");
    std::string key;
    if (found->tabs.empty()) {
      const auto keys = answer(keys_query(view), store);
      if (!keys) return fail(keys.error());
      key = key_of(view, *found, *keys);
      if (key.empty()) return fail(ErrorCode::kNotFound, "No event of this period has properties.");
    }
    query = query_of(view, look_of(view, *found, key), kCsvRows);
    for (const auto& dimension : query.dimensions) header.push_back(dimension_name(dimension));
  }
  const auto answered = answer(query, store);
  if (!answered) return fail(answered.error());
  for (const auto metric : query.metrics) header.emplace_back(metric_name(metric));
  auto text = csv_row(header);
  for (const auto& row : panel.empty() ? every_bucket(query, *answered) : answered->rows) {
    auto cells = row.dimensions;
    for (const auto& value : row.metrics) cells.push_back(csv_number(value));
    text += csv_row(cells);
  }
  return text;
}

}  // namespace analytics::share
