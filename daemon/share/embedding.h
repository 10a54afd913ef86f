#pragma once

#include <string>
#include <string_view>

#include "common/text/url.h"

namespace analytics::share {

/// Look of a shared page inside a frame, as set by the URL parameters of Plausible's embed code.
struct Embedding {
  bool is_embedded = false;  ///< `embed=true`: hides the site's name and menus.
  std::string theme;         ///< `theme`: "light" or "dark"; empty for the browser's setting.
  std::string background;    ///< `background`: colour in CSS notation; empty for the default.
};

/// Returns a colour in CSS notation: "transparent", "#rgb" or "#rrggbb". Accepts hex digits without
/// the `#`. Returns an empty string for anything else.
[[nodiscard]] std::string read_background(std::string_view text);

/// Reads the look of a framed page from the parameters of its URL. Ignores unknown values.
[[nodiscard]] Embedding read_embedding(const Parameters& parameters);

/// Returns the parameters from which read_embedding() reads `embedding`, for links to other pages.
[[nodiscard]] Parameters parameters_of(const Embedding& embedding);

}  // namespace analytics::share
