#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/share/embedding.h"

/// The page of all sites of an account: a table whose rows are sent as they are counted. Pure.
namespace analytics::share {

struct SitesRow {
  std::string domain;  ///< The site's domain, or the heading of the row of sums.
  std::string href;    ///< The site's page; empty for the row of sums.
  std::int64_t current = 0;
  std::string today;
  std::string week;
  std::string change;         ///< "+12%"; empty: none.
  const char* tone = "same";  ///< Or "better", "worse".
  std::vector<std::int64_t> days;
  std::string last_event;
  bool is_silent = false;  ///< No event for 24 hours, so that the owner should check.
  std::string dropped;     ///< Events that were not counted today; empty: none.
  std::string problem;     ///< Error shown in place of the numbers; empty: none.
};

[[nodiscard]] std::string render_sites_begin(std::size_t sites, const Embedding& embedding);
[[nodiscard]] std::string render_sites_row(const SitesRow& row);
[[nodiscard]] std::string render_sites_end();

/// Returns the page at the root of the service.
[[nodiscard]] std::string render_front();

}  // namespace analytics::share
