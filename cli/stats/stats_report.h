#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/stats/stats_asking.h"
#include "cli/stats/stats_overview.h"

/// An overview of a site: totals, a series and the first rows of some panels. The functions throw
/// nlohmann::json::exception if an answer has an unexpected form.
namespace analytics::cli {

/// A panel of an overview.
struct Section {
  const char* title;
  const char* key;  ///< Name of the panel in JSON, and of the member with a row's name.
  const char* property;
  /// True for the panel of goals, whose rows also have a conversion rate and revenue.
  bool is_of_goals = false;
};
inline constexpr Section kSections[] = {{"Pages", "page", "event:page"},
                                        {"Sources", "source", "visit:source"},
                                        {"Countries", "country", "visit:country_name"},
                                        {"Devices", "device", "visit:device"},
                                        {"Goals", "goal", "event:goal", true}};

/// Sends all queries of an overview, and returns an object with totals, time series and panels.
/// `comparison` is null for no comparison. Fails with the server's error.
[[nodiscard]] Outcome<nlohmann::ordered_json> read_overview(
    const std::string& site, const Asking& asking, const nlohmann::ordered_json& comparison);

/// Converts the answers of read_overview() to texts for people.
[[nodiscard]] Overview overview_of(const nlohmann::ordered_json& all);

/// Returns the member if it is a number, else 0.
[[nodiscard]] double number_in(const nlohmann::ordered_json& row, const char* key);

}  // namespace analytics::cli
