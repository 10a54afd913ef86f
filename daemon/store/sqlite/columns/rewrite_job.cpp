#include "daemon/store/sqlite/columns/rewrite_job.h"

#include "daemon/parts/cold_columns.h"
#include "daemon/parts/raw_visits.h"
#include "daemon/store/sqlite/columns/whole_part.h"
#include "daemon/store/sqlite/reading/event_matcher.h"

namespace analytics::sqlite {

void RewriteJob::run(Connection& connection, PartSink& sink) {
  auto events = read(connection);
  if (removal_ != 0) {
    const auto all = std::ssize(events);
    const auto budget = sink.budget();
    DictionaryReader texts(connection, site_, budget);
    EventMatcher(texts, without_, read_hash_key(connection))
        .filter(events, EventMatcher::Keep::kOthers);
    removed_ = all - std::ssize(events);
    if (is_unchanged()) return;
    parts::split_visits(events);
  }
  if (!events.empty()) sink.put(make_whole_part(std::move(events)));
}

/// Returns the events of all parts in parts_. Changes the ids of visitors and visits so that events
/// of different parts never have the same id.
std::vector<query::RawEvent> RewriteJob::read(Connection& connection) const {
  const Snapshot snapshot(connection);
  std::vector<query::RawEvent> all;
  for (const auto part : parts_) {
    const auto fetch = [&](std::uint32_t column) { return read_column(connection, part, column); };
    auto events = parts::read_raw_events(parts::PartHead::read(fetch(parts::kHeadId)), fetch);
    // Each part numbers its events, visitors and visits from 1.
    const auto before = static_cast<std::int64_t>(all.size());
    for (auto& event : events) {
      event.visitor += static_cast<std::uint64_t>(before);
      if (event.visit != 0) event.visit += before;
      event.order.second += before;
    }
    all.insert(all.end(), events.begin(), events.end());
  }
  return all;
}

}  // namespace analytics::sqlite
