#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/api_types.h"
#include "common/result.h"

/// The wire form of funnels: steps that visitors take one after another.
namespace analytics {

/// An event meets a step as it meets a goal: by its name, or as a pageview by its path.
struct FunnelStep {
  GoalType type = GoalType::kEvent;
  std::string value;  ///< Event name, or page pattern.
  bool operator==(const FunnelStep&) const = default;
};

/// Where all steps of a funnel are to happen. The numbers are stored: never change one.
enum class FunnelWithin {
  kVisit = 1,
  kDay = 2,  ///< On one day of a visitor: nobody can be recognised on another.
};
[[nodiscard]] std::string_view funnel_within_name(FunnelWithin within);
/// Blank: kVisit. Errors: kInvalidParameter, `within`.
[[nodiscard]] Result<FunnelWithin> parse_funnel_within(std::string_view name);

inline constexpr std::size_t kLeastFunnelSteps = 2;
inline constexpr std::size_t kMostFunnelSteps = 8;

/// Trimmed and checked: 1..100 characters. The parameter is `name`.
[[nodiscard]] Result<std::string> normalise_funnel_name(std::string_view text);

/// "event=Signup" or "page=/pricing*", as a command line and a file of sites have it. Errors:
/// kInvalidParameter and kMissingParameter, `steps`.
[[nodiscard]] Result<FunnelStep> parse_funnel_step(std::string_view text);
[[nodiscard]] std::string to_text(const FunnelStep& step);

/// `[{"event": "Signup"}, {"page": "/pricing*"}]`, and back. Errors: as parse_funnel_step(), also
/// for too few or too many.
[[nodiscard]] Result<std::vector<FunnelStep>> parse_funnel_steps(std::string_view json);
[[nodiscard]] std::string to_json(const std::vector<FunnelStep>& steps);

/// Errors: kInvalidParameter, `steps`.
[[nodiscard]] Status check_funnel_steps(const std::vector<FunnelStep>& steps);

}  // namespace analytics
