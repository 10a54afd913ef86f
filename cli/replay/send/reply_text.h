#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace analytics::cli {

/// A text in an object that the server has sent; empty if it is none.
[[nodiscard]] std::string reply_text(const nlohmann::json& object, const char* name);

}  // namespace analytics::cli
