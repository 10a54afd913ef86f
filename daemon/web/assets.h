#pragma once

#include <string_view>

/// Files of daemon/web/assets, embedded when the program is built.
namespace analytics::web {

[[nodiscard]] std::string_view openapi_json();
[[nodiscard]] std::string_view share_css();
[[nodiscard]] std::string_view share_js();
[[nodiscard]] std::string_view script_js();

}  // namespace analytics::web
