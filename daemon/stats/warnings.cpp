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
    default: return std::nullopt;
  }
}

std::optional<Warning> warning_of(Metric metric, const TotalsUse& totals) {
  if (totals.are_left_out) {
    return Warning{
        "totals_left_out",
        "Only daily totals are kept of some of these days. They count without filters, by "
        "at most one dimension, which is not the hour, and for whole days."};
  }
  if (totals.are_added && is_of_revenue(metric)) {
    return Warning{"totals_without_revenue",
                   "Only daily totals are kept of some of these days, and they have no revenue."};
  }
  return std::nullopt;
}

}  // namespace analytics
