#include "daemon/stats/stored_values.h"

#include "daemon/model/names/client_names.h"

namespace analytics {
namespace {

void store_values(Filter& condition) {
  auto& match = condition.match;
  const auto field = condition.dimension.field;
  const bool is_whole = match.kind == MatchKind::kEquals;
  condition.needs_value = !is_whole && field == Field::kProp;
  if (!is_whole && match.kind != MatchKind::kContains) return;
  for (auto& value : match.values) {
    if (field == Field::kBrowser) value = meant_browser(value);
    if (field == Field::kOs) value = meant_os(value);
    if (is_whole && reads_as_empty(field, value, match.any_case)) value.clear();
  }
}

}  // namespace

Filter with_stored_values(Filter filter) {
  if (filter.kind == Filter::Kind::kValue) store_values(filter);
  for (auto& part : filter.parts) part = with_stored_values(std::move(part));
  return filter;
}

std::vector<GroupBy> group_by(const std::vector<Dimension>& dimensions) {
  std::vector<GroupBy> all;
  all.reserve(dimensions.size());
  for (const auto& dimension : dimensions) {
    all.push_back({dimension, std::string(empty_value(dimension.field))});
  }
  return all;
}

}  // namespace analytics
