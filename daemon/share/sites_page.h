#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/share/embedding.h"

/// The page of all sites of an account: a table that is sent as it is counted. Pure.
namespace analytics::share {

struct SitesRow {
  std::string domain;  ///< Or what the row is about, without
  std::string href;    ///< a page of its own.
  std::int64_t current = 0;
  std::string today;
  std::string week;
  std::string change;         ///< "+12%"; empty: none.
  const char* tone = "same";  ///< Or "better", "worse".
  std::vector<std::int64_t> days;
  std::string last_event;
  bool is_silent = false;  ///< No event for so long that somebody should look.
  std::string dropped;     ///< Events that were not counted today; empty: none.
  std::string problem;     ///< In place of the numbers.
};

[[nodiscard]] std::string render_sites_begin(std::size_t sites, const Embedding& embedding);
[[nodiscard]] std::string render_sites_row(const SitesRow& row);
[[nodiscard]] std::string render_sites_end();

/// The page of the service's own address.
[[nodiscard]] std::string render_front();

}  // namespace analytics::share
