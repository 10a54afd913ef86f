#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "daemon/model/sums.h"

namespace analytics {

/// An amount in a currency.
struct Money {
  std::string currency;     ///< ISO 4217 code of the currency.
  std::int64_t micros = 0;  ///< Amount in millionths of the currency's unit.
  bool operator==(const Money&) const = default;
};

/// A metric's value: a number, amounts by currency, or no value, such as the visit duration if
/// there were no visits.
using Value = std::variant<std::monostate, double, std::vector<Money>>;

/// The totals that percentages and rates refer to.
struct Wholes {
  std::int64_t visitors = 0;  ///< Visitors of the whole query, for percentage.
  /// Visitors without goal and property conditions, for conversion_rate.
  std::int64_t everyone = 0;
  /// Visitors of the row without goal and property conditions, for group_conversion_rate.
  std::int64_t group_everyone = 0;
  std::int64_t pageviews_of_page = 0;  ///< Pageviews of the row's page, for exit_rate.
};

/// Computes a metric, rounded as the Stats API prints it: whole numbers; two decimals for
/// views_per_visit and conversion rates; one for percentage and exit_rate. Exact halves are rounded
/// to even. Pure.
[[nodiscard]] Value value_of(Metric metric, const Sums& sums, const Wholes& wholes = {});

/// Returns the number by which rows with this value are ordered; nullopt if there is no value. For
/// amounts in several currencies, it is the largest amount.
[[nodiscard]] std::optional<double> rank_of(const Value& value);

/// Returns the change from `before` to `value` in percent; 100 if only `before` is 0. The change of
/// a rate is in percentage points, with one decimal; a rate of visits has no change if `before` is
/// 0. There is also no change if a value is missing or the currencies differ. Pure.
[[nodiscard]] Value change_of(Metric metric, const Value& value, const Value& before);

}  // namespace analytics
