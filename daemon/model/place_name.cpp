#include "daemon/model/place_name.h"

#include <algorithm>

#include "daemon/model/place_name_table.h"

namespace analytics {

std::string place_name(std::string_view code) {
  const auto table = place_name_table();
  const auto at = std::lower_bound(
      table.begin(), table.end(), code,
      [](const PlaceName& row, std::string_view wanted) { return row.code < wanted; });
  return std::string(at != table.end() && at->code == code ? at->name : code);
}

}  // namespace analytics
