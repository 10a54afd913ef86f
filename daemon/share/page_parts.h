#pragma once

#include <string>
#include <utility>
#include <vector>

#include "daemon/share/page.h"

/// Renders pieces of HTML that several parts of a page use.
namespace analytics::share {

/// Formats a coordinate with at most one decimal digit, so that a page with many bars stays small.
[[nodiscard]] std::string number(double value);
/// Returns the `<a>` element of a link.
[[nodiscard]] Html link(const Link& link);

using Fields = std::vector<std::pair<std::string, std::string>>;
/// Returns hidden inputs of a form. `fields`: pairs of name and value.
[[nodiscard]] Html hidden(const Fields& fields);

/// Returns the chart of the page with the menus above it and the table of its numbers below it;
/// empty if the chart has no bars.
[[nodiscard]] Html chart_of(const Page& page);

}  // namespace analytics::share
