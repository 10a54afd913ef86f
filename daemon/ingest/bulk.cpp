#include "daemon/ingest/bulk.h"

#include <algorithm>

#include "common/api_types.h"
#include "common/text.h"

namespace analytics {
namespace {

/// Parses one line and appends its events. Errors: why the line is rejected.
Status read_line(std::string_view text, const EventSource& source, const IngestContext& context,
                 BulkEvents& bulk, BulkLine& line) {
  const auto payload = parse_event_payload(text, {true, source.now});
  if (!payload) return fail(payload.error());
  auto prepared = prepare_events(*payload, source, context);
  for (auto& one : prepared.sites) {
    if (!one.drop) {
      bulk.events.push_back(std::move(one.event));
      continue;
    }
    line.drop = *one.drop;
    if (one.site != nullptr) {
      bulk.drops.push_back({one.site->id, *one.drop});
    } else {
      bulk.unknown_domains.push_back(std::move(one.domain));
    }
  }
  return {};
}

/// The outcome of a line is that of its luckiest event.
EventOutcome outcome_of(const BulkLine& line, const store::BulkResult& result) {
  if (result.range_known) return EventOutcome::kDuplicate;
  const auto first = result.outcomes.begin() + line.first;
  return line.events == 0 ? line.drop : *std::min_element(first, first + line.events);
}

std::string describe(EventOutcome outcome) {
  switch (outcome) {
    case EventOutcome::kStored: return {};
    case EventOutcome::kDuplicate: return "The event is stored already.";
    case EventOutcome::kUnknownSite: return "There is no such site of yours.";
    case EventOutcome::kNoVisit: return "There is no visit that it could belong to.";
    case EventOutcome::kBot: return "It was sent by a bot.";
    case EventOutcome::kSpamReferrer: return "Its referrer is on the list of spam.";
    case EventOutcome::kExcluded: return "The site excludes it.";
    case EventOutcome::kThrottled: return "The site has too many events.";
  }
  return {};
}

}  // namespace

Result<BulkEvents> read_bulk(std::string_view text, const EventSource& source,
                             const IngestContext& context, const BulkLimits& limits) {
  BulkEvents bulk;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto content = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (number > limits.lines) {
      return fail(ErrorCode::kBodyTooLarge,
                  "More than " + std::to_string(limits.lines) + " lines in one request.");
    }
    if (content.empty()) continue;
    BulkLine line{number, static_cast<std::uint32_t>(bulk.events.size())};
    const auto read =
        end > limits.line_bytes
            ? Status(fail(ErrorCode::kBodyTooLarge, "The line is longer than 64 KiB."))
            : read_line(content, source, context, bulk, line);
    if (!read) {
      bulk.rejections.push_back(read.error());
      line.rejection = static_cast<std::uint32_t>(bulk.rejections.size());
    }
    if (bulk.events.size() > limits.events) {
      return fail(ErrorCode::kBodyTooLarge, "The lines name too many sites each.");
    }
    line.events = static_cast<std::uint32_t>(bulk.events.size()) - line.first;
    bulk.lines.push_back(line);
  }
  return bulk;
}

BulkSummary summarise(const BulkEvents& bulk, const store::BulkResult& result) {
  BulkSummary summary;
  for (const auto& line : bulk.lines) {
    if (line.rejection > 0 && !result.range_known) {
      const auto& error = bulk.rejections[line.rejection - 1];
      ++summary.rejected;
      summary.problems.push_back({line.number, error_info(error.code).name, error.message});
      continue;
    }
    const auto outcome = outcome_of(line, result);
    switch (outcome) {
      case EventOutcome::kStored: ++summary.accepted; continue;
      case EventOutcome::kDuplicate: ++summary.duplicate; break;
      case EventOutcome::kUnknownSite:
      case EventOutcome::kNoVisit:
      case EventOutcome::kBot:
      case EventOutcome::kSpamReferrer:
      case EventOutcome::kExcluded:
      case EventOutcome::kThrottled: ++summary.dropped; break;
    }
    summary.problems.push_back({line.number, outcome_name(outcome), describe(outcome)});
  }
  return summary;
}

}  // namespace analytics
