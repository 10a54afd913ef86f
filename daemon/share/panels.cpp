#include "daemon/share/panels.h"

#include <algorithm>
#include <cmath>

#include "common/csv.h"
#include "common/grouped.h"
#include "common/local_time.h"
#include "common/text.h"
#include "daemon/model/place_name.h"
#include "daemon/share/chart.h"
#include "daemon/share/value_text.h"
#include "daemon/stats/answer.h"

namespace analytics::share {
namespace {

constexpr std::size_t kRows = 9;        // of a panel
constexpr std::size_t kMoreRows = 100;  // of one that was asked for more
constexpr std::size_t kMaxTabs = 30;    // of props
constexpr std::size_t kCsvRows = 100'000;
constexpr std::size_t kMaxUrl = 7'000;  // bytes: a request line has 8 KiB

/// `has_before`: somebody came in the period before.
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
  if (view.is_of_conversions()) look.metrics.back() = Metric::kGroupConversionRate;
  if (tab.dimension.field == Field::kGoal) {
    look.metrics = {Metric::kVisitors, Metric::kEvents, Metric::kConversionRate,
                    Metric::kTotalRevenue};
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

/// Which metrics have a column: revenue only where there is any.
std::vector<bool> shown_metrics(const Look& look, const Answer& answer) {
  std::vector<bool> shows;
  for (std::size_t i = 0; i < look.metrics.size(); ++i) {
    const bool has_any = std::any_of(answer.rows.begin(), answer.rows.end(), [&](const Row& row) {
      return row.metrics[i] != Value(std::vector<Money>());
    });
    shows.push_back(!is_of_revenue(look.metrics[i]) || has_any);
  }
  return shows;
}

Panel table_of(const View& view, const Look& look, const Answer& answer) {
  const auto& panel = look.panel;
  Panel shown{panel.id, panel.title, {}, {look.column}, {}, {}, {}};
  for (const auto& tab : panel.tabs) {
    const bool is_first = &tab == &panel.tabs.front();
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
  for (const auto& row : answer.rows) {
    PanelRow line;
    const auto& value = row.dimensions.front();
    line.name = row.dimensions.size() > 1 ? row.dimensions[1] + " " + value : value;
    line.href = view.url_where(dimensions, row.dimensions);
    if (line.href.size() > kMaxUrl) line.href.clear();  // which no request could carry
    line.share = most > 0 ? number_of(row.metrics.front()) / most : 0;
    if (field == Field::kCountry || field == Field::kRegion) line.name = place_name(value);
    for (std::size_t i = 0; i < row.metrics.size(); ++i) {
      if (shows[i]) line.numbers.push_back(text_of(look.metrics[i], row.metrics[i]));
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
    const bool is_paid = all[0].rows.front().metrics[i] != Value(std::vector<Money>());
    if (is_of_revenue(totals[i]) && !is_paid) continue;
    page.tiles.push_back(tile_of(view, totals[i], all[0].rows.front().metrics[i],
                                 all[1].rows.front().metrics[i], has_before));
  }
  page.chart = make_chart(view, queries[2], all[2], queries[3], all[3]);
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
    for (const auto& value : row.metrics) cells.push_back(csv_text(value));
    text += csv_row(cells);
  }
  return text;
}

}  // namespace analytics::share
