#pragma once

#include <string_view>

/// Files of daemon/web/assets, embedded at build time.
namespace analytics::web {

/// Returns the script for pages that embed a shared page in a frame.
[[nodiscard]] std::string_view embed_js();
/// Returns an SVG with a shape per country in the group "world"; ids are country codes.
[[nodiscard]] std::string_view map_svg();
[[nodiscard]] std::string_view openapi_json();
[[nodiscard]] std::string_view share_css();
[[nodiscard]] std::string_view share_js();
[[nodiscard]] std::string_view script_js();

}  // namespace analytics::web
