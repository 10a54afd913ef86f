#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/metric.h"

/// Answers of the Stats API v2 as rows with names. The functions throw nlohmann::json::exception
/// where an answer has another form.
namespace analytics::cli {

/// Returns null for a metric of a newer server.
[[nodiscard]] const MetricInfo* known(const std::string& metric);

/// Returns `metric_warnings`: why metrics do not say all, by metric.
[[nodiscard]] nlohmann::ordered_json warnings_of(const nlohmann::ordered_json& body);

/// Returns the name that a property has in a row: "visit:source" is "source".
[[nodiscard]] std::string column_of(const std::string& property);

/// Returns each row as an object: its dimensions, its metrics and, in METRIC_before and
/// METRIC_change, what they were in another period.
[[nodiscard]] nlohmann::ordered_json rows_of(const nlohmann::ordered_json& body,
                                             const std::vector<std::string>& columns,
                                             const std::vector<std::string>& metrics);

/// Takes the values away from rows of time that is still to come. `label_key` names what a row has
/// its time as.
void blank_to_come(const nlohmann::ordered_json& body, const std::string& label_key,
                   nlohmann::ordered_json& rows);

/// Returns the rows of a series, with those between them that have no events, and those to come
/// without values. REQUIRES: an answer with time labels.
[[nodiscard]] nlohmann::ordered_json series_of(const nlohmann::ordered_json& body,
                                               const std::vector<std::string>& metrics);

/// Returns by metric its value, what it was before, and the change. Metrics that mean nothing, and
/// amounts where nothing was paid, are left out unless `with_meaningless`.
[[nodiscard]] nlohmann::ordered_json totals_of(const nlohmann::ordered_json& body,
                                               const std::vector<std::string>& metrics,
                                               bool with_meaningless);

}  // namespace analytics::cli
