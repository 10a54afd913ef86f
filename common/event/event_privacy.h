#pragma once

#include <cstddef>

#include "common/event/event_payload.h"

namespace analytics {

/// Redacts the e-mail addresses, IP addresses and User-Agents in the texts of an event that would
/// be stored (common/text/personal_data.h). A User-Agent in the field for the browser, system or
/// device is moved to the field for User-Agents if that field is empty, because its value is used
/// but not stored. Returns the number of values redacted or left out.
[[nodiscard]] std::size_t withhold_personal_data(EventPayload& payload);

/// Returns false if withhold_personal_data() certainly changes nothing. A cheap check.
[[nodiscard]] bool may_be_personal(const EventPayload& payload);

}  // namespace analytics
