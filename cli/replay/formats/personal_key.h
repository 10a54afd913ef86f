#pragma once

#include <string_view>

namespace analytics::cli {

/// Returns true if a property's key suggests that its value identifies a person: "email",
/// "user_id".
[[nodiscard]] bool is_personal_key(std::string_view key);

}  // namespace analytics::cli
