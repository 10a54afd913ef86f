#include "common/event_outcome.h"

#include <array>

#include "common/catalogue.h"

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
      OutcomeInfo{kExpired, "expired", true},
  };
}();

static_assert(is_complete(kOutcomes, &OutcomeInfo::outcome, EventOutcome::kExpired));

// All but kTextBudget.
constexpr auto kOfEvents = [] {
  std::array<EventOutcome, kOutcomes.size() - 1> outcomes{};
  std::size_t next = 0;
  for (const auto& row : kOutcomes) {
    if (row.outcome != EventOutcome::kTextBudget) outcomes[next++] = row.outcome;
  }
  return outcomes;
}();

}  // namespace

std::span<const EventOutcome> event_outcomes() { return kOfEvents; }

std::string_view outcome_name(EventOutcome outcome) {
  return kOutcomes[static_cast<std::size_t>(outcome)].name;
}

std::optional<EventOutcome> parse_outcome(std::string_view name) {
  const auto* row = find_row(kOutcomes, name);
  return row == nullptr ? std::nullopt : std::optional(row->outcome);
}

bool is_drop_reason(std::string_view text) {
  const auto* row = find_row(kOutcomes, text);
  return row != nullptr && row->is_drop;
}

}  // namespace analytics
