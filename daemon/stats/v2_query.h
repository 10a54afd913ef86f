#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/result.h"
#include "daemon/model/query.h"
#include "daemon/stats/comparison.h"
#include "daemon/stats/context.h"

/// The wire form of the Stats API v2: reads a query from a JSON object, and writes it back.
namespace analytics::v2 {

struct Request {
  Query query;
  bool wants_time_labels = false;
  bool wants_total_rows = false;
  std::optional<Comparison> comparison{};
  bool is_trimmed = false;     ///< A range in words ends now, and not later.
  bool wants_imports = false;  ///< Imported totals count, and the reply says whether.
};

/// The name of the site that a body is about. Errors: kMissingParameter.
[[nodiscard]] Result<std::string> site_id_of(const nlohmann::json& body);

/// Errors: kInvalidParameter and kMissingParameter, whose message and field begin with the JSON
/// pointer of what is wrong.
[[nodiscard]] Result<Request> parse(const nlohmann::json& body, const QueryContext& context);

/// The query as it was understood: posted again, it is the same.
[[nodiscard]] nlohmann::ordered_json echo(const Request& request, const std::string& domain);

/// A filter as one value of `filters`, and back.
[[nodiscard]] nlohmann::ordered_json to_json(const Filter& filter);
[[nodiscard]] Result<Filter> parse_filters(const nlohmann::json& filters,
                                           const std::vector<Goal>& goals);

/// `date_range`: day, 7d, 6mo, month, year, …, two days, or two times with offsets. `all` begins at
/// 1970. Errors: kInvalidParameter, `#/date_range`.
[[nodiscard]] Result<TimeRange> parse_date_range(const nlohmann::json& value,
                                                 const std::string& zone, UnixSeconds now);

/// Returns the sent value for an error message, cut to `most` bytes and "…".
[[nodiscard]] std::string excerpt(const nlohmann::json& value, std::size_t most = 200);

}  // namespace analytics::v2
