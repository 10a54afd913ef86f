// The part of View that reads filters: those of the link, those of the URL, and a new one from the
// form of the page.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/json/json.h"
#include "common/text/text.h"
#include "daemon/share/choices.h"
#include "daemon/share/view.h"
#include "daemon/stats/parsing/v2_query.h"

namespace analytics::share {
namespace {

/// Removes an ending from the text. Returns false if the text does not have it.
bool remove_ending(std::string& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.resize(text.size() - ending.size());
  return true;
}

constexpr auto kFormNames = {"filter_by", "filter_key", "filter_how", "filter_values"};

}  // namespace

/// Returns the condition that the filter form has sent, as a filter of the Stats API v2; JSON null
/// if the form has sent no values. Errors: kInvalidParameter.
Result<nlohmann::json> View::sent_condition() const {
  const auto text = [&](const char* name) {
    const auto* value = find(name);
    return value == nullptr ? std::string() : std::string(trim(*value));
  };
  auto values = nlohmann::json::array();
  for (auto& value : split_values(text("filter_values"))) {
    if (!value.empty()) values.push_back(std::move(value));
  }
  if (values.empty()) return nlohmann::json();
  auto by = text("filter_by");
  if (by == kPropertyFilter) {
    const auto key = text("filter_key");
    if (key.empty()) return fail(ErrorCode::kInvalidParameter, "a property needs its name");
    by += ":" + key;
  }
  auto how = text("filter_how");
  // For a goal, "is not" means visits without the goal, because nearly every visit has some event
  // that does not meet the goal.
  const bool is_without = by == dimension_name({Field::kGoal, {}}) && remove_ending(how, "_not");
  auto condition = nlohmann::json::array({how, by, values});
  // Viewers who type part of a value do not expect its case to matter.
  if (how.starts_with("contains")) condition.push_back({{"case_sensitive", false}});
  return is_without ? nlohmann::json::array({"has_not_done", condition}) : condition;
}

void View::read_filters() {
  // A link with filters must not reveal which goals exist, so an unknown goal in the URL is no
  // error.
  const auto unknown_goals = is_limited_ ? v2::UnknownGoals::kNeverMet : v2::UnknownGoals::kRefused;
  const auto* text = find("filters");
  auto document = text == nullptr || trim(*text).empty()
                      ? Result<nlohmann::json>(nlohmann::json::array())
                      : json::parse_document(*text);
  auto condition = sent_condition();
  std::erase_if(parameters_, [](const auto& each) {
    return std::find(kFormNames.begin(), kFormNames.end(), each.first) != kFormNames.end();
  });
  if (document && document->is_array() && condition && !condition->is_null()) {
    document->push_back(std::move(*condition));
  }
  auto filter = !document    ? Result<Filter>(fail(ErrorCode::kMalformedBody, "they are not JSON"))
                : !condition ? Result<Filter>(fail(condition.error()))
                             : v2::parse_filters(*document, goals_, unknown_goals);
  if (filter) {
    filter_ = std::move(*filter);
    std::erase_if(parameters_, [](const auto& each) { return each.first == "filters"; });
    if (!filter_.parts.empty()) parameters_.emplace_back("filters", filters_json(filter_.parts));
  } else {
    const auto& error = filter.error();  // viewers do not see the error's position in the JSON
    problem_ = "The filters are not valid: " +
               (error.fields.empty() ? error.message : error.fields.front().message);
  }
}

void View::read_fixed_filters(const std::string& filters) {
  if (filters.empty()) return;
  const auto document = json::parse_document(filters);
  const auto filter =
      document ? v2::parse_filters(*document, goals_) : Result<Filter>(fail(document.error()));
  if (!filter) {  // a goal may have been deleted; without this filter the link would show too much
    is_broken_ = true;
    problem_ = "The filters of this link are no longer valid.";
    return;
  }
  limits_ = *filter;
}

std::string View::filters_json(const std::vector<Filter>& parts) const {
  if (parts.empty()) return {};
  auto list = nlohmann::ordered_json::array();
  for (const auto& part : parts) list.push_back(v2::to_json(part));
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string View::url_where(const std::vector<Dimension>& dimensions,
                            const std::vector<std::string>& values) const {
  auto parts = filter_.parts;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    std::erase_if(parts, [&](const Filter& part) {
      return part.kind == Filter::Kind::kValue && part.dimension == dimensions[i];
    });
    Filter condition;
    condition.kind = Filter::Kind::kValue;
    condition.dimension = dimensions[i];
    condition.match.values = {values[i]};
    parts.push_back(std::move(condition));
  }
  return url("filters", filters_json(parts));
}

}  // namespace analytics::share
