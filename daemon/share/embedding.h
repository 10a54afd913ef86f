#pragma once

#include <string>
#include <string_view>

#include "common/text/url.h"

namespace analytics::share {

/// How a shared page looks in a frame, from the URL parameters of Plausible's embed code.
struct Embedding {
  bool is_embedded = false;  ///< `embed=true`: hides the site's name and menus.
  std::string theme;         ///< `theme`: "light" or "dark"; empty: the browser's setting.
  std::string background;    ///< `background`: see read_background(); empty: the default.
};

/// Returns the colour as CSS writes it: "transparent", "#rgb" or "#rrggbb". Accepts hex digits
/// without the `#`. Returns an empty text for anything else.
[[nodiscard]] std::string read_background(std::string_view text);

/// Reads the embedding from a URL's parameters. Ignores unknown values.
[[nodiscard]] Embedding read_embedding(const Parameters& parameters);

/// Returns the parameters from which read_embedding() reads `embedding`, for links to other pages.
[[nodiscard]] Parameters parameters_of(const Embedding& embedding);

}  // namespace analytics::share
