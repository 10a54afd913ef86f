#include "daemon/share/panels.h"

#include <algorithm>
#include <cmath>

#include "common/text/csv.h"
#include "common/text/grouped.h"
#include "common/text/local_time.h"
#include "common/text/text.h"
#include "common/wire/frozen_version.h"
#include "daemon/model/names/iso_name.h"
#include "daemon/share/chart.h"
#include "daemon/share/value_text.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/caveats.h"
#include "daemon/stats/warnings.h"

namespace analytics::share {
namespace {

constexpr std::size_t kRows = 9;          // number of rows of a panel that is not expanded
constexpr std::size_t kRowsBelowMap = 5;  // number of rows of a panel with a map
constexpr std::size_t kMaxCountries = 300;
constexpr int kShades = 5;
constexpr std::size_t kMoreRows = 100;  // number of rows that an expanded panel shows at a time
constexpr std::size_t kMaxTabs = 30;    // maximum number of tabs in the panel of properties
constexpr std::size_t kCsvRows = 100'000;
constexpr std::size_t kMaxUrl = 7'000;  // bytes; the server accepts 8 KiB for a whole request line

/// Returns the tile of a metric: its total and its change. `has_before`: true if the period to
/// compare with has visitors.
Tile tile_of(const View& view, Metric metric, const Value& value, const Value& before,
             bool has_before) {
  Tile tile;
  const bool is_default = metric == Metric::kVisitors;
  tile.link = {view.label(metric), view.url("metric", is_default ? "" : metric_name(metric)),
               metric == view.metric()};
  tile.value = text_of(metric, value);
  const auto change = change_of(metric, value, before);
  if (has_before) tile.change = change_text(metric, change);
  const auto more = info_of(metric).less_is_better ? -number_of(change) : number_of(change);
  if (more != 0) tile.tone = more > 0 ? "better" : "worse";
  return tile;
}

/// A panel with the dimension of its selected tab and the metrics of its rows.
struct Look {
  const PanelKind& panel;
  Dimension dimension;
  std::string column;
  std::vector<Metric> metrics;
};

/// Returns the metrics that an expanded panel shows for this field.
std::vector<Metric> details_of(Field field) {
  using enum Metric;
  switch (field) {
    case Field::kPage:
      return {kVisitors, kPercentage, kPageviews, kBounceRate, kTimeOnPage, kScrollDepth};
    case Field::kEntryPage: return {kVisitors, kPercentage, kVisits, kBounceRate, kVisitDuration};
    case Field::kExitPage: return {kVisitors, kPercentage, kVisits, kExitRate};
    case Field::kHostname: return {kVisitors, kPercentage, kPageviews};
    default: return {kVisitors, kPercentage, kVisits, kBounceRate, kVisitDuration};
  }
}

std::vector<Metric> metrics_of(const View& view, const PanelKind& panel, Field field) {
  using enum Metric;
  const bool has_rate =
      field == Field::kGoal || (field == Field::kProp && view.is_of_conversions());
  if (has_rate) return {kVisitors, kEvents, kConversionRate, kTotalRevenue};
  if (field == Field::kProp) return {kVisitors, kEvents, kPercentage};
  if (field == Field::kName) return {kVisitors, kEvents};
  if (view.is_of_conversions()) return {kVisitors, kGroupConversionRate};
  return view.is_expanded(panel) ? details_of(field) : std::vector{kVisitors, kPercentage};
}

Look look_of(const View& view, const PanelKind& panel, const std::string& key) {
  if (panel.tabs.empty()) {
    return {panel, {Field::kProp, key}, key, metrics_of(view, panel, Field::kProp)};
  }
  const auto chosen = view.tab(panel);
  const auto& tab = *std::find_if(panel.tabs.begin(), panel.tabs.end(),
                                  [&](const PanelTab& each) { return each.id == chosen; });
  Look look{panel, tab.dimension, tab.name, metrics_of(view, panel, tab.dimension.field)};
  const auto query = view.query(look.metrics, {look.dimension});
  std::erase_if(look.metrics,
                [&](Metric metric) { return meaningless(query, metric).has_value(); });
  return look;
}

Query query_of(const View& view, const Look& look, std::size_t limit) {
  auto query = view.query(look.metrics, {look.dimension});
  query.limit = limit;
  if (look.dimension.field == Field::kBrowserVersion)
    query.dimensions.push_back({Field::kBrowser, {}});
  if (look.dimension.field == Field::kOsVersion) query.dimensions.push_back({Field::kOs, {}});
  // The row of events without the property is left out.
  query.rows.without_empty = look.dimension.field == Field::kProp;
  return query;
}

/// Returns the query for the rows that the panel shows.
Query rows_query(const View& view, const Look& look) {
  if (!view.is_expanded(look.panel)) {
    const bool has_map = look.dimension.field == Field::kCountry;
    return query_of(view, look, has_map ? kMaxCountries : kRows);
  }
  auto query = query_of(view, look, kMoreRows);
  query.offset = view.page_of_rows() * kMoreRows;
  query.rows.search = view.search();
  return query;
}

/// Returns for each metric of the panel whether to show its column. Hides metrics of revenue and
/// engagement for which no row has a value.
std::vector<bool> shown_metrics(const Look& look, const Answer& answer) {
  std::vector<bool> shows;
  for (std::size_t i = 0; i < look.metrics.size(); ++i) {
    const auto metric = look.metrics[i];
    const bool has_any = std::any_of(answer.rows.begin(), answer.rows.end(), [&](const Row& row) {
      return row.metrics[i] != Value(std::vector<Money>()) && row.metrics[i] != Value();
    });
    shows.push_back((!is_of_revenue(metric) && !is_of_engagement(metric)) || has_any);
  }
  return shows;
}

Panel::Whole whole_of(const View& view, const Answer& answer) {
  Panel::Whole whole{
      view.search(), view.path(), view.parameters_without({"page", "search"}), {}, {}, {}};
  const auto count = [](std::size_t number) { return grouped(static_cast<std::int64_t>(number)); };
  const auto page = view.page_of_rows();
  const auto first = page * kMoreRows;
  if (answer.rows.empty()) {
    if (page > 0) whole.before = {"← First rows", view.url("page", ""), false};
    return whole;
  }
  whole.count = count(first + 1) + " to " + count(first + answer.rows.size()) + " of " +
                count(answer.total_rows);
  if (page > 0) whole.before = {"← Before", view.url("page", std::to_string(page)), false};
  if (first + answer.rows.size() < answer.total_rows) {
    whole.after = {"Next →", view.url("page", std::to_string(page + 2)), false};
  }
  return whole;
}

/// Returns the country of each row for the map. The shade grows with the square root of the
/// visitors, because most visitors are from a few countries.
std::vector<MapShape> map_of(const View& view, const Look& look, const Answer& answer) {
  std::vector<MapShape> shapes;
  const double most = answer.rows.empty() ? 1 : number_of(answer.rows.front().metrics.front());
  for (const auto& row : answer.rows) {
    const auto& code = row.dimensions.front();
    const auto& value = row.metrics.front();
    if (code == empty_value(Field::kCountry)) continue;
    const auto share = std::sqrt(number_of(value) / std::max(most, 1.0));
    const auto shade = std::clamp(static_cast<int>(std::ceil(kShades * share)), 1, kShades);
    shapes.push_back({code, view.url_where({look.dimension}, {code}),
                      iso_name(code) + ": " + text_of(look.metrics.front(), value), shade});
  }
  return shapes;
}

Panel table_of(const View& view, const Look& look, const Answer& answer) {
  const auto& panel = look.panel;
  Panel shown{panel.id, panel.title, {}, {look.column}, {}, {}, {}};
  for (const auto& tab : panel.tabs) {
    const bool is_first = &tab == &panel.tabs.front();
    const bool is_empty = tab.dimension.field == Field::kLanguage && !view.site().languages;
    if (is_empty && tab.dimension != look.dimension) continue;
    shown.tabs.push_back(
        {tab.name, view.url(panel.id, is_first ? "" : tab.id), tab.dimension == look.dimension});
  }
  const auto shows = shown_metrics(look, answer);
  for (std::size_t i = 0; i < shows.size(); ++i) {
    if (shows[i]) shown.columns.push_back(view.label(look.metrics[i]));
  }
  const auto field = look.dimension.field;
  const auto dimensions = query_of(view, look, 1).dimensions;
  const double most = answer.rows.empty() ? 1 : number_of(answer.rows.front().metrics.front());
  const bool has_map = field == Field::kCountry && !view.is_expanded(panel);
  if (has_map) shown.map = map_of(view, look, answer);
  for (const auto& row : answer.rows) {
    if (has_map && shown.rows.size() == kRowsBelowMap) break;
    PanelRow line;
    const auto& value = row.dimensions.front();
    line.name = row.dimensions.size() > 1
                    ? row.dimensions[1] + " " + shown_version(row.dimensions[1], value)
                    : value;
    line.href = view.url_where(dimensions, row.dimensions);
    if (line.href.size() > kMaxUrl) line.href.clear();  // the server would refuse this URL
    line.share = most > 0 ? number_of(row.metrics.front()) / most : 0;
    if (is_iso_code(field)) line.name = iso_name(value);
    for (std::size_t i = 0; i < row.metrics.size(); ++i) {
      if (shows[i]) line.numbers.push_back(text_of(look.metrics[i], row.metrics[i]));
    }
    shown.rows.push_back(std::move(line));
  }
  shown.csv = view.url_below("/csv", "panel", panel.id);
  if (view.is_expanded(panel)) {
    shown.more = {"Fewer rows", view.url("more", ""), false};
    shown.whole = whole_of(view, answer);
  } else if (!answer.rows.empty()) {
    const auto all = grouped(static_cast<std::int64_t>(answer.total_rows));
    const bool has_more = answer.total_rows > shown.rows.size();
    shown.more = {has_more ? "All " + all + " rows" : "Details",
                  view.url("more", panel.id) + "#" + panel.id, false};
  }
  return shown;
}

Query keys_query(const View& view) {
  auto query = view.query({Metric::kEvents}, {{Field::kPropKey, {}}});
  query.limit = kMaxTabs;
  return query;
}

/// Returns the selected property key; by default the most common. Empty if no event has properties.
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

bool reads_engagements(const Look& look) {
  return std::any_of(look.metrics.begin(), look.metrics.end(), is_of_engagement);
}

/// Counts a panel in a separate query, because time on page and scroll depth may take longer than
/// all other metrics. If the query fails, removes these two metrics and counts the others.
Result<Answer> count_alone(const View& view, Look& look, store::StatsStore& store) {
  auto answered = answer(rows_query(view, look), store);
  if (answered) return answered;
  std::erase_if(look.metrics, is_of_engagement);
  return answer(rows_query(view, look), store);
}

void note_totals(const std::vector<Answer>& answers, Page& page) {
  for (const auto& answer : answers) {
    page.lacks_totals |= answer.totals.are_left_out;
    page.has_imports |= answer.totals.are_imports_added;
    page.lacks_imports |= answer.totals.are_imports_left_out;
  }
}

}  // namespace

Status count_current(const View& view, store::StatsStore& store, Page& page) {
  const auto current = TRY(view.current_query());
  const auto answered = TRY(answer(current, store));
  page.current_visitors = std::llround(number_of(answered.rows.front().metrics.front()));
  return {};
}

Status count_overview(const View& view, store::StatsStore& store, Page& page) {
  const auto current = TRY(view.current_query());
  const auto totals = view.totals();
  const Dimension interval{view.interval(), {}};
  std::vector<Query> queries = {view.query(totals), view.query_before(totals),
                                view.query({view.metric()}, {interval}),
                                view.query_before({view.metric()}, {interval}), current};
  rate_by_row(queries[2]);
  rate_by_row(queries[3]);
  const auto all = TRY(answer(queries, store));
  page.compared_with = view.compared_with();
  const bool has_before = view.compares() && number_of(all[1].rows.front().metrics.front()) > 0;
  page.lacks_before = view.compares() && view.has_chosen_comparison() && !has_before;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const bool is_paid = all[0].rows.front().metrics[i] != Value(std::vector<Money>());
    if (is_of_revenue(totals[i]) && !is_paid) continue;
    page.tiles.push_back(tile_of(view, totals[i], all[0].rows.front().metrics[i],
                                 all[1].rows.front().metrics[i], has_before));
  }
  page.chart = make_chart(view, queries[2], all[2], queries[3], all[3]);
  note_totals(all, page);
  const auto compared = view.compares() ? std::size_t{2} : std::size_t{1};
  page.caveats = sentences(
      caveats_of(std::span(queries).first(compared), std::span(all).first(compared), view.now()));
  page.current_visitors = std::llround(number_of(all[4].rows.front().metrics.front()));
  return {};
}

Status count_panels(const View& view, store::StatsStore& store, Page& page) {
  std::vector<Query> queries;
  std::vector<Look> looks;
  for (const auto& panel : View::panels()) {
    const auto& look = looks.emplace_back(look_of(view, panel, view.tab(panel)));
    if (reads_engagements(look)) continue;
    queries.push_back(panel.tabs.empty() ? keys_query(view) : rows_query(view, look));
  }
  const auto answers = TRY(answer(queries, store));
  note_totals(answers, page);
  auto next = answers.begin();
  for (auto& look : looks) {
    if (reads_engagements(look)) {
      const auto answered = TRY(count_alone(view, look, store));
      note_totals({answered}, page);
      page.panels.push_back(table_of(view, look, answered));
      continue;
    }
    const auto& answered = *next++;
    if (!look.panel.tabs.empty()) {
      page.panels.push_back(table_of(view, look, answered));
      continue;
    }
    const auto key = key_of(view, look.panel, answered);
    if (key.empty()) continue;  // no event has properties
    const auto of_key = look_of(view, look.panel, key);
    const auto values = TRY(answer(rows_query(view, of_key), store));
    page.panels.push_back(table_of(view, of_key, values));
    add_keys(view, answered, key, page.panels.back());
  }
  return {};
}

Result<std::string> panel_csv(const View& view, std::string_view panel, store::StatsStore& store) {
  Query query;
  std::vector<std::string> header;
  const auto add_names = [&](const std::vector<Metric>& metrics) {
    for (const auto metric : metrics) header.emplace_back(metric_name(metric));
  };
  if (panel.empty()) {
    query = view.query(view.totals(), {{view.interval(), {}}});
    header = {"time"};
    add_names(query.metrics);
    rate_by_row(query);
  } else {
    const auto& panels = View::panels();
    const auto found = std::find_if(panels.begin(), panels.end(),
                                    [&](const PanelKind& each) { return each.id == panel; });
    if (found == panels.end()) return fail(ErrorCode::kNotFound, "Unknown panel.");
    std::string key;
    if (found->tabs.empty()) {
      const auto keys = TRY(answer(keys_query(view), store));
      key = key_of(view, *found, keys);
      if (key.empty()) return fail(ErrorCode::kNotFound, "No event of this period has properties.");
    }
    query = query_of(view, look_of(view, *found, key), kCsvRows);
    for (const auto& dimension : query.dimensions) header.push_back(dimension_name(dimension));
    add_names(query.metrics);
  }
  const auto answered = TRY(answer(query, store));
  auto text = csv_row(header);
  for (const auto& row : panel.empty() ? every_bucket(query, answered) : answered.rows) {
    auto cells = row.dimensions;
    for (const auto& value : row.metrics) cells.push_back(csv_text(value));
    text += csv_row(cells);
  }
  return text;
}

}  // namespace analytics::share
