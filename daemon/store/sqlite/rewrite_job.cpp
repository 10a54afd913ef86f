#include "daemon/store/sqlite/rewrite_job.h"

#include "daemon/parts/cold_columns.h"
#include "daemon/parts/raw_visits.h"

namespace analytics::sqlite {

void RewriteJob::run(Connection& connection, PartSink& sink) {
  const auto fetch = [&](std::uint32_t column) {
    return read_column(connection, part_.id, column);
  };
  std::vector<parts::RawEvent> events;
  {
    const Snapshot snapshot(connection);
    events = parts::read_raw_events(parts::PartHead::read(fetch(parts::kHeadId)), fetch);
  }
  removed_ = static_cast<std::int64_t>(
      std::erase_if(events, [&](const auto& event) { return event.import == import_; }));
  parts::split_visits(events);
  if (events.empty()) return;
  parts::PartBuilder builder;
  builder.add(std::move(events));
  sink.put(builder.finish({}));
}

}  // namespace analytics::sqlite
