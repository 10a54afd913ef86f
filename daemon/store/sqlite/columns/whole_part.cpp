#include "daemon/store/sqlite/columns/whole_part.h"

#include "daemon/parts/cold_columns.h"
#include "daemon/parts/fingerprint.h"
#include "daemon/store/sqlite/columns/part_worker.h"

namespace analytics::sqlite {

parts::PartBytes make_whole_part(std::vector<query::RawEvent> events) {
  parts::RawFingerprint wanted;
  for (const auto& event : events) wanted.add(event);
  parts::PartBuilder builder;
  builder.add(std::move(events));
  auto part = builder.finish({});
  const auto fetch = [&part](std::uint32_t column) { return part.columns.at(column); };
  parts::RawFingerprint made;
  for (const auto& event : parts::read_raw_events(part.head, fetch)) made.add(event);
  if (!(made == wanted)) throw JobRefused("a part would lack something of its events");
  return part;
}

}  // namespace analytics::sqlite
