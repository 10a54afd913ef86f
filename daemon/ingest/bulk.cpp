#include "daemon/ingest/bulk.h"

#include <algorithm>
#include <set>
#include <utility>

#include "common/text/text.h"
#include "common/wire/api_types.h"

namespace analytics {
namespace {

/// Approximate bytes of the shortest line with an event. Limits the memory that is reserved for a
/// body of blank lines.
constexpr std::size_t kShortLine = 64;

/// Parses one line and appends its events to `bulk`. Errors: the reason for rejecting the line.
Status read_line(std::string_view text, const EventSource& source, const IngestContext& context,
                 BulkEvents& bulk, BulkLine& line) {
  const auto index = static_cast<std::uint32_t>(bulk.lines.size());
  const auto payload = TRY(parse_event_payload(text, {true, source.now}));
  bulk.redacted += static_cast<std::int64_t>(payload.withheld);
  auto prepared = prepare_events(payload, source, context);
  for (auto& one : prepared.sites) {
    if (!one.drop) {
      bulk.events.push_back(std::move(one.event));
      bulk.lines_of_events.push_back(index);
      continue;
    }
    if (one.site == nullptr) {
      bulk.unknown_domains.push_back(std::move(one.domain));
      continue;
    }
    // Keeps the first reason in enum order among the line's sites, as the store does later.
    const bool is_first = line.drop == EventOutcome::kUnknownSite;
    line.drop = is_first ? *one.drop : std::min(line.drop, *one.drop);
    bulk.drops.push_back({one.site->id, index, *one.drop});
  }
  return {};
}

/// Returns the outcome of a line: the first in enum order among the outcomes of its events. If a
/// site already had the import range, the outcome from then counts for that site.
EventOutcome outcome_of(const BulkLine& line, std::size_t index, const store::BulkResult& result) {
  auto luckiest = index < result.first_outcomes.size() ? result.first_outcomes[index]
                                                       : std::optional<EventOutcome>();
  for (auto i = line.first; i < line.first + line.events; ++i) {
    const bool was_known = i < result.was_known.size() && result.was_known[i];
    const bool counts = !luckiest || (!was_known && result.outcomes[i] < *luckiest);
    if (counts) luckiest = result.outcomes[i];
  }
  return luckiest.value_or(line.drop);
}

std::string describe(EventOutcome outcome) {
  switch (outcome) {
    case EventOutcome::kStored: return {};
    case EventOutcome::kDuplicate: return "The event is already stored.";
    case EventOutcome::kUnknownSite: return "Unknown site, or not one of yours.";
    case EventOutcome::kNoVisit:
      return "The event belongs to no visit yet, and counts when its visit comes.";
    case EventOutcome::kBot: return "A bot sent the event.";
    case EventOutcome::kSpamReferrer: return "The referrer is on the spam list.";
    case EventOutcome::kExcluded: return "The site excludes such events.";
    case EventOutcome::kThrottled: return "The site has reached its limit of events per minute.";
    case EventOutcome::kTextBudget: break;  // kTextBudget is never the outcome of an event
    case EventOutcome::kExpired: return "It is older than what the site keeps.";
  }
  return {};
}

}  // namespace

Status each_line(std::string_view text, const BulkLimits& limits, const UseLine& use) {
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto content = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (number > limits.lines) {
      return fail(ErrorCode::kBodyTooLarge,
                  "More than " + std::to_string(limits.lines) + " lines in one request.");
    }
    if (content.empty()) continue;
    auto line = Result<std::string_view>(content);
    if (end > limits.line_bytes) {
      line = fail(ErrorCode::kBodyTooLarge,
                  "The line is longer than " + std::to_string(limits.line_bytes) + " bytes.");
    }
    TRY(use(number, line));
  }
  return {};
}

Result<BulkEvents> read_bulk(std::string_view text, const EventSource& source,
                             const IngestContext& context, const BulkLimits& limits) {
  BulkEvents bulk;
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const auto expected = std::min(lines, text.size() / kShortLine + 1);
  bulk.events.reserve(expected);
  bulk.lines.reserve(expected);
  bulk.lines_of_events.reserve(expected);
  std::set<std::pair<SiteId, Days>> site_days;
  const auto use = [&](std::uint32_t number, const Result<std::string_view>& content) {
    BulkLine line{number, static_cast<std::uint32_t>(bulk.events.size())};
    const auto read =
        content ? read_line(*content, source, context, bulk, line) : Status(fail(content.error()));
    if (!read) {
      bulk.rejections.push_back(read.error());
      line.rejection = static_cast<std::uint32_t>(bulk.rejections.size());
    }
    if (bulk.events.size() > limits.events) {
      return Status(fail(ErrorCode::kBodyTooLarge, "The lines name too many sites in all."));
    }
    for (auto i = line.first; i < bulk.events.size(); ++i) {
      const auto& event = bulk.events[i];
      site_days.emplace(event.site, std::chrono::floor<std::chrono::days>(event.time));
    }
    if (site_days.size() > limits.site_days) {
      return Status(fail(ErrorCode::kBodyTooLarge,
                         "The lines have events of too many days: send fewer lines."));
    }
    line.events = static_cast<std::uint32_t>(bulk.events.size()) - line.first;
    bulk.lines.push_back(line);
    return Status();
  };
  TRY(each_line(text, limits, use));
  return bulk;
}

void BulkSummary::add_problem(std::uint32_t line, std::string_view code, const std::string& error) {
  auto* last = problems.empty() ? nullptr : &problems.back();
  const bool continues = last != nullptr && problems_omitted == 0 &&
                         last->line + last->count == line && last->code == code &&
                         last->error == error;
  if (continues) {
    ++last->count;
  } else if (problems.size() < kMaxProblems) {
    problems.push_back({line, 1, code, error});
  } else {
    ++problems_omitted;
  }
}

BulkSummary summarise(const BulkEvents& bulk, const store::BulkResult& result) {
  BulkSummary summary;
  summary.redacted = bulk.redacted;
  const bool is_elsewhere = result.range_known && !result.is_repeat;
  for (std::size_t i = 0; i < bulk.lines.size(); ++i) {
    const auto& line = bulk.lines[i];
    if (line.rejection > 0 && !is_elsewhere) {
      const auto& error = bulk.rejections[line.rejection - 1];
      const auto code = error_info(error.code).name;
      ++summary.rejected;
      ++summary.rejected_by[code];
      summary.add_problem(line.number, code, error.message);
      continue;
    }
    auto outcome = outcome_of(line, i, result);
    // If another import has already stored this range, its lines are duplicates. A line with an
    // unknown site is not, because the site may still be created.
    const bool may_come = line.rejection == 0 && outcome == EventOutcome::kUnknownSite;
    if (is_elsewhere && !may_come) outcome = EventOutcome::kDuplicate;
    switch (outcome) {
      case EventOutcome::kStored: ++summary.accepted; continue;
      case EventOutcome::kDuplicate: ++summary.duplicate; break;
      case EventOutcome::kUnknownSite:
      case EventOutcome::kNoVisit:
      case EventOutcome::kBot:
      case EventOutcome::kSpamReferrer:
      case EventOutcome::kExcluded:
      case EventOutcome::kThrottled:
      case EventOutcome::kTextBudget:
      case EventOutcome::kExpired:
        ++summary.dropped;
        ++summary.dropped_by[outcome_name(outcome)];
        break;
    }
    summary.add_problem(line.number, outcome_name(outcome), describe(outcome));
  }
  return summary;
}

}  // namespace analytics
