#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/event/event_limits.h"
#include "daemon/ingest/pipeline.h"
#include "daemon/store/event_store.h"

namespace analytics {

/// Limits of a bulk request. A bulk request is stored in one transaction, for which the events of
/// all other clients wait.
struct BulkLimits {
  std::size_t bytes = 16'777'216;  ///< Maximum size of the body after decompression.
  std::size_t lines = 10'000;
  /// Maximum number of events; a line has one for each site that it names.
  std::size_t events = 20'000;
  /// Maximum number of pairs of a site and a UTC day on which it has events.
  std::size_t site_days = event_limits::kMaxSiteDays;
  /// Maximum size of a line; a longer line is rejected, but the others are stored.
  std::size_t line_bytes = 262'144;
};

/// A line of a bulk request: rejected, or parsed into some of `BulkEvents::events`.
struct BulkLine {
  std::uint32_t number = 0;     ///< Line number from 1; blank lines count, too.
  std::uint32_t first = 0;      ///< Index of the line's first event in `BulkEvents::events`.
  std::uint32_t events = 0;     ///< Number of the line's events; 0 if no event of it is stored.
  std::uint32_t rejection = 0;  ///< 1 + index in `BulkEvents::rejections`; 0 if not rejected.
  /// Why the line has no events: the first reason in enum order among its known sites; kUnknownSite
  /// if it names no known site.
  EventOutcome drop = EventOutcome::kUnknownSite;
};

/// The parsed lines of a bulk request.
struct BulkEvents {
  std::vector<Event> events;
  std::vector<std::uint32_t> lines_of_events;  ///< For each event, the index into `lines`.
  std::vector<BulkLine> lines;
  std::vector<Error> rejections;  ///< Errors of the rejected lines.
  std::int64_t redacted = 0;      ///< Number of values that were redacted or left out.
  /// Domains that no site has, once for each line that names one; counted for the operator.
  std::vector<std::string> unknown_domains;
  std::vector<store::BulkDrop> drops;  ///< Events that are not stored although their site exists.
};

/// Parses NDJSON with one event per line, under the rights of `source.key`. Errors: kBodyTooLarge
/// if there are too many lines, events or days. Pure.
[[nodiscard]] Result<BulkEvents> read_bulk(std::string_view text, const EventSource& source,
                                           const IngestContext& context,
                                           const BulkLimits& limits = {});

/// Consecutive lines that were not stored, all for one reason: a validation code or a drop reason.
struct BulkProblem {
  std::uint32_t line = 0;  ///< Line number of the first of these lines.
  std::uint32_t count = 1;
  std::string_view code;
  std::string error;
};

/// Numbers of a bulk request's lines by result; every line that is not blank counts once.
struct BulkSummary {
  std::int64_t accepted = 0;
  std::int64_t duplicate = 0;
  std::int64_t dropped = 0;
  std::int64_t rejected = 0;
  std::int64_t redacted = 0;  ///< Number of redacted values, not of lines.
  std::map<std::string_view, std::int64_t> dropped_by;   ///< Number of lines, by reason.
  std::map<std::string_view, std::int64_t> rejected_by;  ///< Number of lines, by error code.
  std::vector<BulkProblem> problems;                     ///< Lines that were not stored, in order.
  std::int64_t problems_omitted = 0;  ///< Lines left out of `problems`, because it was full.

  /// Adds a line that was not stored. REQUIRES: lines in ascending order.
  void add_problem(std::uint32_t line, std::string_view code, const std::string& error);
};

/// Maximum size of BulkSummary::problems, so that an answer is not much larger than its request.
inline constexpr std::size_t kMaxProblems = 2'000;

/// Counts the lines by result, after the store has stored the events.
[[nodiscard]] BulkSummary summarise(const BulkEvents& bulk, const store::BulkResult& result);

/// Calls `use` for each line that is not blank, with its number, from 1, and with its text, or with
/// an error if the line is too long. Errors: kBodyTooLarge if there are too many lines; those of
/// `use`.
using UseLine = std::function<Status(std::uint32_t number, const Result<std::string_view>& text)>;
[[nodiscard]] Status each_line(std::string_view text, const BulkLimits& limits, const UseLine& use);

}  // namespace analytics
