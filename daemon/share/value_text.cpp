#include "daemon/share/value_text.h"

#include <cmath>
#include <vector>

#include "common/event/revenue.h"
#include "common/text/grouped.h"
#include "common/text/text.h"
#include "daemon/stats/money.h"

namespace analytics::share {
namespace {

/// Returns 1.5 as "1.5", 12345 as "12,345".
std::string decimal(double value) {
  const auto hundredths = std::llround(value * 100);
  auto text = grouped(hundredths / 100);
  if (const auto rest = std::llabs(hundredths % 100); rest != 0) {
    text += rest % 10 == 0 ? "." + std::to_string(rest / 10)
                           : "." + std::to_string(rest + 100).substr(1);
  }
  return text;
}

/// Returns 24 as "24.0", so that decimal points line up in a column.
std::string tenths(double value) {
  const auto all = std::llround(value * 10);
  return grouped(all / 10) + "." + std::to_string(std::llabs(all % 10));
}

/// Returns 83 as "1m 23s".
std::string duration(double value) {
  const auto seconds = std::llround(value);
  if (seconds < 60) return std::to_string(seconds) + "s";
  if (seconds < 3'600)
    return std::to_string(seconds / 60) + "m " + std::to_string(seconds % 60) + "s";
  return std::to_string(seconds / 3'600) + "h " + std::to_string(seconds / 60 % 60) + "m";
}

}  // namespace

double number_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  const auto* amounts = std::get_if<std::vector<Money>>(&value);
  if (amounts == nullptr || amounts->size() != 1) return 0;
  return units_of(amounts->front().micros);
}

double number_of(const Value& value, std::string_view currency) {
  const auto* amounts = std::get_if<std::vector<Money>>(&value);
  if (amounts == nullptr) return number_of(value);
  for (const auto& amount : *amounts) {
    if (amount.currency == currency) return units_of(amount.micros);
  }
  return 0;
}

std::string text_of(Metric metric, const Value& value) {
  if (const auto* amounts = std::get_if<std::vector<Money>>(&value)) {
    std::vector<std::string> texts;
    for (const auto& amount : *amounts) {
      texts.push_back(long_text(amount));
    }
    return texts.empty() ? "–" : join(texts, ", ");
  }
  if (std::get_if<double>(&value) == nullptr) return "–";
  const auto number = number_of(value);
  switch (info_of(metric).unit) {
    case MetricUnit::kSeconds: return duration(number);
    case MetricUnit::kPercent:
      return (metric == Metric::kPercentage ? tenths(number) : decimal(number)) + "%";
    case MetricUnit::kNumber:
    case MetricUnit::kMoney: return decimal(number);
  }
  return {};
}

std::string change_text(Metric metric, const Value& change) {
  if (std::get_if<double>(&change) == nullptr) return {};
  const auto number = number_of(change);
  const std::string sign = number > 0 ? "+" : (number < 0 ? "−" : "±");
  const char* unit = !info_of(metric).change_in_points ? "%"
                     : std::abs(number) == 1           ? " point"
                                                       : " points";
  return sign + decimal(std::abs(number)) + unit;
}

std::string csv_text(const Value& value) {
  if (const auto* amounts = std::get_if<std::vector<Money>>(&value)) {
    std::vector<std::string> texts;
    for (const auto& amount : *amounts) {
      texts.push_back(format_micros(amount.micros) + " " + amount.currency);
    }
    return join(texts, ", ");
  }
  if (std::get_if<double>(&value) == nullptr) return {};
  auto cell = decimal(number_of(value));
  std::erase(cell, ',');
  return cell;
}

}  // namespace analytics::share
