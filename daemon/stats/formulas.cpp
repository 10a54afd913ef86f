#include "daemon/stats/formulas.h"

#include <algorithm>
#include <cmath>

namespace analytics {
namespace {

constexpr std::int64_t kMillis = 1'000;  // milliseconds per second

/// Returns `part` / `whole` × `scale`, rounded; 0 if `whole` is 0. Multiplies before it divides, so
/// that 23 of 40 is exactly 57.5 %, not slightly less.
double share(std::int64_t part, std::int64_t whole, std::int64_t scale = 1) {
  if (whole == 0) return 0;
  return std::nearbyint(static_cast<double>(scale * part) / static_cast<double>(whole));
}

/// Returns the average revenue of an event in micros, truncated after three decimals of the
/// currency's unit, as in Plausible.
std::int64_t average(const RevenueSum& sum) {
  constexpr std::int64_t kLeast = 1'000;  // third decimal of a unit, in micros
  return sum.micros / sum.events / kLeast * kLeast;
}

Value money_of(const Sums& sums, bool is_average) {
  std::vector<Money> amounts;
  for (const auto& [currency, sum] : sums.revenue) {
    amounts.push_back({currency, is_average ? average(sum) : sum.micros});
  }
  return amounts;
}

const std::vector<Money>* money_in(const Value& value) {
  return std::get_if<std::vector<Money>>(&value);
}

/// Returns true if change_of() can compare the values: two numbers, or two amounts in the same
/// currency, at most one of which may be missing.
bool are_comparable(const Value& a, const Value& b) {
  const auto* now = money_in(a);
  const auto* then = money_in(b);
  if (now == nullptr || then == nullptr) {
    return std::holds_alternative<double>(a) && std::holds_alternative<double>(b);
  }
  if (now->size() > 1 || then->size() > 1 || (now->empty() && then->empty())) return false;
  return now->empty() || then->empty() || now->front().currency == then->front().currency;
}

double amount_of(const Value& value) {
  const auto* amounts = money_in(value);
  if (amounts == nullptr) return std::get<double>(value);
  return amounts->empty() ? 0 : static_cast<double>(amounts->front().micros);
}

}  // namespace

Value value_of(Metric metric, const Sums& sums, const Wholes& wholes) {
  switch (metric) {
    case Metric::kVisitors: return static_cast<double>(sums.visitors);
    case Metric::kVisits: return static_cast<double>(sums.visits);
    case Metric::kPageviews: return static_cast<double>(sums.pageviews);
    case Metric::kEvents: return static_cast<double>(sums.events);
    case Metric::kViewsPerVisit: return share(sums.pageviews, sums.visits, 100) / 100;
    case Metric::kBounceRate: return share(sums.facts[VisitFact::kBounce], sums.visits, 100);
    case Metric::kVisitDuration:
      if (sums.visits == 0) return {};
      return share(sums.facts[VisitFact::kSeconds], sums.visits);
    case Metric::kPercentage: return share(sums.visitors, wholes.visitors, 1'000) / 10;
    case Metric::kConversionRate: return share(sums.visitors, wholes.everyone, 10'000) / 100;
    case Metric::kGroupConversionRate:
      return share(sums.visitors, wholes.group_everyone, 10'000) / 100;
    case Metric::kTotalRevenue: return money_of(sums, false);
    case Metric::kAverageRevenue: return money_of(sums, true);
    case Metric::kTimeOnPage:
      if (sums.engagement.visits == 0) return {};
      return share(sums.engagement.millis, kMillis * sums.engagement.visits);
    case Metric::kScrollDepth:
      if (sums.engagement.depth_visits == 0) return {};
      return share(sums.engagement.depths, sums.engagement.depth_visits);
    case Metric::kExitRate: return share(sums.visits, wholes.pageviews_of_page, 1'000) / 10;
  }
  return {};
}

std::optional<double> rank_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  const auto* amounts = money_in(value);
  if (amounts == nullptr || amounts->empty()) return std::nullopt;
  const auto most =
      std::max_element(amounts->begin(), amounts->end(),
                       [](const Money& a, const Money& b) { return a.micros < b.micros; });
  return static_cast<double>(most->micros);
}

Value change_of(Metric metric, const Value& value, const Value& before) {
  if (!are_comparable(value, before)) return {};
  const auto now = amount_of(value);
  const auto then = amount_of(before);
  if (info_of(metric).change_in_points) {
    return is_of_visits(metric) && then == 0 ? Value() : Value(std::round(10 * (now - then)) / 10);
  }
  if (then == 0) return now == 0 ? 0.0 : 100.0;
  return std::round(100 * (now - then) / then);
}

}  // namespace analytics
