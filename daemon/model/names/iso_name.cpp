#include "daemon/model/names/iso_name.h"

#include <algorithm>

#include "daemon/model/names/iso_name_table.h"

namespace analytics {
namespace {

/// Returns the table's row of a code; null if the code has no name.
const IsoName* find_name(std::string_view code) {
  const auto table = iso_name_table();
  const auto at = std::lower_bound(
      table.begin(), table.end(), code,
      [](const IsoName& row, std::string_view wanted) { return row.code < wanted; });
  return at != table.end() && at->code == code ? &*at : nullptr;
}

}  // namespace

std::string iso_name(std::string_view code) {
  const auto* found = find_name(code);
  return std::string(found == nullptr ? code : found->name);
}

bool has_iso_name(std::string_view code) { return find_name(code) != nullptr; }

}  // namespace analytics
