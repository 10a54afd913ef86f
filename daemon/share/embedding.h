#pragma once

#include <string>
#include <string_view>

#include "common/url.h"

namespace analytics::share {

/// How a page that shows this one in a frame wants it, in the parameters of Plausible's embed code.
struct Embedding {
  bool is_embedded = false;  ///< `embed=true`: without the site's name and menus.
  std::string theme;         ///< `theme`: "light" or "dark"; empty: as the reader's system has it.
  std::string background;    ///< `background`: as read_background() has it; empty: the page's own.
};

/// Returns "transparent", "#rgb" or "#rrggbb" as CSS has them; empty for anything else. The `#` may
/// be missing.
[[nodiscard]] std::string read_background(std::string_view text);

/// Values that are unknown are ignored.
[[nodiscard]] Embedding read_embedding(const Parameters& parameters);

/// Returns the parameters that ask for it, for URLs of other pages.
[[nodiscard]] Parameters parameters_of(const Embedding& embedding);

}  // namespace analytics::share
