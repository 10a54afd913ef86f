#pragma once

#include "daemon/share/page.h"

/// The filters of a shared page, and the keys by which its script leads through it.
namespace analytics::share {

/// Those that there are, and a form for one more.
[[nodiscard]] web::Html filters_of(const Page& page);

/// A dialog that only the script opens.
[[nodiscard]] web::Html list_of_keys();

}  // namespace analytics::share
