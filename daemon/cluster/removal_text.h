#pragma once

#include <optional>
#include <string>

#include "daemon/store/registry_change.h"

namespace analytics::cluster {

/// Encodes a removal of events as JSON for the registry. Returns an empty text for nullopt.
[[nodiscard]] std::string to_text(const std::optional<store::SharedRemoval>& removal);
/// Decodes a text from to_text(). Errors: kInvalidParameter if the text is invalid or has a
/// condition that only newer versions of analyticsd know. Ignoring the condition would remove other
/// events.
[[nodiscard]] Result<std::optional<store::SharedRemoval>> parse_removal(const std::string& text);

}  // namespace analytics::cluster
