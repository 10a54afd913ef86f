#include "daemon/share/view.h"

#include <algorithm>

#include "common/text/local_time.h"
#include "common/text/text.h"
#include "daemon/share/choices.h"
#include "daemon/stats/filter_rules.h"
#include "daemon/stats/realtime.h"
#include "daemon/stats/warnings.h"

namespace analytics::share {
namespace {

using std::chrono::days;

constexpr std::int64_t kMaxPages = 1'000'000;
constexpr int kMaxBars = 400;
constexpr int kHourDays = 2;        // longest period, in days, charted by hour
constexpr int kDayDays = 92;        // longest period, in days, charted by day
constexpr int kWeekDays = 2 * 366;  // longest period, in days, charted by week

/// Returns true if the URL of a shared page may have this parameter.
bool is_known(std::string_view name) {
  for (const auto* known :
       {"auth",       "period", "from",       "to",         "filters",    "metric",
        "more",       "page",   "search",     "interval",   "compare",    "compare_from",
        "compare_to", "match",  "filter_by",  "filter_key", "filter_how", "filter_values",
        "embed",      "theme",  "background", kFunnels}) {
    if (name == known) return true;
  }
  const auto& panels = View::panels();
  return std::any_of(panels.begin(), panels.end(),
                     [&](const auto& panel) { return panel.id == name; });
}

}  // namespace

std::string View::day_text(Days day) {
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::year_month_day date(day);
  return std::to_string(unsigned(date.day())) + " " + kMonths[unsigned(date.month()) - 1] + " " +
         std::to_string(int(date.year()));
}

View::View(std::string path, Parameters parameters, const LinkTerms& terms, const Site& site,
           const std::vector<Goal>& goals, UnixSeconds now)
    : path_(std::move(path)),
      parameters_(std::move(parameters)),
      site_(site),
      goals_(goals),
      now_(now),
      today_(local_day(now, site.timezone)),
      is_limited_(!terms.filters.empty()) {
  std::erase_if(parameters_, [](const auto& each) { return !is_known(each.first); });
  if (!terms.period.empty()) {
    period_name_ = terms.period;
    is_chosen_ = true;
  }
  read_period();
  read_filters();
  read_fixed_filters(terms.filters);
  read_comparison();
  if (const auto* name = find("metric")) {
    const auto metric = parse_metric(*name);
    const auto all = totals();
    if (metric && std::find(all.begin(), all.end(), *metric) != all.end()) metric_ = *metric;
  }
}

const std::string* View::find(std::string_view name) const {
  const auto at = std::find_if(parameters_.rbegin(), parameters_.rend(),
                               [&](const auto& each) { return each.first == name; });
  return at == parameters_.rend() ? nullptr : &at->second;
}

/// Returns the period between the days in the URL parameters that `from` and `to` name; nullopt
/// unless both are days. Swaps a reversed range and sets `problem_`, because one of its days may be
/// a typo.
std::optional<Period> View::days_between(std::string_view from, std::string_view to) {
  const auto* const begin = find(from);
  const auto* const end = find(to);
  const auto first = begin == nullptr ? std::nullopt : parse_day(*begin);
  const auto last = end == nullptr ? std::nullopt : parse_day(*end);
  if (!first || !last) return std::nullopt;
  if (*last < *first) problem_ = day_text(*last) + " is before " + day_text(*first) + ".";
  return Period{std::min(*first, *last), std::max(*first, *last)};
}

void View::read_period() {
  if (const auto chosen = days_between("from", "to")) {
    is_chosen_ = true;
    period_name_ = "custom";
    period_ = *chosen;
    period_.first = std::max(period_.first, period_.last - days(20'000));
    return;
  }
  if (const auto* name = find("period")) {
    const bool is_known = std::any_of(std::begin(kPeriods), std::end(kPeriods),
                                      [&](const auto& each) { return each.id == *name; });
    is_chosen_ = is_chosen_ || is_known;
    if (is_known) period_name_ = *name;
  }
  if (period_name_ == kRealtimePeriod) {
    const auto minute = std::chrono::floor<std::chrono::minutes>(now_);
    half_hour_ = {minute - std::chrono::minutes(29), minute + std::chrono::minutes(1)};
    period_ = {today_, today_};
    return;
  }
  period_ = is_all_time() ? Period{today_, today_} : *days_of(period_name_, today_);
  period_.last = std::min(period_.last, today_);
}

void View::begin_at(std::optional<UnixSeconds> known_from) {
  const auto first = local_day(std::min(known_from.value_or(now_), now_), site_.timezone);
  if (is_all_time()) {
    period_.first = first;
  } else if (!is_chosen_ && first == today_) {
    period_name_ = "day";
    period_ = {today_, today_};
  }
}

void View::read_comparison() {
  const auto* with = find("compare");
  if (with != nullptr && *with == "none") return comparison_.reset();
  const auto* match = find("match");
  comparison_->match_day_of_week = match != nullptr && *match == "weekday";
  if (with != nullptr && *with == "year") comparison_->mode = Comparison::Mode::kYearOverYear;
  if (with == nullptr || *with != "days") return;
  const auto period = days_between("compare_from", "compare_to");
  if (!period) return;
  comparison_->mode = Comparison::Mode::kCustom;
  comparison_->custom = range_of(*period, site_.timezone);
}

std::string View::compared_with() const {
  if (!comparison_) return {};
  const std::string part = period_.last >= today_ ? "the same part of " : "";
  const bool is_unit = period_name_ == "day" || period_name_ == "month" || period_name_ == "year";
  switch (comparison_->mode) {
    case Comparison::Mode::kPreviousPeriod:
      return part + "the " + (is_unit ? period_name_ : "period") + " before";
    case Comparison::Mode::kYearOverYear: return part + "the year before";
    case Comparison::Mode::kCustom: break;
  }
  const auto& [from, to] = comparison_->custom;
  return day_text(local_day(from, site_.timezone)) + " – " +
         day_text(local_day(to - std::chrono::seconds(1), site_.timezone));
}

std::string View::tab(const PanelKind& panel) const {
  const auto* chosen = find(panel.id);
  if (panel.tabs.empty()) return chosen == nullptr ? std::string() : *chosen;
  for (const auto& tab : panel.tabs) {
    if (chosen != nullptr && *chosen == tab.id) return tab.id;
  }
  return panel.tabs.front().id;
}

bool View::is_expanded(const PanelKind& panel) const {
  const auto* expanded = find("more");
  return expanded != nullptr && *expanded == panel.id;
}

std::size_t View::page_of_rows() const {
  const auto* text = find("page");
  const auto page = text == nullptr ? std::nullopt : parse_int(*text);
  return page && *page >= 1 && *page <= kMaxPages ? static_cast<std::size_t>(*page) - 1 : 0;
}

std::string View::search() const {
  const auto* text = find("search");
  return text == nullptr ? std::string() : std::string(trim(*text));
}

Parameters View::parameters_without(std::initializer_list<std::string_view> names) const {
  auto parameters = parameters_;
  std::erase_if(parameters, [&](const auto& each) {
    return std::find(names.begin(), names.end(), each.first) != names.end();
  });
  return parameters;
}

bool View::is_of_conversions() const { return has_condition(filter_, Field::kGoal); }

std::string View::label(Metric metric) const {
  if (is_of_conversions()) {
    if (metric == Metric::kVisitors) return "Converted";
    if (metric == Metric::kEvents) return "Conversions";
  }
  return std::string(info_of(metric).label);
}

std::vector<Metric> View::totals() const {
  if (is_of_conversions()) {
    return {Metric::kVisitors, Metric::kEvents, Metric::kConversionRate, Metric::kTotalRevenue,
            Metric::kAverageRevenue};
  }
  std::vector<Metric> metrics{Metric::kVisitors, Metric::kVisits, Metric::kPageviews};
  if (!meaningless(query({}), Metric::kViewsPerVisit)) metrics.push_back(Metric::kViewsPerVisit);
  metrics.push_back(Metric::kBounceRate);
  if (meaningless(query({}), Metric::kTimeOnPage)) {
    metrics.push_back(Metric::kVisitDuration);
  } else {
    metrics.insert(metrics.end(), {Metric::kTimeOnPage, Metric::kScrollDepth});
  }
  return metrics;
}

bool View::can_be_by(Field interval) const {
  const auto hours = std::chrono::hours(period_.last - period_.first + days(1)).count();
  return std::any_of(std::begin(kIntervals), std::end(kIntervals), [&](const auto& each) {
    return each.field == interval && hours >= 2 * each.hours && hours <= kMaxBars * each.hours;
  });
}

Field View::interval() const {
  if (is_realtime()) return Field::kMinute;
  const auto* wanted = find("interval");
  for (const auto& each : kIntervals) {
    if (wanted != nullptr && *wanted == each.id && can_be_by(each.field)) return each.field;
  }
  return usual_interval();
}

Field View::usual_interval() const {
  const auto length = period_.last - period_.first + days(1);
  if (length <= days(kHourDays)) return Field::kHour;
  if (length <= days(kDayDays)) return Field::kDay;
  return length <= days(kWeekDays) ? Field::kWeek : Field::kMonth;
}

Query View::query(std::vector<Metric> metrics, std::vector<Dimension> dimensions) const {
  Query query;
  query.selection = {site_.id, half_hour_.value_or(range_of(period_, site_.timezone)), filter_,
                     goals_};
  query.selection.view = limits_;
  query.selection.with_imports = true;
  query.zone = site_.timezone;
  query.metrics = std::move(metrics);
  query.dimensions = std::move(dimensions);
  return query;
}

Query View::days_query() const {
  auto query = this->query({Metric::kEvents}, {{Field::kDay, {}}});
  query.selection.filter = {};
  return query;
}

Result<Query> View::current_query() const {
  if (is_broken_) return fail(ErrorCode::kInvalidParameter, problem_);
  auto query = realtime_query(site_.id, now_);
  query.selection.view = limits_;
  query.selection.goals = goals_;
  return query;
}

Query View::query_before(std::vector<Metric> metrics, std::vector<Dimension> dimensions) const {
  auto query = this->query(std::move(metrics), std::move(dimensions));
  auto& before = query.selection.range;
  auto comparison = comparison_.value_or(Comparison{});
  comparison.same_part = true;
  if (period_name_ == "month") comparison.calendar = std::chrono::months(1);
  if (period_name_ == "year") comparison.calendar = std::chrono::months(12);
  before = compared_range(comparison, before, site_.timezone, now_);
  return query;
}

std::string View::url_of(const Parameters& parameters, std::string_view below) const {
  auto url = path_ + std::string(below);
  char before = '?';
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    url += before + percent_encode(name) + "=" + percent_encode(value);
    before = '&';
  }
  return url;
}

std::string View::url_below(std::string_view below, std::string_view name,
                            std::string_view value) const {
  auto parameters =
      name == "page" ? parameters_without({"page"}) : parameters_without({name, "page", "search"});
  if (!name.empty()) parameters.emplace_back(name, value);
  return url_of(parameters, below);
}

std::string View::url(std::string_view name, std::string_view value) const {
  return url_below({}, name, value);
}

std::string View::url_of_days(Days first, Days last) const {
  auto parameters = parameters_without({"period", "from", "to", "page", "search"});
  parameters.emplace_back("from", format_day(first));
  parameters.emplace_back("to", format_day(last));
  return url_of(parameters);
}

}  // namespace analytics::share
