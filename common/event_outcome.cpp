#include "common/event_outcome.h"

#include <algorithm>
#include <array>

namespace analytics {
namespace {

struct OutcomeInfo {
  EventOutcome outcome;
  std::string_view name;
  bool is_drop;
};

// In the order of EventOutcome.
constexpr auto kOutcomes = [] {
  using enum EventOutcome;
  return std::array{
      OutcomeInfo{kStored, "accepted", false},
      OutcomeInfo{kDuplicate, "duplicate", false},
      OutcomeInfo{kUnknownSite, "unknown_site", true},
      OutcomeInfo{kNoVisit, "no_visit", true},
      OutcomeInfo{kBot, "bot", true},
      OutcomeInfo{kSpamReferrer, "spam_referrer", true},
      OutcomeInfo{kExcluded, "excluded", true},
      OutcomeInfo{kThrottled, "throttled", true},
      OutcomeInfo{kTextBudget, "text_budget", false},
  };
}();

constexpr bool outcomes_are_in_order() {
  for (std::size_t i = 0; i < kOutcomes.size(); ++i) {
    if (static_cast<std::size_t>(kOutcomes[i].outcome) != i) return false;
  }
  return kOutcomes.back().outcome == EventOutcome::kTextBudget;
}
static_assert(outcomes_are_in_order(), "a row for each EventOutcome, in its order");

}  // namespace

std::string_view outcome_name(EventOutcome outcome) {
  return kOutcomes[static_cast<std::size_t>(outcome)].name;
}

std::optional<EventOutcome> parse_outcome(std::string_view name) {
  const auto* found = std::find_if(kOutcomes.begin(), kOutcomes.end(),
                                   [&](const OutcomeInfo& info) { return info.name == name; });
  if (found == kOutcomes.end()) return std::nullopt;
  return found->outcome;
}

bool is_drop_reason(std::string_view text) {
  const auto outcome = parse_outcome(text);
  return outcome && kOutcomes[static_cast<std::size_t>(*outcome)].is_drop;
}

}  // namespace analytics
