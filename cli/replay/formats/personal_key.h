#pragma once

#include <string_view>

namespace analytics::cli {

/// Returns true for a property's key that shows that its value identifies a person: "email",
/// "user_id".
[[nodiscard]] bool is_personal_key(std::string_view key);

}  // namespace analytics::cli
