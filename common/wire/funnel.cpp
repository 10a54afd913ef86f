#include "common/wire/funnel.h"

#include <nlohmann/json.hpp>

#include "common/json/json.h"
#include "common/text/text.h"
#include "common/wire/provisioned.h"
#include "common/wire/refusal.h"

namespace analytics {
namespace {

constexpr std::size_t kMaxFunnelNameCharacters = 100;

/// Parses a step like a goal, but its errors name `steps` instead of a goal's parameter.
Result<FunnelStep> read_step(std::string_view type, std::string_view value) {
  const bool is_page = type == goal_type_name(GoalType::kPage);
  if (!is_page && type != goal_type_name(GoalType::kEvent)) {
    return refuse_parameter("steps", "need event or page each");
  }
  auto normal = is_page ? normalise_page_pattern(value) : normalise_event_name(value);
  if (!normal) {
    return refuse_parameter("steps", "have " + std::string(is_page ? "a page" : "an event") +
                                         " that " + normal.error().fields.front().message);
  }
  return FunnelStep{is_page ? GoalType::kPage : GoalType::kEvent, std::move(*normal)};
}

}  // namespace

std::string_view funnel_within_name(FunnelWithin within) {
  return within == FunnelWithin::kDay ? "day" : "visit";
}

Result<FunnelWithin> parse_funnel_within(std::string_view name) {
  const auto word = trim(name);
  if (word.empty() || word == funnel_within_name(FunnelWithin::kVisit)) return FunnelWithin::kVisit;
  if (word == funnel_within_name(FunnelWithin::kDay)) return FunnelWithin::kDay;
  return refuse_parameter("within", "must be visit or day");
}

Result<std::string> normalise_funnel_name(std::string_view text) {
  const auto name = trim(text);
  if (name.empty()) {
    return fail({ErrorCode::kMissingParameter, "name is required.", {{"name", "is required"}}});
  }
  if (has_control(name)) return refuse_parameter("name", "has control characters");
  if (count_characters(name) > kMaxFunnelNameCharacters) {
    return refuse_parameter("name", longer_than(kMaxFunnelNameCharacters, "characters"));
  }
  return std::string(name);
}

Result<FunnelStep> parse_funnel_step(std::string_view text) {
  const auto sign = text.find('=');
  if (sign == std::string_view::npos)
    return refuse_parameter("steps", "need event=NAME or page=PATTERN");
  return read_step(trim(text.substr(0, sign)), text.substr(sign + 1));
}

std::string to_text(const FunnelStep& step) {
  return std::string(goal_type_name(step.type)) + "=" + step.value;
}

Result<std::vector<FunnelStep>> parse_funnel_steps(std::string_view json) {
  const auto list = json::parse_document(json);
  if (!list || !list->is_array()) {
    return refuse_parameter(
        "steps", R"(must be a list such as [{"page": "/pricing"}, {"event": "Signup"}])");
  }
  std::vector<FunnelStep> steps;
  for (const auto& each : *list) {
    const bool is_step = each.is_object() && each.size() == 1 && each.begin().value().is_string();
    if (!is_step) return refuse_parameter("steps", "need event or page each");
    auto step = TRY(read_step(each.begin().key(), each.begin().value().get<std::string>()));
    steps.push_back(std::move(step));
  }
  TRY(check_funnel_steps(steps));
  return steps;
}

std::string to_json(const std::vector<FunnelStep>& steps) {
  auto list = nlohmann::json::array();
  for (const auto& step : steps) list.push_back({{goal_type_name(step.type), step.value}});
  return list.dump();
}

Status check_funnel_steps(const std::vector<FunnelStep>& steps) {
  if (steps.size() >= kLeastFunnelSteps && steps.size() <= kMaxFunnelSteps) return {};
  return refuse_parameter("steps", "must be 2 to 8");
}

}  // namespace analytics
