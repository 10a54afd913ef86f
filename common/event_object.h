#pragma once

#include "common/event_payload.h"
#include "common/json.h"

namespace analytics {

/// Reads an event from the members of a body: one that is parsed already, or was never a text.
/// Errors: kInvalidEvent and kInvalidTimestamp, as of a text.
[[nodiscard]] Result<EventPayload> parse_event_payload(const json::Object& body,
                                                       const PayloadRights& rights);

}  // namespace analytics
