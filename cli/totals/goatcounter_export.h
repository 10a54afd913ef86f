#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/totals/report_text.h"
#include "cli/totals/totals_reader.h"

namespace analytics::cli {

/// Names in GoatCounter's JSON export. The keys are the ids that its rows contain instead of names.
/// https://www.goatcounter.com/help/export-json
struct GoatCounterNames {
  struct Path {
    std::string name;
    bool is_event = false;
  };
  struct Referrer {
    std::string source;
    /// Host and path of the linking page; empty if the referrer is not a page.
    std::string address;
    /// Value of a campaign parameter; empty if the referrer is not a campaign.
    std::string campaign;
  };
  std::map<std::string, Path> paths;
  std::map<std::string, Referrer> referrers;
  std::map<std::string, std::string> browsers;
  std::map<std::string, std::string> systems;
};

/// Returns true if the files of an archive are an export of GoatCounter.
[[nodiscard]] bool is_goatcounter_export(const std::vector<ReportPlace>& places);

/// Reads the tables of names. Errors: kMalformedBody, kNotFound.
[[nodiscard]] Result<std::shared_ptr<const GoatCounterNames>> read_goatcounter_names(
    const std::vector<ReportPlace>& places);

/// Makes a reader that adds up the rows of each day. `hit_stats` contains pages, events and
/// referrers; each other table has one dimension. GoatCounter counts a page once per visit, so its
/// counts become visitors, visits and pageviews. Returns null if the file has no statistics, or
/// none that are imported.
[[nodiscard]] std::unique_ptr<TotalsReader> make_goatcounter_reader(
    const ReportPlace& place, std::shared_ptr<const GoatCounterNames> names);

}  // namespace analytics::cli
