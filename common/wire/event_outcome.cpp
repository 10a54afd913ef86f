#include "common/wire/event_outcome.h"

#include <array>

#include "common/wire/catalogue.h"

namespace analytics {
namespace {

struct OutcomeInfo {
  EventOutcome outcome;
  std::string_view name;
  bool is_drop;
  std::string_view meaning;
};

// One row for each outcome, in enum order.
constexpr auto kOutcomes = [] {
  using enum EventOutcome;
  return std::array{
      OutcomeInfo{kStored, "accepted", false, "It was counted."},
      OutcomeInfo{kDuplicate, "duplicate", false,
                  "It was sent before, with the same Idempotency-Key."},
      OutcomeInfo{kUnknownSite, "unknown_site", true, "It names a site that is not here."},
      OutcomeInfo{
          kNoVisit, "no_visit", true,
          "It reports reading time for a page without a pageview: is the tracker on all pages?"},
      OutcomeInfo{kBot, "bot", true, "A robot sent it."},
      OutcomeInfo{kSpamReferrer, "spam_referrer", true, "Its referrer is in the list of spammers."},
      OutcomeInfo{kExcluded, "excluded", true, "The site excludes its address, page or host."},
      OutcomeInfo{kThrottled, "throttled", true, "The site was over max_events_per_minute."},
      OutcomeInfo{
          kTextBudget, "text_budget", false,
          "It was counted, with a text as (other): there were too many new texts that day."},
      OutcomeInfo{kExpired, "expired", true, "It is older than what the site keeps."},
  };
}();

static_assert(is_complete(kOutcomes, &OutcomeInfo::outcome, EventOutcome::kExpired));

// Every outcome but kTextBudget.
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

std::string_view outcome_meaning(EventOutcome outcome) {
  return kOutcomes[static_cast<std::size_t>(outcome)].meaning;
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
