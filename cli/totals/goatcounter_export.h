#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/totals/report_text.h"
#include "cli/totals/totals_reader.h"

namespace analytics::cli {

/// What the rows of GoatCounter's JSON export call by numbers.
/// https://www.goatcounter.com/help/export-json
struct GoatCounterNames {
  struct Path {
    std::string name;
    bool is_event = false;
  };
  struct Referrer {
    std::string source;
    std::string address;   ///< Host and path of a page that links here; empty: it is none.
    std::string campaign;  ///< The text of a campaign's parameter; empty: it is none.
  };
  std::map<std::string, Path> paths;
  std::map<std::string, Referrer> referrers;
  std::map<std::string, std::string> browsers;
  std::map<std::string, std::string> systems;
};

/// True if the texts of an archive are such an export.
[[nodiscard]] bool is_goatcounter_export(const std::vector<ReportPlace>& places);

/// Errors: kMalformedBody, kNotFound.
[[nodiscard]] Result<std::shared_ptr<const GoatCounterNames>> read_goatcounter_names(
    const std::vector<ReportPlace>& places);

/// Adds up the rows of a day: `hit_stats` have pages, events and referrers, others one dimension.
/// GoatCounter counts a page once a visit: what it shows as visits are visitors, visits and
/// pageviews here. Null: the text has no statistics, or such as are not imported.
[[nodiscard]] std::unique_ptr<TotalsReader> make_goatcounter_reader(
    const ReportPlace& place, std::shared_ptr<const GoatCounterNames> names);

}  // namespace analytics::cli
