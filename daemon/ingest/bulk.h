#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/ingest/pipeline.h"
#include "daemon/store/event_store.h"

namespace analytics {

/// The limits of a bulk request.
struct BulkLimits {
  std::size_t bytes = 16'777'216;  ///< After decompression.
  std::size_t lines = 50'000;
  std::size_t events = 100'000;      ///< A line counts for each site it names.
  std::size_t line_bytes = 262'144;  ///< A longer line is rejected alone.
};

/// One line on its way: rejected, or some of `BulkEvents::events`.
struct BulkLine {
  std::uint32_t number = 0;     ///< From 1; blank lines count, and are nothing else.
  std::uint32_t first = 0;      ///< Index of its first event.
  std::uint32_t events = 0;     ///< None: nothing of the line is to be stored.
  std::uint32_t rejection = 0;  ///< 1 + index into `rejections`; 0: it was read.
  /// Why, when it has no events: the best reason that a known site has, if it names one.
  EventOutcome drop = EventOutcome::kUnknownSite;
};

struct BulkEvents {
  std::vector<Event> events;
  std::vector<std::uint32_t> lines_of_events;  ///< Index into `lines`, by event.
  std::vector<BulkLine> lines;
  std::vector<Error> rejections;
  std::vector<std::string> unknown_domains;  ///< For the operator's counters.
  std::vector<store::BulkDrop> drops;
};

/// Reads NDJSON, one event a line, under the rights of `source.key`. Errors: kBodyTooLarge when
/// there are too many lines. Pure.
[[nodiscard]] Result<BulkEvents> read_bulk(std::string_view text, const EventSource& source,
                                           const IngestContext& context,
                                           const BulkLimits& limits = {});

/// Consecutive lines that were not stored for the same reason: a validation code or a drop reason.
struct BulkProblem {
  std::uint32_t line = 0;  ///< The first of them.
  std::uint32_t count = 1;
  std::string_view code;
  std::string error;
};

/// Every line counted once.
struct BulkSummary {
  std::int64_t accepted = 0;
  std::int64_t duplicate = 0;
  std::int64_t dropped = 0;
  std::int64_t rejected = 0;
  std::map<std::string_view, std::int64_t> dropped_by;   ///< Lines by reason.
  std::map<std::string_view, std::int64_t> rejected_by;  ///< Lines by code.
  std::vector<BulkProblem> problems;                     ///< In order of the lines.
  std::int64_t problems_omitted = 0;                     ///< Lines beyond the bound of `problems`.

  /// A line, behind those before, was not stored.
  void add_problem(std::uint32_t line, std::string_view code, const std::string& error);
};

/// Entries of BulkSummary::problems: an answer must not be larger than its request by far.
inline constexpr std::size_t kMaxProblems = 2'000;

[[nodiscard]] BulkSummary summarise(const BulkEvents& bulk, const store::BulkResult& result);

/// Calls `use` with the number, from 1, and the text of each line that is not blank, or with why it
/// is rejected: it is too long. Errors: kBodyTooLarge when there are too many lines; those of
/// `use`.
using UseLine = std::function<Status(std::uint32_t number, const Result<std::string_view>& text)>;
[[nodiscard]] Status each_line(std::string_view text, const BulkLimits& limits, const UseLine& use);

}  // namespace analytics
