#include "daemon/model/goal.h"

#include "common/event_payload.h"
#include "common/text.h"
#include "daemon/model/wildcard.h"

namespace analytics {
namespace {

constexpr std::size_t kMaxEventNameCharacters = 120;
constexpr std::size_t kMaxDisplayNameCharacters = 100;
constexpr std::size_t kMaxGoalPatternBytes = 2'000;

tl::unexpected<Error> refuse(const char* field, const char* problem) {
  return fail(
      {ErrorCode::kInvalidParameter, std::string(field) + " " + problem + ".", {{field, problem}}});
}

}  // namespace

std::string goal_name(const Goal& goal) {
  if (!goal.display_name.empty()) return goal.display_name;
  return goal.type == GoalType::kPage ? "Visit " + goal.value : goal.value;
}

Result<std::string> normalise_event_name(std::string_view text) {
  const auto name = trim(text);
  if (name.empty()) {
    return fail(
        {ErrorCode::kMissingParameter, "event_name is required.", {{"event_name", "is required"}}});
  }
  if (has_control(name)) return refuse("event_name", "has control characters");
  if (name == kEngagement)
    return refuse("event_name", "must not be engagement: such events are not counted");
  if (count_characters(name) > kMaxEventNameCharacters) {
    return refuse("event_name", "is longer than 120 characters");
  }
  return std::string(name);
}

Result<std::string> normalise_page_pattern(std::string_view text) {
  const auto trimmed = trim(text);
  if (trimmed.empty()) {
    return fail(
        {ErrorCode::kMissingParameter, "page_type is required.", {{"page_type", "is required"}}});
  }
  if (has_control(trimmed)) return refuse("page_type", "has control characters");
  const bool complete = trimmed.front() == '/' || trimmed.front() == '*';
  auto pattern = (complete ? "" : "/") + std::string(trimmed);
  if (pattern.size() > kMaxGoalPatternBytes)
    return refuse("page_type", "is longer than 2000 bytes");
  return pattern;
}

Result<std::string> normalise_display_name(std::string_view text) {
  const auto name = trim(text);
  if (name.empty()) return refuse("display_name", "is empty");
  if (!is_valid_utf8(name) || has_control(name)) return refuse("display_name", "is not valid text");
  if (count_characters(name) > kMaxDisplayNameCharacters) {
    return refuse("display_name", "is longer than 100 characters");
  }
  return std::string(name);
}

bool goal_matches(const Goal& goal, std::string_view event_name, std::string_view path) {
  switch (goal.type) {
    case GoalType::kEvent: return goal.value == event_name;
    case GoalType::kPage: return event_name == kPageview && wildcard_matches(goal.value, path);
  }
  return false;
}

}  // namespace analytics
