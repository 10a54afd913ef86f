#pragma once

#include <string_view>

/// Files of daemon/web/assets, embedded at build time.
namespace analytics::web {

/// Script for pages that embed a shared page in a frame.
[[nodiscard]] std::string_view embed_js();
/// SVG of countries, with country codes as ids, in a group "world".
[[nodiscard]] std::string_view map_svg();
[[nodiscard]] std::string_view openapi_json();
[[nodiscard]] std::string_view share_css();
[[nodiscard]] std::string_view share_js();
[[nodiscard]] std::string_view script_js();

}  // namespace analytics::web
