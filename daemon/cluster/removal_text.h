#pragma once

#include <optional>
#include <string>

#include "daemon/store/shared_registry.h"

namespace analytics::cluster {

/// Encodes a removal as JSON, as the registry has it; none is empty.
[[nodiscard]] std::string to_text(const std::optional<store::SharedRemoval>& removal);
/// Reads what to_text() has made. Errors: kInvalidParameter, also if a newer version selects events
/// in ways that are not known here: others must not leave in their place.
[[nodiscard]] Result<std::optional<store::SharedRemoval>> parse_removal(const std::string& text);

}  // namespace analytics::cluster
