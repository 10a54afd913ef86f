#include "daemon/model/goal.h"

#include <algorithm>
#include <vector>

#include "common/event_payload.h"
#include "common/text.h"

namespace analytics {
namespace {

constexpr std::size_t kMaxEventNameCharacters = 120;
constexpr std::size_t kMaxPatternBytes = 2'000;

tl::unexpected<Error> refuse(const char* field, const char* problem) {
  return fail(
      {ErrorCode::kInvalidParameter, std::string(field) + " " + problem + ".", {{field, problem}}});
}

}  // namespace

std::string goal_name(const Goal& goal) {
  return goal.type == GoalType::kPage ? "Visit " + goal.value : goal.value;
}

Result<std::string> normalise_event_name(std::string_view text) {
  const auto name = trim(text);
  if (name.empty()) {
    return fail(
        {ErrorCode::kMissingParameter, "event_name is required.", {{"event_name", "is required"}}});
  }
  if (has_control(name)) return refuse("event_name", "has control characters");
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
  if (pattern.size() > kMaxPatternBytes) return refuse("page_type", "is longer than 2000 bytes");
  return pattern;
}

bool page_matches(std::string_view pattern, std::string_view path) {
  const auto literal = std::min(pattern.find('*'), pattern.size());
  if (!path.starts_with(pattern.substr(0, literal))) return false;
  pattern.remove_prefix(literal);
  path.remove_prefix(literal);
  if (pattern.empty()) return path.empty();
  // reached[j]: the pattern so far matches the first j bytes of the path.
  std::vector<char> reached(path.size() + 1);
  reached[0] = 1;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*') {
      const bool any = i + 1 < pattern.size() && pattern[i + 1] == '*';
      if (any) ++i;
      for (std::size_t j = 1; j <= path.size(); ++j) {
        if (reached[j - 1] != 0 && (any || path[j - 1] != '/')) reached[j] = 1;
      }
      continue;
    }
    bool goes_on = false;
    for (std::size_t j = path.size(); j > 0; --j) {
      reached[j] = reached[j - 1] != 0 && path[j - 1] == pattern[i] ? 1 : 0;
      goes_on = goes_on || reached[j] != 0;
    }
    reached[0] = 0;
    if (!goes_on) return false;
  }
  return reached[path.size()] != 0;
}

bool goal_matches(const Goal& goal, std::string_view event_name, std::string_view path) {
  switch (goal.type) {
    case GoalType::kEvent: return goal.value == event_name;
    case GoalType::kPage: return event_name == kPageview && page_matches(goal.value, path);
  }
  return false;
}

}  // namespace analytics
