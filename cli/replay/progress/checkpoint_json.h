#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/replay/progress/accounting.h"
#include "cli/replay/progress/byte_ranges.h"

/// These functions convert a checkpoint's state of a source to JSON and back. The functions that
/// read throw nlohmann::json::exception if the JSON was not written by these functions.
namespace analytics::cli {

[[nodiscard]] nlohmann::json to_json(const ByteRanges& ranges);
[[nodiscard]] nlohmann::json to_json(const std::map<std::string, ByteRanges>& by_site);
[[nodiscard]] nlohmann::json to_json(const Accounts& accounts);

[[nodiscard]] ByteRanges to_ranges(const nlohmann::json& list);
/// Returns the ranges that each site holds, from the JSON object of a source.
[[nodiscard]] std::map<std::string, ByteRanges> to_held(const nlohmann::json& source);
[[nodiscard]] Accounts to_accounts(const nlohmann::json& object);

}  // namespace analytics::cli
