#include "daemon/share/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "common/event/revenue.h"
#include "common/text/local_time.h"
#include "daemon/share/value_text.h"
#include "daemon/stats/money.h"

namespace analytics::share {
namespace {

std::string without_year(const std::string& day) { return day.substr(0, day.rfind(' ')); }

/// Returns the short label of a bucket below the chart. Omits parts that neighbouring labels
/// share, such as the year.
std::string short_label(Field interval, const std::string& label, bool is_one_day) {
  const auto day = View::day_text(*parse_day(label.substr(0, 10)));
  if (interval == Field::kHour || interval == Field::kMinute) {
    const auto hour = label.substr(11, 5) + label.substr(19);  // time and UTC offset, if any
    return is_one_day ? hour : without_year(day) + ", " + hour;
  }
  if (interval == Field::kMonth) return day.substr(day.find(' ') + 1);
  return interval == Field::kDay ? without_year(day) : day;
}

/// Returns the label of a bucket in its tooltip and in the table of numbers.
std::string long_label(Field interval, const std::string& label, bool is_one_day) {
  const auto text = short_label(interval, label, is_one_day);
  if (interval == Field::kWeek) return "Week from " + text;
  return interval == Field::kDay ? weekday_name(*parse_day(label)) + " " + text : text;
}

/// Returns the URL that shows only the bar's days; empty if the page already shows only these, or
/// if the bar is shorter than a day.
std::string url_of_bar(const View& view, const Query& query, const TimeRange& bar) {
  const auto interval = query.dimensions.front().field;
  if (interval == Field::kHour || interval == Field::kMinute) return {};
  const auto& period = view.period();
  const auto first = std::max(local_day(bar.from, query.zone), period.first);
  const auto last = std::min(local_day(bar.to - std::chrono::seconds(1), query.zone), period.last);
  if (first == period.first && last == period.last) return {};
  return view.url_of_days(first, last);
}

/// Returns the answer's first metric for each time bucket, including buckets without events.
std::vector<Value> series(const Query& query, const Answer& answer) {
  std::vector<Value> values;
  for (auto& row : every_bucket(query, answer)) values.push_back(std::move(row.metrics.front()));
  return values;
}

/// Returns the currencies of the values, each with the number of values that contain it.
std::map<std::string, std::size_t> currencies_of(const std::vector<Value>& values) {
  std::map<std::string, std::size_t> currencies;
  for (const auto& value : values) {
    const auto* amounts = std::get_if<std::vector<Money>>(&value);
    if (amounts == nullptr) continue;
    for (const auto& amount : *amounts) ++currencies[amount.currency];
  }
  return currencies;
}

/// Returns the currency that occurs in the most buckets; empty if the values are not money. A chart
/// shows only one currency, because several have no common scale.
std::string drawn_currency(const std::map<std::string, std::size_t>& currencies) {
  const auto most =
      std::max_element(currencies.begin(), currencies.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == currencies.end() ? std::string() : most->first;
}

/// Returns the smallest round number that is at least `value`, for the top of the chart.
double round_up(double value) {
  double power = 1;
  while (power * 10 <= value) power *= 10;
  for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (power * step >= value) return power * step;
  }
  return power * 10;
}

/// Returns true for 1, 2, 2.5 and 5 times a power of ten.
bool is_round(double step) {
  constexpr std::array kRound = {1.0, 2.0, 2.5, 5.0};
  constexpr double kNearly = 1e-9;
  const auto digits = step / std::pow(10, std::floor(std::log10(step)));
  return std::any_of(kRound.begin(), kRound.end(),
                     [&](double round) { return std::abs(digits - round) < kNearly; });
}

/// Returns the number of equal steps into which grid lines divide the chart. `top`: value at the
/// top of the chart. `whole`: true if lines may be only at whole numbers.
int steps_of(double top, bool whole) {
  for (const int steps : {4, 5, 3, 2}) {
    const auto step = top / steps;
    if (is_round(step) && (!whole || std::floor(step) == step)) return steps;
  }
  return 1;
}

/// Returns the label of a grid line. `currency`: empty if the chart does not show amounts of money.
std::string line_text(Metric metric, const std::string& currency, double number) {
  if (currency.empty()) return text_of(metric, number);
  return short_text({currency, std::llround(number * static_cast<double>(kMicrosOfUnit))});
}

void add_lines(Metric metric, const std::string& currency, Chart& chart) {
  const bool whole = std::all_of(chart.bars.begin(), chart.bars.end(),
                                 [](const Bar& bar) { return std::floor(bar.value) == bar.value; });
  const auto steps = steps_of(chart.top_value, whole);
  for (int step = steps; step > 0; --step) {
    const auto share = static_cast<double>(step) / steps;
    chart.lines.push_back({share, line_text(metric, currency, chart.top_value * share)});
  }
}

}  // namespace

Chart make_chart(const View& view, const Query& query, const Answer& answer,
                 const Query& query_before, const Answer& before) {
  Chart chart;
  const auto metric = view.metric();
  chart.metric = view.label(metric);
  chart.csv = view.url_below("/csv");
  const auto interval = query.dimensions.front().field;
  const auto values = series(query, answer);
  const auto earlier = view.compares() ? series(query_before, before) : std::vector<Value>();
  auto currencies = currencies_of(values);
  if (currencies.empty()) currencies = currencies_of(earlier);
  const auto currency = drawn_currency(currencies);
  if (currencies.size() > 1) chart.metric += " in " + currency;
  const auto height_of = [&](const Value& value) { return number_of(value, currency); };
  const bool has_before = std::any_of(earlier.begin(), earlier.end(),
                                      [&](const Value& value) { return height_of(value) != 0; });
  const auto& buckets = answer.buckets;
  const bool is_one_day = view.period().first == view.period().last;
  double most = 1;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    auto& bar = chart.bars.emplace_back();
    bar.tick = short_label(interval, buckets[i].label, is_one_day);
    bar.label = long_label(interval, buckets[i].label, is_one_day);
    bar.value = height_of(values[i]);
    if (buckets[i].from <= view.now()) bar.text = text_of(metric, values[i]);
    const auto end = i + 1 < buckets.size() ? buckets[i + 1].from : query.selection.range.to;
    bar.href = url_of_bar(view, query, {buckets[i].from, end});
    bar.is_running = buckets[i].from <= view.now() && view.now() < end;
    most = std::max(most, bar.value);
    if (!has_before || i >= earlier.size()) continue;
    bar.before = Bar::Before{long_label(interval, before.buckets[i].label, false),
                             text_of(metric, earlier[i]), height_of(earlier[i]),
                             change_text(metric, change_of(metric, values[i], earlier[i]))};
    most = std::max(most, bar.before->value);
  }
  chart.top_value = round_up(most);
  add_lines(metric, currency, chart);
  return chart;
}

}  // namespace analytics::share
