#include "daemon/store/sqlite/tables/imported_totals.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/model/names/iso_name.h"

namespace analytics::sqlite {
namespace {

constexpr std::size_t kValuesOfRow = 8'192;

using Values = std::map<std::uint32_t, DaySums>;
using TotalRows = std::map<std::pair<std::string_view, Days>, Values>;

/// Returns the dimension whose values are the names of the codes in `dimension`, for example of
/// country codes; empty if `dimension` has no codes.
std::string_view named_by(std::string_view dimension) {
  if (dimension == "visit:country") return "visit:country_name";
  if (dimension == "visit:region") return "visit:region_name";
  return {};
}

void store_row(std::string_view dimension, Days day, const Values& values, SiteId site,
               TotalsBatch batch, TotalsTable& table) {
  std::vector<totals::ValueSums> row;
  const auto add = [&] {
    table.add(batch, site, std::string(dimension), day, row);
    row.clear();
  };
  for (const auto& [value, sums] : values) {
    row.push_back({value, sums});
    if (row.size() == kValuesOfRow) add();
  }
  if (!row.empty() || values.empty()) add();
}

}  // namespace

void store_imported(std::span<const totals::ImportedTotal> imported, SiteId site, ImportId import,
                    TotalsTable& table, Dictionary& dictionary) {
  TotalRows rows;
  auto first = imported.front().day;
  const auto add = [&](std::string_view dimension, const totals::ImportedTotal& total,
                       const std::string& value) {
    const auto known = parse_dimension(dimension);
    const auto kind = known ? kind_of_totals(known->field) : StringKind::kTotal;
    const auto number = value.empty() ? 0 : dictionary.number(site, kind, value);
    rows[{dimension, total.day}][static_cast<std::uint32_t>(number)] += total.sums;
  };
  for (const auto& total : imported) {
    first = std::min(first, total.day);
    (void)rows[{totals::kImportedDays, total.day}];
    add(total.dimension, total, total.value);
    if (const auto names = named_by(total.dimension); !names.empty()) {
      add(names, total, total.value.empty() ? "" : iso_name(total.value));
    }
  }
  const auto batch = table.begin_imported(site, import, first);
  for (const auto& [key, values] : rows) {
    store_row(key.first, key.second, values, site, batch, table);
  }
}

}  // namespace analytics::sqlite
