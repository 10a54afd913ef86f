#pragma once

#include "daemon/store/sqlite/reading/event_reader.h"
#include "tests/daemon/store/query_maker.h"

/// Helpers that compare the events of a store as rows and as sealed columns.
namespace analytics::test {

using Lines = std::vector<std::string>;

/// Lines of exported events, grouped by visitor or by visit, without the ids of both.
using LineGroups = std::multiset<std::multiset<std::string>>;
struct Exported {
  LineGroups by_visitor;
  LineGroups by_visit;
  bool operator==(const Exported&) const = default;
};

inline std::string line_of(const store::RecordedEvent& event) {
  auto line = std::to_string(event.time.time_since_epoch().count()) + " " + event.name + " " +
              event.hostname + event.path + " " + event.referrer + " " + event.source + " " +
              std::string(channel_name(event.channel)) + " " + event.props + " " +
              (event.interactive ? "i" : "-") + (event.visit ? "v" : "-");
  for (const auto& tag : event.utm) line += " " + tag;
  for (const auto& part : kClientParts) line += " " + (*event.client).*part.text;
  for (const auto& part : kPlaceParts) line += " " + (*event.place).*part.text;
  line += " " + std::string(screen_name(event.screen)) + " " + language_code(event.language);
  line += " " + std::to_string(event.engagement.millis.value_or(-1)) + " " +
          std::to_string(event.engagement.scroll_depth.value_or(-1));
  if (event.revenue) line += " " + std::to_string(event.revenue->micros) + event.revenue->currency;
  return line;
}

inline std::vector<store::RecordedEvent> events_left(sqlite::SqliteEventReader& reader,
                                                     store::EventReading& reading) {
  std::vector<store::RecordedEvent> events;
  for (bool last = false; !last;) {
    auto page = reader.read(reading).value();
    std::move(page.events.begin(), page.events.end(), std::back_inserter(events));
    last = page.last;
  }
  return events;
}

inline std::vector<store::RecordedEvent> exported_events(Store& store) {
  sqlite::SqliteEventReader reader(store.file(), store.events().pins());
  EventSelection selection;
  selection.site = store.site;
  const auto reading = reader.begin(selection).value();
  return events_left(reader, *reading);
}

inline Exported in_groups(const std::vector<store::RecordedEvent>& events) {
  std::map<std::uint64_t, std::multiset<std::string>> visitors;
  std::map<std::uint64_t, std::multiset<std::string>> visits;
  for (const auto& event : events) {
    visitors[event.visitor].insert(line_of(event));
    if (event.visit) visits[*event.visit].insert(line_of(event));
  }
  Exported exported;
  for (auto& [number, lines] : visitors) exported.by_visitor.insert(std::move(lines));
  for (auto& [number, lines] : visits) exported.by_visit.insert(std::move(lines));
  return exported;
}

inline Exported exported_from(Store& store) { return in_groups(exported_events(store)); }

inline Lines sealed_parts(Store& store) {
  return store.rows("SELECT events FROM parts WHERE state = 3 ORDER BY id");
}

/// Runs the work on columns until nothing is due on that day.
inline void seal_until(Store& store, Days today) {
  constexpr int kAll = 3;  // a slice looks at fifty sites
  auto now = UnixSeconds(today);
  for (int idle = 0; idle < kAll; now += std::chrono::seconds(1)) {
    const auto more = store.events().parts_slice(now);
    INFO((more ? std::string() : more.error().reason()));
    REQUIRE(more.has_value());
    const bool works = *more || store.events().wait_for_parts();
    idle = works ? 0 : idle + 1;
  }
}

inline Lines rows_left(Store& store) { return store.rows("SELECT count(*) FROM events"); }

}  // namespace analytics::test
