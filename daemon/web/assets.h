#pragma once

#include <string_view>

/// Contents of the files in daemon/web/assets, compiled into the program.
namespace analytics::web {

/// Returns the script for other websites that show a shared page in a frame.
[[nodiscard]] std::string_view embed_js();
/// Returns the world map as SVG. The group "world" has a shape for each country, whose id is the
/// country's code.
[[nodiscard]] std::string_view map_svg();
[[nodiscard]] std::string_view openapi_json();
/// Return the style sheet and the script of shared pages.
[[nodiscard]] std::string_view share_css();
[[nodiscard]] std::string_view share_js();
/// Returns the tracker, the script that pages load to send events.
[[nodiscard]] std::string_view script_js();

}  // namespace analytics::web
