#pragma once

#include <string>
#include <string_view>

namespace analytics {

/// Returns the text of a settings file with another value of a top-level setting, such as
/// `base_url`. Replaces the line of the setting. If no line sets it, replaces a comment that does,
/// such as "# base_url = …", or else adds a line before the first table. `value`: the value in
/// TOML; for a text, the result of json::quote(). REQUIRES: the setting's value in the file, if
/// any, is on one line.
[[nodiscard]] std::string with_setting(std::string_view text, std::string_view key,
                                       std::string_view value);

}  // namespace analytics
