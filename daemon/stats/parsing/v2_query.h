#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/run/result.h"
#include "daemon/model/query.h"
#include "daemon/stats/comparison.h"
#include "daemon/stats/parsing/context.h"

/// Reads queries from JSON, as the Stats API v2 defines them, and writes them back.
namespace analytics::v2 {

/// A request of the Stats API v2 whose body has been read.
struct Request {
  Query query;
  bool wants_time_labels = false;
  bool wants_total_rows = false;
  std::optional<Comparison> comparison{};
  /// True if a range given as a word, such as "month", must end with today, or for "day" with the
  /// current hour.
  bool is_trimmed = false;
  /// True if imported totals must count, and the reply must report whether they did.
  bool wants_imports = false;
};

/// Returns the name of the site that a request's body queries. Errors: kMissingParameter;
/// kInvalidParameter if it is not a string, or the body not an object.
[[nodiscard]] Result<std::string> site_id_of(const nlohmann::json& body);

/// Reads a request. Errors: kInvalidParameter, kMissingParameter and kLimitReached, whose message
/// and field begin with the JSON pointer to the wrong value.
[[nodiscard]] Result<Request> parse(const nlohmann::json& body, const QueryContext& context);

/// Returns the request as JSON, with all defaults and relative times filled in. Posting this JSON
/// again gives the same query.
[[nodiscard]] nlohmann::ordered_json echo(const Request& request, const std::string& domain);

/// Defines how parse_filters() treats a condition on a goal that the site does not have: as an
/// error, or as a condition that no event meets.
enum class UnknownGoals { kRefused, kNeverMet };

/// Returns the filter as an element of the JSON list `filters`.
[[nodiscard]] nlohmann::ordered_json to_json(const Filter& filter);
/// Parses the JSON list `filters`, all of whose elements must hold. Errors: kInvalidParameter;
/// kLimitReached for more than 200 conditions.
[[nodiscard]] Result<Filter> parse_filters(const nlohmann::json& filters,
                                           const std::vector<Goal>& goals,
                                           UnknownGoals unknown_goals = UnknownGoals::kRefused);

/// Parses `date_range`: a word such as day, 7d, 6mo, month or year, a list of two days, or a list
/// of two times with offsets. The word `all` begins in 1970. Errors: kInvalidParameter for
/// `#/date_range`.
[[nodiscard]] Result<TimeRange> parse_date_range(const nlohmann::json& value,
                                                 const std::string& zone, UnixSeconds now);

/// Returns a client's JSON value for an error message, cut to `most` bytes and followed by "…" if
/// it is longer.
[[nodiscard]] std::string excerpt(const nlohmann::json& value, std::size_t most = 200);

}  // namespace analytics::v2
