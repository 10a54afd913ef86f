#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/share/embedding.h"

/// Renders the page of all sites of an account: a table whose rows are sent as they are counted.
/// Pure.
namespace analytics::share {

struct SitesRow {
  std::string domain;         ///< The site's domain, or the heading of the row of sums.
  std::string href;           ///< URL of the site's page; empty for the row of sums.
  std::int64_t current = 0;   ///< Visitors in the last five minutes.
  std::string today;          ///< Visitors today: "1,204".
  std::string week;           ///< Visitors in the seven days up to yesterday.
  std::string change;         ///< Change of `week` from the week before: "+12%"; empty if unknown.
  const char* tone = "same";  ///< CSS class of the change: "same", "better" or "worse".
  /// Visitors on each of the thirty days up to yesterday, for a small line chart.
  std::vector<std::int64_t> days;
  std::string last_event;  ///< Age of the newest event: "5 minutes ago", "never".
  bool is_silent = false;  ///< True if no event came for 24 hours; highlights `last_event`.
  std::string dropped;     ///< Number of events dropped today; empty if no event was dropped.
  std::string note;        ///< Caveats about the numbers; may be empty.
  std::string problem;     ///< Error shown in place of the numbers; empty if there is no error.
};

/// Render the page in pieces, to be sent in this order: the beginning, a row for each site, the
/// end. `sites`: the number of sites.
[[nodiscard]] std::string render_sites_begin(std::size_t sites, const Embedding& embedding);
[[nodiscard]] std::string render_sites_row(const SitesRow& row);
[[nodiscard]] std::string render_sites_end();

/// Returns the service's start page, at the path `/`.
[[nodiscard]] std::string render_front();

}  // namespace analytics::share
