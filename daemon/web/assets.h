#pragma once

#include <string_view>

/// Files of daemon/web/assets, embedded when the program is built.
namespace analytics::web {

/// For pages that show a shared page in a frame.
[[nodiscard]] std::string_view embed_js();
/// Shapes of countries, with their codes as ids, in a group "world".
[[nodiscard]] std::string_view map_svg();
[[nodiscard]] std::string_view openapi_json();
[[nodiscard]] std::string_view share_css();
[[nodiscard]] std::string_view share_js();
[[nodiscard]] std::string_view script_js();

}  // namespace analytics::web
