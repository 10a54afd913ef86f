#pragma once

#include <string>
#include <string_view>

namespace analytics {

/// Returns the text of a settings file with another value of a top-level setting, such as
/// `base_url`. Replaces the line of the setting or, if the file has only a commented one such as
/// "# base_url = …", that line; otherwise adds a line before the first table. `value` is TOML; of a
/// text, json::quote(). REQUIRES: the setting's value in the file, if any, is on one line.
[[nodiscard]] std::string with_setting(std::string_view text, std::string_view key,
                                       std::string_view value);

}  // namespace analytics
