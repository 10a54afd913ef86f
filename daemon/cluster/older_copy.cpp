#include "daemon/cluster/older_copy.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "common/text/text.h"
#include "daemon/cluster/rows.h"
#include "daemon/cluster/sql.h"
#include "daemon/cluster/tables.h"

namespace analytics::cluster {
namespace {

constexpr sqlite::JournalReader::Bounds kAtOnce{50'000, SIZE_MAX};

constexpr auto kNameText = place_of_text("name");
constexpr auto kPathText = place_of_text("path");

std::string hex_of(std::string_view text) {
  return to_hex(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

/// Values that distinguish an event from other events with the same id.
struct Trace {
  SiteId site = 0;
  std::uint64_t visitor = 0;
  std::int64_t millis = 0;
  std::string name;  ///< Name of the event in hexadecimal digits, like `path`.
  std::string path;
  bool operator==(const Trace&) const = default;
};
using Traces = std::map<EventId, Trace>;

Result<Traces> ask_traces(ClickHouse& server, NodeNumber node, EventId after, EventId last) {
  const auto rows = TRY(
      server.ask_rows("SELECT id, site, toInt64(visitor), toUInt64(toUInt32(time)) * 1000 + millis,"
                      " lower(hex(name)), lower(hex(path)) FROM events WHERE site > 0 AND " +
                          of_node(node) + " AND id > " + std::to_string(after) +
                          " AND id <= " + std::to_string(last),
                      4, 2, Takes::kScan));
  Traces traces;
  for (const auto& [numbers, texts] : rows) {
    traces[numbers[0]] = {numbers[1], static_cast<std::uint64_t>(numbers[2]), numbers[3], texts[0],
                          texts[1]};
  }
  return traces;
}

}  // namespace

Status require_newest_copy(ClickHouse& server, BlockShipper& blocks,
                           const store::JournalState& state, std::uint64_t newest_change) {
  const auto newest = TRY(blocks.newest());
  if (newest >= state.next_block) {
    return fail(ErrorCode::kRangeOverlap,
                "ClickHouse has the block " + std::to_string(newest) +
                    " of this journal, which has sent none after " +
                    std::to_string(state.next_block - 1) +
                    ": the database is an older copy, see analytics-cluster(7).");
  }
  for (const auto* table : {"visits", "visit_moves"}) {
    const auto version = TRY(server.ask_number(std::string("SELECT max(version) FROM ") + table +
                                                   " WHERE " + of_node(node_number(state.id)),
                                               Takes::kScan));
    if (version > newest_change) {
      return fail(ErrorCode::kRangeOverlap,
                  "ClickHouse has newer visits of this journal than the"
                  " database: it is an older copy, see analytics-cluster(7).");
    }
  }
  return {};
}

Status repeat_removals(ClickHouse& server, sqlite::JournalReader& reader, EventId last) {
  const auto state = TRY(reader.state());
  auto after = state.changes;
  for (bool is_all = false; !is_all;) {
    auto changes = TRY(reader.changes(after));
    auto& removals = changes.removals;
    std::erase_if(removals, [&](const auto& removal) { return removal.first > last; });
    for (auto& removal : removals) removal.last = std::min(removal.last, last);
    TRY(begin_removals(server, node_number(state.id), removals));
    after = changes.last;
    is_all = changes.is_all;
  }
  return {};
}

Result<UnixSeconds> last_hour_of_drops(ClickHouse& server, NodeNumber node) {
  const auto hour =
      TRY(server.ask_number("SELECT max(toUInt32(hour)) FROM drops WHERE " + of_node(node)));
  return UnixSeconds(std::chrono::seconds(hour));
}

Result<EventId> last_common_event(ClickHouse& server, sqlite::JournalReader& reader) {
  const auto state = TRY(reader.state());
  const auto end = TRY(reader.end());
  auto common = state.shipped;
  for (auto after = common; after < end.event;) {
    Traces here;
    const auto last =
        TRY(reader.each_event(after, end.event, kAtOnce, [&](const store::JournalEvent& event) {
          here[event.id] = {event.site, event.visitor, event.time.time_since_epoch().count(),
                            hex_of(event.texts[kNameText]), hex_of(event.texts[kPathText])};
        }));
    const auto there = TRY(ask_traces(server, node_number(state.id), after, last));
    for (const auto& [id, trace] : there) {
      const auto found = here.find(id);
      if (found == here.end()) continue;  // the copy has removed the event
      if (found->second != trace) return common;
      common = id;
    }
    after = last;
  }
  return common;
}

}  // namespace analytics::cluster
