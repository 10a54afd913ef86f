#include "daemon/cluster/reading/raw_events.h"

#include "common/event/event_payload.h"
#include "daemon/cluster/reading/conditions.h"
#include "daemon/cluster/reading/stored_columns.h"

namespace analytics::cluster {
namespace {

using query::Column;
using Type = NativeReader::Type;

constexpr std::size_t kNamedEntry = 32;  // approximate size of an element of named_ in bytes

std::vector<AskedColumn> asked_columns_of_events() {
  auto asked = event_numbers();
  for (std::size_t i = 0; i < query::kFirstOfVisit; ++i) {
    asked.push_back({query::kOwnColumns[i].name, Type::kString});
  }
  for (const auto& each : arrival_columns()) {
    asked.insert(asked.end(), each.asked.begin(), each.asked.end());
  }
  return asked;
}

/// Returns the site's visits that an import named.
std::unordered_set<VisitKey> named_visits(const ReadAccess& access, const EventsOf& events,
                                          NodeKeys& keys, query::Charges& charges) {
  std::unordered_set<VisitKey> named;
  AnswerRows rows(access, {{"node", Type::kUInt32}, {"visit", Type::kUInt64}},
                  "FROM visits WHERE site = " + std::to_string(events.site) + " AND " +
                      events.marks.of_nodes() + " AND named = 1");
  while (rows.next()) {
    const auto& block = rows.block();
    charges.add(block.rows() * kNamedEntry);
    for (std::size_t row = 0; row < block.rows(); ++row) {
      named.insert(keys.key(static_cast<NodeNumber>(block.number(0, row)),
                            static_cast<std::uint64_t>(block.number(1, row))));
    }
  }
  return named;
}

std::optional<std::int32_t> reported(std::int64_t value) {
  return value < 0 ? std::nullopt : std::optional(static_cast<std::int32_t>(value));
}

}  // namespace

RawClusterEvents::RawClusterEvents(const ReadAccess& access, const EventsOf& events,
                                   const TimeRange& range, EventTexts& texts, NodeKeys& keys,
                                   const VisitMoves& moves)
    : texts_(texts),
      keys_(keys),
      moves_(moves),
      charges_(access.budget),
      named_(named_visits(access, events, keys, charges_)),
      rows_(access, asked_columns_of_events(),
            "FROM events WHERE " + events_of(events.site, range, events.marks)) {}

bool RawClusterEvents::next(query::RawEvents& raw) {
  raw.events.clear();
  raw.has_whole_visits = false;
  if (!rows_.next()) return false;
  const auto& block = rows_.block();
  moves_.find(block, of_block_);
  for (std::size_t row = 0; row < block.rows(); ++row) raw.events.push_back(read(row));
  return true;
}

query::RawEvent RawClusterEvents::read(std::size_t row) {
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  const auto& block = rows_.block();
  const auto number = [&](EventNumber column) { return block.number(column, row); };
  query::RawEvent event;
  const auto id = keys_.key(static_cast<NodeNumber>(number(kOfNode)),
                            static_cast<std::uint64_t>(number(kOfEvent)));
  event.order = {UnixMillis(seconds(number(kOfTime)) + milliseconds(number(kOfMillis))),
                 static_cast<EventId>(id)};
  event.visitor = static_cast<std::uint64_t>(number(kOfVisitor));
  event.visit = static_cast<VisitId>(of_block_[row]);
  event.is_named = named_.contains(of_block_[row]);
  event.is_passive = number(kOfPassive) != 0;
  event.micros = number(kOfMicros);
  event.engagement = {reported(number(kOfEngaged)), reported(number(kOfScroll))};
  const auto name = block.text(kFirstText, row);
  event.role = name == kPageview     ? VisitRole::kPage
               : name == kEngagement ? VisitRole::kStay
               : event.is_passive    ? VisitRole::kPassive
                                     : VisitRole::kInteractive;
  std::size_t at = kFirstText;
  for (std::size_t i = 0; i < query::kFirstOfVisit; ++i) {
    const auto column = query::kOwnColumns[i].column;
    event.set(column, stored_number(block, row, column, at, texts_));
  }
  for (const auto& each : arrival_columns()) {
    event.set(each.column, stored_number(block, row, each.column, at, texts_));
  }
  return event;
}

}  // namespace analytics::cluster
