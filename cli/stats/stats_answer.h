#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/wire/caveats.h"
#include "common/wire/metric.h"

/// Converts answers of the Stats API v2 to rows with names. The functions throw
/// nlohmann::json::exception if an answer has an unexpected form.
namespace analytics::cli {

/// Returns the metric's description; null if only a newer server knows the metric.
[[nodiscard]] const MetricInfo* known(const std::string& metric);

/// Returns the answer's `metric_warnings`: for each metric, the reason why it is incomplete or
/// null.
[[nodiscard]] nlohmann::ordered_json warnings_of(const nlohmann::ordered_json& body);

/// Returns the caveats in an answer's `meta`; none if it has no `meta`.
[[nodiscard]] Caveats caveats_of(const nlohmann::ordered_json& body);

/// Returns a `meta` with the caveats of an answer, and nothing else.
[[nodiscard]] nlohmann::ordered_json meta_with_caveats(const nlohmann::ordered_json& body);

/// Returns the column name of a property: "source" for "visit:source".
[[nodiscard]] std::string column_of(const std::string& property);

/// Returns each row as an object: its dimensions, its metrics and, as METRIC_before and
/// METRIC_change, their values in the compared period and the changes.
[[nodiscard]] nlohmann::ordered_json rows_of(const nlohmann::ordered_json& body,
                                             const std::vector<std::string>& columns,
                                             const std::vector<std::string>& metrics);

/// Sets the values of rows in the future to null. `label_key` is the member with a row's time.
void blank_future_rows(const nlohmann::ordered_json& body, const std::string& label_key,
                       nlohmann::ordered_json& rows);

/// Returns the rows of a series, including rows without events; future rows have null values.
/// REQUIRES: an answer with time labels.
[[nodiscard]] nlohmann::ordered_json series_of(const nlohmann::ordered_json& body,
                                               const std::vector<std::string>& metrics);

/// Returns, for each metric, its value, its value in the compared period, and the change. Unless
/// `with_meaningless`, leaves out null metrics that have a warning, and null amounts of money.
[[nodiscard]] nlohmann::ordered_json totals_of(const nlohmann::ordered_json& body,
                                               const std::vector<std::string>& metrics,
                                               bool with_meaningless);

}  // namespace analytics::cli
