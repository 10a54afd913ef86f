#pragma once

#include "common/event/event_payload.h"
#include "common/json/json.h"

namespace analytics {

/// Reads an event from a body that is already parsed, or that was built as an object. Errors:
/// kInvalidEvent and kInvalidTimestamp, as for a body in text form.
[[nodiscard]] Result<EventPayload> parse_event_payload(const json::Object& body,
                                                       const PayloadRights& rights);

}  // namespace analytics
