#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/run/result.h"
#include "daemon/model/query.h"
#include "daemon/stats/parsing/context.h"

/// Reads queries from URL parameters, as the Stats API v1 defines them.
namespace analytics::v1 {

/// The URL parameters of a request, without surrounding white space. An absent parameter is empty.
struct Words {
  std::string_view period;
  std::string_view date;
  std::string_view interval;
  std::string_view metrics;
  std::string_view filters;
  std::string_view property;
  std::string_view compare;
  std::string_view limit;
  std::string_view page;
  std::string_view with_imported{};
};

/// A request of the Stats API v1 whose parameters have been read.
struct Request {
  Query query;
  /// The same query for the preceding period, if a comparison was requested.
  std::optional<Query> before;
};

/// Reads the parameters of the route `aggregate`. Errors, also of the next two functions:
/// kInvalidParameter, kMissingParameter and kLimitReached, naming the parameter.
[[nodiscard]] Result<Request> parse_aggregate(const Words& words, const QueryContext& context);
/// Reads the parameters of the route `timeseries`. The answer to the query has rows only for time
/// buckets with events; every_bucket() adds the others.
[[nodiscard]] Result<Request> parse_timeseries(const Words& words, const QueryContext& context);
/// Reads the parameters of the route `breakdown`.
[[nodiscard]] Result<Request> parse_breakdown(const Words& words, const QueryContext& context);

/// Parses a filter such as `visit:source==Google|Bing;event:page!=/a/**`. An event must meet all
/// conditions that are separated by `;`. A backslash escapes `|`, `;` and the backslash. Also
/// accepts a JSON list as in v2. Errors: kInvalidParameter and kLimitReached for `filters`.
[[nodiscard]] Result<Filter> parse_filters(std::string_view text, const std::vector<Goal>& goals);

}  // namespace analytics::v1
