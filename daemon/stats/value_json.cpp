#include "daemon/stats/value_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "common/event/revenue.h"
#include "daemon/stats/money.h"

namespace analytics {
namespace {

nlohmann::ordered_json number(double value) {
  if (std::floor(value) == value) return static_cast<std::int64_t>(value);
  return value;
}

nlohmann::ordered_json to_json(const Money& money) {
  return {{"value", number(units_of(money.micros))},
          {"currency", money.currency},
          {"short", short_text(money)},
          {"long", long_text(money)}};
}

}  // namespace

nlohmann::ordered_json to_json(const Value& value) {
  if (const auto* plain = std::get_if<double>(&value)) return number(*plain);
  const auto* amounts = std::get_if<std::vector<Money>>(&value);
  if (amounts == nullptr) return nullptr;
  if (amounts->empty()) return nullptr;
  if (amounts->size() == 1) return to_json(amounts->front());
  auto list = nlohmann::ordered_json::array();
  for (const auto& amount : *amounts) list.push_back(to_json(amount));
  return list;
}

}  // namespace analytics
