#pragma once

#include <string>
#include <utility>
#include <vector>

#include "daemon/share/page.h"

/// Pieces of which pages are made.
namespace analytics::share {

/// Writes a position, with one digit behind the point at most: a page of bars stays small.
[[nodiscard]] std::string number(double value);
[[nodiscard]] web::Html link(const Link& link, const char* kind = "");

using Fields = std::vector<std::pair<std::string, std::string>>;
/// Fields that a form sends and nobody types.
[[nodiscard]] web::Html hidden(const Fields& fields);

/// The chart with its choices and its table; nothing without bars.
[[nodiscard]] web::Html chart_of(const Page& page);

}  // namespace analytics::share
