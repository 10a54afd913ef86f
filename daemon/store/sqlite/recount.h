#pragma once

#include <string>
#include <vector>

#include "daemon/store/sqlite/file_check.h"

namespace analytics::sqlite {

/// Counts the events of sites one by one and reports differences from the results of queries:
/// visitors, visits, their facts, pageviews and events of each UTC day and of each week.
/// `only`: the domain of a single site; empty for all sites. Leaves out sites whose events are
/// being removed or sealed, and returns their domains. Throws SqliteError, and Error
/// kSiteNotFound.
std::vector<std::string> recount(Connection& connection, const std::string& only,
                                 const Found& found);

}  // namespace analytics::sqlite
