#pragma once

#include <string>
#include <utility>
#include <vector>

#include "daemon/share/page.h"

/// HTML pieces that several parts of a page use.
namespace analytics::share {

/// Formats a coordinate with at most one decimal digit, so that a page with many bars stays small.
[[nodiscard]] std::string number(double value);
[[nodiscard]] Html link(const Link& link);

using Fields = std::vector<std::pair<std::string, std::string>>;
/// Returns these fields as hidden inputs of a form.
[[nodiscard]] Html hidden(const Fields& fields);

/// Returns the page's chart with its choices and its table of numbers; empty if it has no bars.
[[nodiscard]] Html chart_of(const Page& page);

}  // namespace analytics::share
