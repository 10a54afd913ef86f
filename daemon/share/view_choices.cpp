// The part of View that lists the choices of the page: periods, days, filters, intervals of the
// chart, comparisons.
#include <algorithm>

#include "common/text/local_time.h"
#include "common/text/period.h"
#include "common/text/text.h"
#include "daemon/model/names/iso_name.h"
#include "daemon/share/choices.h"
#include "daemon/share/view.h"

namespace analytics::share {
namespace {

using std::chrono::days;

static_assert(std::equal(std::begin(kPeriods), std::end(kPeriods), kPagePeriods.begin(),
                         kPagePeriods.end(), [](const PeriodName& name, std::string_view id) {
                           return name.id == id;
                         }));

const char* verb_of(const Filter& filter) {
  switch (filter.match.kind) {
    case MatchKind::kEquals: return filter.negated ? "is not" : "is";
    case MatchKind::kContains: return filter.negated ? "does not contain" : "contains";
    case MatchKind::kRegex:
    case MatchKind::kWildcard: break;
  }
  return filter.negated ? "does not match" : "matches";
}

/// Returns a filter in words: "source is Google".
std::string text_of(const Filter& filter) {
  const auto parts = [&](const char* between) {
    std::vector<std::string> texts;
    for (const auto& part : filter.parts) texts.push_back(text_of(part));
    return "(" + join(texts, between) + ")";
  };
  switch (filter.kind) {
    case Filter::Kind::kAll: return parts(" and ");
    case Filter::Kind::kAny: return parts(" or ");
    case Filter::Kind::kNot: {
      const auto& part = filter.parts.front();
      return part.kind == Filter::Kind::kHasDone ? "visits without " + text_of(part.parts.front())
                                                 : "not " + text_of(part);
    }
    case Filter::Kind::kHasDone: return "visits with " + text_of(filter.parts.front());
    case Filter::Kind::kValue: break;
  }
  auto name = dimension_name(filter.dimension);
  name = name.substr(name.rfind(':') + 1);
  std::replace(name.begin(), name.end(), '_', ' ');
  auto values = filter.match.values;
  if (is_iso_code(filter.dimension.field)) {
    for (auto& value : values) value = iso_name(value);
  }
  return name + " " + verb_of(filter) + " " + join(values, " or ");
}

}  // namespace

void View::fill(Page& page) const {
  page.domain = site_.domain;
  page.live = url_of({{"auth", *find("auth")}}, "/current");
  page.is_live = period_.last >= today_;
  page.is_realtime = is_realtime();
  for (const auto& period : kPeriods) {
    auto parameters = parameters_without({"period", "from", "to", "page", "search"});
    parameters.emplace_back("period", period.id);
    page.periods.push_back(
        {period.name, url_of(parameters), period_name_ == period.id, period.key});
    if (period_name_ == period.id) page.title = site_.domain + " – " + period.name;
  }
  page.embedding = read_embedding(parameters_);
  for (const auto& part : limits_.parts) page.fixed_filters.push_back(text_of(part));
  for (std::size_t i = 0; i < filter_.parts.size(); ++i) {
    auto others = filter_.parts;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    page.filters.push_back(
        {text_of(filter_.parts[i]), url("filters", filters_json(others)), false});
  }
  if (!page.filters.empty()) page.no_filters = {"Remove all", url("filters", ""), false, "x"};
  page.filter_form = parameters_without({"page", "search"});
  fill_days(page);
  if (page.title.empty()) page.title = site_.domain + " – " + page.dates;
  fill_choices(page);
}

void View::fill_choices(Page& page) const {
  if (is_realtime()) return;
  for (const auto& [id, name, field, hours] : kIntervals) {
    if (!can_be_by(field)) continue;
    const bool is_usual = field == usual_interval();
    page.intervals.push_back({name, url("interval", is_usual ? "" : id), field == interval()});
  }
  if (is_all_time()) return;
  using enum Comparison::Mode;
  const auto compare = [&](const char* name, const char* value, bool is_current) {
    auto parameters = parameters_without({"compare", "compare_from", "compare_to"});
    parameters.emplace_back("compare", value);
    page.comparisons.push_back({name, url_of(parameters), is_current});
  };
  const auto is_with = [&](Comparison::Mode mode) {
    return comparison_ && comparison_->mode == mode;
  };
  compare("Period before", "", is_with(kPreviousPeriod));
  compare("Year before", "year", is_with(kYearOverYear));
  compare("Nothing", "none", !comparison_);
  if (comparison_ && comparison_->mode != kCustom) {
    const bool matches = comparison_->match_day_of_week;
    page.weekdays = {"Match weekdays", url("match", matches ? "" : "weekday"), matches};
  }
  page.compare_form = parameters_without({"compare", "compare_from", "compare_to"});
  page.compare_form.emplace_back("compare", "days");
  const auto before = query_before({}).selection.range;
  page.compared_first = format_day(local_day(before.from, site_.timezone));
  page.compared_last = format_day(local_day(before.to - std::chrono::seconds(1), site_.timezone));
}

void View::fill_days(Page& page) const {
  const auto length = period_.last - period_.first + days(1);
  page.dates = day_text(period_.first);
  if (length > days(1)) page.dates += " – " + day_text(period_.last);
  page.dates += ", " + site_.timezone;
  if (is_realtime()) page.dates = "The last 30 minutes, " + site_.timezone;
  if (!is_all_time() && !is_realtime()) {
    page.earlier = {"← Earlier", url_of_days(period_.first - length, period_.last - length), false,
                    "ArrowLeft"};
    // No link leads to a future period, nor to a period of several days that would add only today.
    const auto newest = length > days(1) ? today_ - days(1) : today_;
    if (period_.last < newest) {
      const auto further = std::min(length, today_ - period_.last);
      page.later = {"Later →", url_of_days(period_.first + further, period_.last + further), false,
                    "ArrowRight"};
    }
  }
  page.first_day = format_day(period_.first);
  page.last_day = format_day(period_.last);
  page.action = path_;
  page.form = parameters_without({"period", "from", "to", "page", "search"});
}

}  // namespace analytics::share
