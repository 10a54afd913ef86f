#include <stdexcept>

#include "daemon/query/event_batch.h"

namespace analytics::query {

std::vector<PartId> EventSource::parts(const TimeRange&) { return {}; }

std::unique_ptr<EventPart> EventSource::open_part(PartId) {
  throw std::logic_error("this source has no parts");
}

}  // namespace analytics::query
