#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/commands/stats_asking.h"
#include "cli/commands/stats_overview.h"

/// A site at a glance: totals, a series and the first rows of some panels. The functions throw
/// nlohmann::json::exception where an answer has another form.
namespace analytics::cli {

/// A panel of an overview.
struct Section {
  const char* title;
  const char* key;  ///< In JSON, and of its rows.
  const char* property;
  bool is_of_goals = false;  ///< Its rows have a conversion rate and revenue, too.
};
inline constexpr Section kSections[] = {{"Pages", "page", "event:page"},
                                        {"Sources", "source", "visit:source"},
                                        {"Countries", "country", "visit:country_name"},
                                        {"Devices", "device", "visit:device"},
                                        {"Goals", "goal", "event:goal", true}};

/// Returns the answers of all queries under their names. `comparison`: null for none. Failures: the
/// server's.
[[nodiscard]] Outcome<nlohmann::ordered_json> read_overview(
    const std::string& site, const Asking& asking, const nlohmann::ordered_json& comparison);

/// Returns it as texts that people read.
[[nodiscard]] Overview overview_of(const nlohmann::ordered_json& all);

/// Returns a member that is a number; else 0.
[[nodiscard]] double number_in(const nlohmann::ordered_json& row, const char* key);

}  // namespace analytics::cli
