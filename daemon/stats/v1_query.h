#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/result.h"
#include "daemon/model/query.h"
#include "daemon/stats/context.h"

/// The wire form of the Stats API v1: reads a query from the parameters of a URL.
namespace analytics::v1 {

/// Parameters without white space around them; empty: absent.
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

struct Request {
  Query query;
  /// The same query for the preceding period, if a comparison was requested.
  std::optional<Query> before;
};

/// Errors, of all three: kInvalidParameter and kMissingParameter, naming the parameter.
[[nodiscard]] Result<Request> parse_aggregate(const Words& words, const QueryContext& context);
/// A row a bucket that has events; see every_bucket() for the others.
[[nodiscard]] Result<Request> parse_timeseries(const Words& words, const QueryContext& context);
[[nodiscard]] Result<Request> parse_breakdown(const Words& words, const QueryContext& context);

/// `visit:source==Google|Bing;event:page!=/a/**`: all of the conditions between `;`. A backslash
/// takes what `|`, `;` or a backslash means otherwise. Or a list as in v2. Errors:
/// kInvalidParameter, `filters`.
[[nodiscard]] Result<Filter> parse_filters(std::string_view text, const std::vector<Goal>& goals);

}  // namespace analytics::v1
