#include <stdexcept>

#include "daemon/query/events/event_batch.h"

namespace analytics::query {

std::vector<PartId> EventSource::parts(const TimeRange&) { return {}; }

std::unique_ptr<EventPart> EventSource::open_part(PartId) {
  throw std::logic_error("this source has no parts");
}

std::unique_ptr<RawSource> EventSource::scan_raw(const TimeRange&) {
  throw std::logic_error("this source has no raw events");
}

bool EventSource::sum(const Aggregation&, const TakeGroup&) { return false; }

namespace {

class NoBatches final : public BatchSource {
 public:
  bool next(EventBatch&) override { return false; }
};

}  // namespace

std::unique_ptr<BatchSource> EventSource::scan_engagements(const TimeRange&, const ColumnSet&) {
  return std::make_unique<NoBatches>();
}

}  // namespace analytics::query
