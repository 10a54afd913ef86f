#pragma once

#include "daemon/share/page.h"

/// Renders a shared page's filters and the list of its keyboard shortcuts.
namespace analytics::share {

/// Returns the list of active filters and a form that adds another.
[[nodiscard]] Html filters_of(const Page& page);

/// Returns the list of keyboard shortcuts, a dialog that only the script opens.
[[nodiscard]] Html list_of_keys();

}  // namespace analytics::share
