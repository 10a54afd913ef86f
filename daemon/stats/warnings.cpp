#include "daemon/stats/warnings.h"

#include <algorithm>

#include "daemon/stats/filter_rules.h"

namespace analytics {
namespace {

std::optional<Warning> meaningless_rate(const Query& query) {
  const auto& filter = query.selection.filter;
  const bool by_goal = std::any_of(query.dimensions.begin(), query.dimensions.end(),
                                   [](const auto& each) { return each.field == Field::kGoal; });
  if (!by_goal && !has_condition(filter, Field::kGoal)) {
    return Warning{"no_goal",
                   "A conversion rate needs a filter on event:goal, or that as a dimension."};
  }
  if (has_condition(without_conversions(filter), Field::kProp)) {
    return Warning{"props_not_required",
                   "Beside a conversion rate, properties can only be filtered where all conditions "
                   "must hold."};
  }
  return std::nullopt;
}

bool is_by(const Query& query, Field field) {
  return std::any_of(query.dimensions.begin(), query.dimensions.end(),
                     [&](const auto& each) { return each.field == field; });
}

std::optional<Warning> meaningless_engagement(const Query& query) {
  for (const auto field : {Field::kName, Field::kGoal}) {
    if (!is_by(query, field) && !has_condition(query.selection.filter, field)) continue;
    return Warning{"not_by_event",
                   "Time on page and scroll depth cannot be combined with names and goals of "
                   "events."};
  }
  if (is_by(query, Field::kPage) || has_condition(query.selection.filter, Field::kPage)) return {};
  return Warning{"no_page",
                 "Time on page and scroll depth need a filter on event:page, or that as a "
                 "dimension."};
}

std::optional<Warning> meaningless_exits(const Query& query) {
  if (query.dimensions.size() != 1 || !is_by(query, Field::kExitPage)) {
    return Warning{"no_exit_page", "An exit rate needs visit:exit_page as the only dimension."};
  }
  for (const auto field :
       {Field::kName, Field::kPage, Field::kHostname, Field::kGoal, Field::kProp}) {
    if (has_condition(query.selection.filter, field)) {
      return Warning{"not_by_event", "An exit rate cannot be combined with a filter on events."};
    }
  }
  return std::nullopt;
}

std::optional<Warning> meaningless_views(const Query& query) {
  const bool by_event = std::any_of(
      query.dimensions.begin(), query.dimensions.end(),
      [](const auto& each) { return !is_of_visit(each.field) && !is_time(each.field); });
  if (by_event || has_condition(query.selection.filter, Field::kPage)) {
    return Warning{"not_by_event",
                   "Views per visit cannot be combined with a dimension of events or a filter on "
                   "event:page."};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Warning> meaningless(const Query& query, Metric metric) {
  switch (metric) {
    case Metric::kConversionRate:
    case Metric::kGroupConversionRate: return meaningless_rate(query);
    case Metric::kViewsPerVisit: return meaningless_views(query);
    case Metric::kTimeOnPage:
    case Metric::kScrollDepth: return meaningless_engagement(query);
    case Metric::kExitRate: return meaningless_exits(query);
    default: return std::nullopt;
  }
}

std::optional<Warning> warning_of(Metric metric, const TotalsUse& totals) {
  if (totals.are_left_out) {
    return Warning{
        "totals_left_out",
        "Only daily totals are kept of some of these days. They count for whole days, by at most "
        "one dimension, which is not the hour or minute, and under a filter that is one value of "
        "it. Newer goals for pages and rare properties have no totals."};
  }
  const bool has_totals = totals.are_added || totals.are_imports_added;
  if (has_totals && is_of_engagement(metric)) {
    return Warning{
        "totals_without_engagement",
        "There are only daily totals of some of these days, and they do not say how pages "
        "were read."};
  }
  if (has_totals && is_of_revenue(metric)) {
    return Warning{"totals_without_revenue",
                   "There are only daily totals of some of these days, and they have no revenue."};
  }
  return std::nullopt;
}

}  // namespace analytics
