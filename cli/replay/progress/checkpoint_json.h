#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/replay/progress/accounting.h"
#include "cli/replay/progress/byte_ranges.h"

/// Converts the state of a source file, which a checkpoint stores, to JSON and back. The functions
/// that read throw nlohmann::json::exception if the JSON was not written by the to_json()
/// functions.
namespace analytics::cli {

[[nodiscard]] nlohmann::json to_json(const ByteRanges& ranges);
[[nodiscard]] nlohmann::json to_json(const std::map<std::string, ByteRanges>& by_site);
[[nodiscard]] nlohmann::json to_json(const Accounts& accounts);

[[nodiscard]] ByteRanges to_ranges(const nlohmann::json& list);
/// Reads the byte ranges that the server stores for each site from a source file's JSON object.
[[nodiscard]] std::map<std::string, ByteRanges> to_held(const nlohmann::json& source);
[[nodiscard]] Accounts to_accounts(const nlohmann::json& object);

}  // namespace analytics::cli
