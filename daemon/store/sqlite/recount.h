#pragma once

#include <string>

#include "daemon/store/sqlite/file_check.h"

namespace analytics::sqlite {

/// Counts the events of sites plainly, one after another, and compares that with what queries
/// answer: visitors, visits, pageviews, events, bounces and durations of each UTC day, and of each
/// week. `only`: the domain of one site; empty: all. Sites of which events are being removed or
/// sealed are left out. Throws SqliteError, and Error kSiteNotFound.
void recount(Connection& connection, const std::string& only, const Found& found);

}  // namespace analytics::sqlite
