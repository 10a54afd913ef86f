#include "common/wire/filter_form.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "common/wire/dimension.h"

namespace analytics {
namespace {

bool is_text(const nlohmann::json& value) { return value.is_string(); }

bool is_condition(const nlohmann::json& filter) {
  const auto is_named = filter[1].is_string();
  const auto dimension =
      is_named ? parse_dimension(filter[1].get_ref<const std::string&>()) : std::nullopt;
  if (!dimension || is_time(dimension->field) || filter.size() > 4 || filter.size() < 3)
    return false;
  const auto& values = filter[2];
  return values.is_array() && !values.empty() && std::all_of(values.begin(), values.end(), is_text);
}

bool is_filter(const nlohmann::json& filter) {
  if (!filter.is_array() || filter.size() < 2 || !filter[0].is_string()) return false;
  const auto& name = filter[0].get_ref<const std::string&>();
  const auto& inner = filter[1];
  if (name == "and" || name == "or") {
    return inner.is_array() && std::all_of(inner.begin(), inner.end(), is_filter);
  }
  if (name == "not" || name == "has_done" || name == "has_not_done") return is_filter(inner);
  const auto found = std::find(kConditionOperators.begin(), kConditionOperators.end(), name);
  return found != kConditionOperators.end() && is_condition(filter);
}

Status refuse(const std::string& problem) {
  return fail({ErrorCode::kInvalidParameter, "filters " + problem + ".", {{"filters", problem}}});
}

}  // namespace

Status check_filter_form(const nlohmann::json& filters) {
  if (!filters.is_array()) return refuse("must be a list of filters, as JSON");
  for (const auto& filter : filters) {
    if (is_filter(filter)) continue;
    constexpr std::size_t kMaxShown = 200;
    return refuse("have an entry that is not a filter: " +
                  std::string(cut_utf8(filter.dump(), kMaxShown)));
  }
  return {};
}

}  // namespace analytics
