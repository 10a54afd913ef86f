#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/replay/progress/accounting.h"
#include "cli/replay/progress/byte_ranges.h"

/// Converts a source file's state in a checkpoint to JSON and back. The functions that read throw
/// nlohmann::json::exception if the to_json() functions did not write the JSON.
namespace analytics::cli {

[[nodiscard]] nlohmann::json to_json(const ByteRanges& ranges);
[[nodiscard]] nlohmann::json to_json(const std::map<std::string, ByteRanges>& by_site);
[[nodiscard]] nlohmann::json to_json(const Accounts& accounts);

[[nodiscard]] ByteRanges to_ranges(const nlohmann::json& list);
/// Returns the ranges that the server stores for each site, from a source file's JSON object.
[[nodiscard]] std::map<std::string, ByteRanges> to_held(const nlohmann::json& source);
[[nodiscard]] Accounts to_accounts(const nlohmann::json& object);

}  // namespace analytics::cli
