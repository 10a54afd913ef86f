#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "daemon/model/sums.h"

namespace analytics {

/// An amount of one currency.
struct Money {
  std::string currency;
  std::int64_t micros = 0;
  bool operator==(const Money&) const = default;
};

/// A metric's value: a number, amounts by currency, or nothing, as the duration of no visit.
using Value = std::variant<std::monostate, double, std::vector<Money>>;

/// The totals that percentages and rates refer to.
struct Wholes {
  std::int64_t visitors = 0;  ///< Visitors of the whole query, for percentage.
  std::int64_t everyone = 0;  ///< Visitors without goal and prop conditions: conversion_rate.
  /// Visitors of the row without the goal conditions, for group_conversion_rate.
  std::int64_t group_everyone = 0;
  std::int64_t pageviews_of_page = 0;  ///< The row's page had them; for exit_rate.
};

/// Rounds a metric as the Stats API prints it: whole numbers; two decimals for views_per_visit and
/// conversion rates; one for percentage. Exact halves are rounded to even. Pure.
[[nodiscard]] Value value_of(Metric metric, const Sums& sums, const Wholes& wholes = {});

/// Returns the number by which rows are ordered; none if there is no value. Of amounts in several
/// currencies it is the greatest.
[[nodiscard]] std::optional<double> rank_of(const Value& value);

/// How much more than before, in percent; 100 after nothing. Of bounce_rate in points, and none
/// after nothing; of conversion rates in points with one decimal. None where a value is none, or
/// currencies differ. Pure.
[[nodiscard]] Value change_of(Metric metric, const Value& value, const Value& before);

}  // namespace analytics
