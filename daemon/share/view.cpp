#include "daemon/share/view.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/json.h"
#include "common/local_time.h"
#include "common/text.h"
#include "daemon/model/place_name.h"
#include "daemon/stats/filter_rules.h"
#include "daemon/stats/v2_query.h"

namespace analytics::share {
namespace {

using std::chrono::days;

constexpr int kHourDays = 2;        // periods this long are shown by the hour
constexpr int kDayDays = 92;        // by the day
constexpr int kWeekDays = 2 * 366;  // by the week; longer ones by the month

struct PeriodName {
  const char* id;
  const char* name;
};
constexpr PeriodName kPeriods[] = {
    {"day", "Today"},    {"7d", "7 days"},      {"30d", "30 days"},    {"month", "This month"},
    {"6mo", "6 months"}, {"12mo", "12 months"}, {"year", "This year"}, {"all", "All time"}};

/// True if the parameter is one of a shared page's URL.
bool is_known(std::string_view name) {
  for (const auto* known : {"auth", "period", "from", "to", "filters", "metric", "more"}) {
    if (name == known) return true;
  }
  const auto& panels = View::panels();
  return std::any_of(panels.begin(), panels.end(),
                     [&](const auto& panel) { return panel.id == name; });
}

/// "source is Google", as a person reads it.
std::string text_of(const Filter& filter) {
  const auto parts = [&](const char* between) {
    std::vector<std::string> texts;
    for (const auto& part : filter.parts) texts.push_back(text_of(part));
    return "(" + join(texts, between) + ")";
  };
  switch (filter.kind) {
    case Filter::Kind::kAll: return parts(" and ");
    case Filter::Kind::kAny: return parts(" or ");
    case Filter::Kind::kNot: return "not " + text_of(filter.parts.front());
    case Filter::Kind::kHasDone: return "visits with " + text_of(filter.parts.front());
    case Filter::Kind::kValue: break;
  }
  auto name = dimension_name(filter.dimension);
  name = name.substr(name.rfind(':') + 1);
  std::replace(name.begin(), name.end(), '_', ' ');
  const char* verb = filter.match.kind == MatchKind::kEquals     ? " is "
                     : filter.match.kind == MatchKind::kContains ? " contains "
                                                                 : " matches ";
  auto values = filter.match.values;
  const auto field = filter.dimension.field;
  if (field == Field::kCountry || field == Field::kRegion) {
    for (auto& value : values) value = place_name(value);
  }
  return name + verb + (filter.negated ? "not " : "") + join(values, " or ");
}

}  // namespace

std::string View::day_text(Days day) {
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::year_month_day date(day);
  return std::to_string(unsigned(date.day())) + " " + kMonths[unsigned(date.month()) - 1] + " " +
         std::to_string(int(date.year()));
}

View::View(std::string path, Parameters parameters, const Site& site,
           const std::vector<Goal>& goals, UnixSeconds now)
    : path_(std::move(path)),
      parameters_(std::move(parameters)),
      site_(site),
      goals_(goals),
      now_(now),
      today_(local_day(now, site.timezone)) {
  std::erase_if(parameters_, [](const auto& each) { return !is_known(each.first); });
  read_period();
  read_filters();
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

void View::read_period() {
  const auto* from = find("from");
  const auto* to = find("to");
  const auto first = from == nullptr ? std::nullopt : parse_day(*from);
  const auto last = to == nullptr ? std::nullopt : parse_day(*to);
  if (first && last) {
    is_chosen_ = true;
    period_name_ = "custom";
    period_ = {std::min(*first, *last), std::max(*first, *last)};
    period_.first = std::max(period_.first, period_.last - days(20'000));
    return;
  }
  if (const auto* name = find("period")) {
    const bool is_known = std::any_of(std::begin(kPeriods), std::end(kPeriods),
                                      [&](const auto& each) { return each.id == *name; });
    is_chosen_ = is_known;
    if (is_known) period_name_ = *name;
  }
  period_ = is_all_time() ? Period{today_, today_} : *v2::parse_period(period_name_, today_);
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

void View::read_filters() {
  const auto* text = find("filters");
  if (text == nullptr) return;
  const auto document = json::parse_document(*text);
  auto filter = document ? v2::parse_filters(*document, goals_) : fail(document.error());
  if (filter) {
    filter_ = std::move(*filter);
  } else {
    problem_ = "The filters in this URL are not valid: " + filter.error().message;
  }
}

const std::vector<PanelKind>& View::panels() {
  using enum Field;
  static const std::vector<PanelKind> kPanels = {
      {"sources",
       "Sources",
       {{"source", "Source", {kSource, {}}},
        {"channel", "Channel", {kChannel, {}}},
        {"referrer", "Referrer", {kReferrer, {}}},
        {"campaign", "Campaign", {kUtmCampaign, {}}},
        {"medium", "Medium", {kUtmMedium, {}}},
        {"utm_source", "UTM source", {kUtmSource, {}}},
        {"content", "Content", {kUtmContent, {}}},
        {"term", "Term", {kUtmTerm, {}}}}},
      {"pages",
       "Pages",
       {{"page", "Page", {kPage, {}}},
        {"entry", "Entry page", {kEntryPage, {}}},
        {"exit", "Exit page", {kExitPage, {}}},
        {"host", "Host", {kHostname, {}}}}},
      {"places",
       "Places",
       {{"country", "Country", {kCountry, {}}},
        {"region", "Region", {kRegion, {}}},
        {"city", "City", {kCity, {}}}}},
      {"devices",
       "Devices",
       {{"device", "Device", {kDevice, {}}},
        {"browser", "Browser", {kBrowser, {}}},
        {"browser_version", "Browser version", {kBrowserVersion, {}}},
        {"os", "System", {kOs, {}}},
        {"os_version", "System version", {kOsVersion, {}}}}},
      {"goals", "Goals", {{"goal", "Goal", {kGoal, {}}}, {"event", "Event", {kName, {}}}}},
      {"props", "Properties", {}},
  };
  return kPanels;
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
  // Pages of a visit that are on one page tell nothing.
  if (!has_condition(filter_, Field::kPage)) metrics.push_back(Metric::kViewsPerVisit);
  metrics.insert(metrics.end(), {Metric::kBounceRate, Metric::kVisitDuration});
  return metrics;
}

Field View::interval() const {
  const auto length = period_.last - period_.first + days(1);
  if (length <= days(kHourDays)) return Field::kHour;
  if (length <= days(kDayDays)) return Field::kDay;
  return length <= days(kWeekDays) ? Field::kWeek : Field::kMonth;
}

Query View::query(std::vector<Metric> metrics, std::vector<Dimension> dimensions) const {
  Query query;
  query.selection = {site_.id, range_of(period_, site_.timezone), filter_, goals_};
  query.zone = site_.timezone;
  query.metrics = std::move(metrics);
  query.dimensions = std::move(dimensions);
  return query;
}

Query View::query_before(std::vector<Metric> metrics, std::vector<Dimension> dimensions) const {
  auto query = this->query(std::move(metrics), std::move(dimensions));
  const auto now = query.selection.range;
  auto& before = query.selection.range;
  before = range_of(period_before(period_, today_), site_.timezone);
  // A period that goes on is compared with as much of the one before.
  if (now_ < now.to) before.to = std::min(before.to, before.from + (now_ - now.from));
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
  auto parameters = parameters_;
  std::erase_if(parameters, [&](const auto& each) { return each.first == name; });
  if (!name.empty()) parameters.emplace_back(name, value);
  return url_of(parameters, below);
}

std::string View::url(std::string_view name, std::string_view value) const {
  return url_below({}, name, value);
}

std::string View::url_of_days(Days first, Days last) const {
  auto parameters = parameters_;
  std::erase_if(parameters, [](const auto& each) {
    return each.first == "period" || each.first == "from" || each.first == "to";
  });
  parameters.emplace_back("from", format_day(first));
  parameters.emplace_back("to", format_day(last));
  return url_of(parameters);
}

std::string View::filters_json(const std::vector<Filter>& parts) const {
  if (parts.empty()) return {};
  auto list = nlohmann::ordered_json::array();
  for (const auto& part : parts) list.push_back(v2::to_json(part));
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string View::url_where(const std::vector<Dimension>& dimensions,
                            const std::vector<std::string>& values) const {
  auto parts = filter_.parts;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    std::erase_if(parts, [&](const Filter& part) {
      return part.kind == Filter::Kind::kValue && part.dimension == dimensions[i];
    });
    Filter condition;
    condition.kind = Filter::Kind::kValue;
    condition.dimension = dimensions[i];
    condition.match.values = {values[i]};
    parts.push_back(std::move(condition));
  }
  return url("filters", filters_json(parts));
}

void View::fill(Page& page) const {
  page.domain = site_.domain;
  page.live = url_of({{"auth", *find("auth")}}, "/current");
  page.is_live = period_.last >= today_;
  for (const auto& period : kPeriods) {
    auto parameters = parameters_;
    std::erase_if(parameters, [](const auto& each) {
      return each.first == "period" || each.first == "from" || each.first == "to";
    });
    parameters.emplace_back("period", period.id);
    page.periods.push_back({period.name, url_of(parameters), period_name_ == period.id});
  }
  for (std::size_t i = 0; i < filter_.parts.size(); ++i) {
    auto others = filter_.parts;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    page.filters.push_back(
        {text_of(filter_.parts[i]), url("filters", filters_json(others)), false});
  }
  fill_days(page);
}

void View::fill_days(Page& page) const {
  const auto length = period_.last - period_.first + days(1);
  page.dates = day_text(period_.first);
  if (length > days(1)) page.dates += " – " + day_text(period_.last);
  page.dates += ", " + site_.timezone;
  if (!is_all_time()) {
    page.earlier = {"← Earlier", url_of_days(period_.first - length, period_.last - length), false};
    if (period_.last < today_) {
      page.later = {"Later →", url_of_days(period_.first + length, period_.last + length), false};
    }
  }
  page.first_day = format_day(period_.first);
  page.last_day = format_day(period_.last);
  page.action = path_;
  for (const auto& parameter : parameters_) {
    const auto& name = parameter.first;
    if (name != "period" && name != "from" && name != "to") page.form.push_back(parameter);
  }
}

}  // namespace analytics::share
