#pragma once

#include <string>
#include <string_view>

#include "common/time.h"
#include "daemon/cluster/marks.h"
#include "daemon/model/query.h"

/// Times, and what selects events, as the server's SQL.
namespace analytics::cluster {

/// A day of the server's, which has those from 1970 to 2106: the nearest.
[[nodiscard]] std::string sql_day(Days day);
/// A text, of which nothing can be taken for a statement.
[[nodiscard]] std::string sql_text(std::string_view text);
/// The events of a site that are of a range, up to the marks.
[[nodiscard]] std::string events_of(SiteId site, const TimeRange& range, const Marks& marks);

}  // namespace analytics::cluster
