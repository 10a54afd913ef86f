#pragma once

#include <optional>
#include <string>

#include "daemon/store/shared_registry.h"

namespace analytics::cluster {

/// Encodes a removal as JSON for the registry; nullopt as an empty text.
[[nodiscard]] std::string to_text(const std::optional<store::SharedRemoval>& removal);
/// Parses a text from to_text(). Errors: kInvalidParameter, also if a newer version selects events
/// by conditions that are unknown here, because ignoring them would remove other events.
[[nodiscard]] Result<std::optional<store::SharedRemoval>> parse_removal(const std::string& text);

}  // namespace analytics::cluster
