#include "cli/totals/totals_line.h"

#include <nlohmann/json.hpp>

namespace analytics::cli {

std::string to_json(const TotalsLine& line) {
  using nlohmann::ordered_json;
  ordered_json object = {{"day", line.day}, {"dimension", line.dimension}};
  if (!line.value.empty()) object["value"] = line.value;
  for (const auto& [name, sum] : kDaySumFields) {
    if (line.sums.*sum != 0) object[std::string(name)] = line.sums.*sum;
  }
  return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace analytics::cli
