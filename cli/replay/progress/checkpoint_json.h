#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/replay/progress/accounting.h"
#include "cli/replay/progress/byte_ranges.h"

/// These turn what a checkpoint has of a source into JSON and back. Those that read throw
/// nlohmann::json::exception where the text is not what was written here.
namespace analytics::cli {

[[nodiscard]] nlohmann::json to_json(const ByteRanges& ranges);
[[nodiscard]] nlohmann::json to_json(const std::map<std::string, ByteRanges>& by_site);
[[nodiscard]] nlohmann::json to_json(const Accounts& accounts);

[[nodiscard]] ByteRanges to_ranges(const nlohmann::json& list);
/// Returns the ranges that sites hold of a source, of which this is the object.
[[nodiscard]] std::map<std::string, ByteRanges> to_held(const nlohmann::json& source);
[[nodiscard]] Accounts to_accounts(const nlohmann::json& object);

}  // namespace analytics::cli
