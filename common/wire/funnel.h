#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/run/result.h"
#include "common/wire/api_types.h"

/// The wire form of funnels: lists of steps that visitors take one after another.
namespace analytics {

/// A step of a funnel. An event matches it as it matches a goal: by its name or, for a pageview, by
/// its path.
struct FunnelStep {
  GoalType type = GoalType::kEvent;
  std::string value;  ///< Event name, or page pattern.
  bool operator==(const FunnelStep&) const = default;
};

/// The scope within which a visitor must take all steps. The numbers are stored: never change one.
enum class FunnelWithin {
  kVisit = 1,
  kDay = 2,  ///< Within one day, because a visitor cannot be recognised on the next.
};
[[nodiscard]] std::string_view funnel_within_name(FunnelWithin within);
/// Parses the scope; a blank name is kVisit. Errors: kInvalidParameter for `within`.
[[nodiscard]] Result<FunnelWithin> parse_funnel_within(std::string_view name);

inline constexpr std::size_t kLeastFunnelSteps = 2;
inline constexpr std::size_t kMaxFunnelSteps = 8;

/// Returns the name trimmed and checked: 1..100 characters. Errors name the parameter `name`.
[[nodiscard]] Result<std::string> normalise_funnel_name(std::string_view text);

/// Parses "event=Signup" or "page=/pricing*", the notation of the command line and of files of
/// sites. Errors: kInvalidParameter and kMissingParameter for `steps`.
[[nodiscard]] Result<FunnelStep> parse_funnel_step(std::string_view text);
[[nodiscard]] std::string to_text(const FunnelStep& step);

/// Parses `[{"event": "Signup"}, {"page": "/pricing*"}]`; to_json() is the reverse. Errors: as
/// parse_funnel_step(), also for too few or too many steps.
[[nodiscard]] Result<std::vector<FunnelStep>> parse_funnel_steps(std::string_view json);
[[nodiscard]] std::string to_json(const std::vector<FunnelStep>& steps);

/// Checks the number of steps. Errors: kInvalidParameter for `steps`.
[[nodiscard]] Status check_funnel_steps(const std::vector<FunnelStep>& steps);

}  // namespace analytics
