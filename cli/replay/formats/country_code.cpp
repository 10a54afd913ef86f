#include "cli/replay/formats/country_code.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics::cli {

std::optional<std::string> country_code(std::string_view text) {
  if (text.size() == 2) return ascii_upper(text);
  const auto table = country_name_table();
  const auto key = country_key(text);
  const auto found = std::lower_bound(
      table.begin(), table.end(), key,
      [](const CountryName& each, const std::string& name) { return each.name < name; });
  if (found == table.end() || found->name != key) return std::nullopt;
  return std::string(found->code);
}

}  // namespace analytics::cli
