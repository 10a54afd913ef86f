#pragma once

#include "common/json/json.h"
#include "common/wire/event_payload.h"

namespace analytics {

/// Reads an event from the members of a body that is already parsed, or that never was a text.
/// Errors: kInvalidEvent and kInvalidTimestamp, as for a text.
[[nodiscard]] Result<EventPayload> parse_event_payload(const json::Object& body,
                                                       const PayloadRights& rights);

}  // namespace analytics
