#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/share/embedding.h"

/// The page of all sites of an account: a table whose rows are sent as they are counted. Pure.
namespace analytics::share {

struct SitesRow {
  std::string domain;  ///< The site's domain, or the heading of the row of sums.
  std::string href;    ///< URL of the site's page; empty for the row of sums.
  std::int64_t current = 0;
  std::string today;
  std::string week;
  std::string change;         ///< Change of `week` since the week before: "+12%"; empty: unknown.
  const char* tone = "same";  ///< Style of the change: "same", "better" or "worse".
  std::vector<std::int64_t> days;
  std::string last_event;
  bool is_silent = false;  ///< True if no event came for 24 hours, which the page highlights.
  std::string dropped;     ///< Number of events dropped today; empty: none.
  std::string note;        ///< Caveats about the numbers; empty: none.
  std::string problem;     ///< Error shown in place of the numbers; empty: none.
};

[[nodiscard]] std::string render_sites_begin(std::size_t sites, const Embedding& embedding);
[[nodiscard]] std::string render_sites_row(const SitesRow& row);
[[nodiscard]] std::string render_sites_end();

/// Returns the service's start page, at the path `/`.
[[nodiscard]] std::string render_front();

}  // namespace analytics::share
