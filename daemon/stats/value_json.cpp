#include "daemon/stats/value_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace analytics {
namespace {

constexpr double kMicros = 1e6;

nlohmann::ordered_json number(double value) {
  if (std::floor(value) == value) return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace

nlohmann::ordered_json to_json(const Value& value) {
  if (const auto* plain = std::get_if<double>(&value)) return number(*plain);
  const auto* amounts = std::get_if<std::vector<Money>>(&value);
  if (amounts == nullptr) return nullptr;
  auto list = nlohmann::ordered_json::array();
  for (const auto& amount : *amounts) {
    list.push_back({{"currency", amount.currency},
                    {"value", number(static_cast<double>(amount.micros) / kMicros)}});
  }
  return list;
}

}  // namespace analytics
