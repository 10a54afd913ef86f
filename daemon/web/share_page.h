#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/result.h"

namespace analytics::web {

struct SharePanel {
  std::string title;
  std::string named;    ///< What its rows are.
  std::string counted;  ///< What the numbers of its rows are.
  std::vector<std::pair<std::string, std::int64_t>> rows;
};

struct SharePage {
  std::string domain;
  std::string period;
  std::vector<std::pair<std::string, std::int64_t>> totals;
  std::vector<SharePanel> panels;
};

/// The page behind a shared link: HTML without any script, every text escaped. Pure.
[[nodiscard]] std::string render_share_page(const SharePage& page);
[[nodiscard]] std::string render_not_found();
[[nodiscard]] std::string_view share_stylesheet();

}  // namespace analytics::web
