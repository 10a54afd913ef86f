#pragma once

#include <map>
#include <set>

#include "daemon/cluster/leftovers/leftovers.h"
#include "tests/cluster/shipped_store.h"

/// Recounts the stored events of a node, and the events that must be left after a removal.
namespace analytics::test {

inline constexpr char kCluster[] = "one";
inline constexpr std::size_t kSourceText = 6;

inline std::string number(std::int64_t value) { return std::to_string(value); }
inline std::int64_t count_of(UnixMillis time) { return time.time_since_epoch().count(); }

/// A stored event with the fields that determine its visit.
struct Known {
  std::int64_t time = 0;
  VisitId visit = 0;
  std::uint64_t visitor = 0;
  bool is_passive = false;
  std::string name, hostname, path, props, source;
};
using Events = std::map<EventId, Known>;

inline Events events_of(const Store& store) {
  sqlite::JournalReader reader(store.file());
  std::map<VisitId, VisitId> winners;
  const auto merges = reader.merges();
  REQUIRE(merges);
  for (const auto& merge : *merges) winners[merge.visit] = merge.winner;
  Events events;
  REQUIRE(reader.each_event(0, INT64_MAX, {SIZE_MAX, SIZE_MAX}, [&](const auto& event) {
    const auto merged = winners.find(event.visit);
    const auto text = [&](std::size_t place) { return std::string(event.texts[place]); };
    events[event.id] = {count_of(event.time),
                        merged == winners.end() ? event.visit : merged->second,
                        event.visitor,
                        event.is_passive,
                        text(0),
                        text(1),
                        text(2),
                        text(3),
                        text(kSourceText)};
  }));
  return events;
}

/// Returns the visits that the events form, one line per visit in order of their ids.
inline std::string visits_made_by(const Events& events) {
  std::map<VisitId, std::vector<std::pair<std::pair<std::int64_t, EventId>, const Known*>>> visits;
  for (const auto& [id, event] : events) {
    if (event.visit != 0 && event.name != "engagement") {
      visits[event.visit].push_back({{event.time, id}, &event});
    }
  }
  std::string lines;
  for (auto& [id, of_visit] : visits) {
    std::sort(of_visit.begin(), of_visit.end());
    std::vector<const Known*> pages;
    bool is_interactive = false;
    for (const auto& [order, event] : of_visit) {
      const bool is_page = event->name == "pageview";
      if (is_page) pages.push_back(event);
      is_interactive = is_interactive || (!is_page && !event->is_passive);
    }
    const auto page = [&](const Known* event) { return event->hostname + event->path; };
    const auto* first = of_visit.front().second;
    const auto* last = of_visit.back().second;
    lines += number(id) + ' ' + number(first->time) + ' ' + number(last->time) + ' ' +
             number(static_cast<std::int64_t>(pages.size())) + ' ' +
             number(static_cast<std::int64_t>(of_visit.size())) + ' ' +
             (is_interactive ? '1' : '0') + ' ' + (pages.empty() ? "" : page(pages.front())) + ' ' +
             (pages.empty() ? "" : page(pages.back())) + ' ' + first->source + ".\n";
  }
  return lines;
}

inline std::string ids_of(const Events& events) {
  std::string ids;
  for (const auto& [id, event] : events) ids += number(id) + '\n';
  return ids;
}

inline EventSelection random_selection(std::mt19937& random, const Events& events) {
  EventSelection what;
  switch (random() % 5) {
    case 0:
      what.from = UnixSeconds(kDay) - std::chrono::hours(random() % 20);
      what.to = what.from + std::chrono::minutes(random() % 600);
      break;
    case 1: what.page = kPages[random() % kPages.size()]; break;
    case 2: what.source = kSources[random() % kSources.size()]; break;
    case 3:
      what.prop = EventSelection::Prop{"plan"};
      if (random() % 2 == 0) what.prop->value = "pro";
      break;
    default: {
      const auto at = random() % events.size();
      const auto& event = std::next(events.begin(), static_cast<std::ptrdiff_t>(at))->second;
      what.visitor_of = LastingId{UnixMillis(milliseconds(event.time)), 1};
      what.visitor = event.visitor;
    }
  }
  return what;
}

/// Returns the ids of the events that match the selection. A visit's source is that of its first
/// event.
inline std::set<EventId> selected(const EventSelection& what, const Events& events) {
  std::map<VisitId, std::pair<std::pair<std::int64_t, EventId>, std::string>> sources;
  for (const auto& [id, event] : events) {
    if (event.visit == 0 || event.name == "engagement") continue;
    const std::pair order{event.time, id};
    const auto [at, is_new] = sources.try_emplace(event.visit, order, event.source);
    if (order < at->second.first) at->second = {order, event.source};
  }
  std::set<EventId> found;
  for (const auto& [id, event] : events) {
    const auto time =
        std::chrono::floor<std::chrono::seconds>(UnixMillis(milliseconds(event.time)));
    const auto day_of = [](auto at) { return std::chrono::floor<std::chrono::days>(at); };
    const auto plan = event.props.find(R"("plan":")");
    const auto visit = sources.find(event.visit);
    const bool is_it =
        what.has_time(time) && (!what.page || event.path == *what.page) &&
        (!what.prop || (plan != event.props.npos &&
                        (!what.prop->value || event.props.find("pro", plan) == plan + 8))) &&
        (!what.visitor_of ||
         (event.visitor == what.visitor && day_of(time) == day_of(what.visitor_of->time))) &&
        (!what.source ||
         (visit == sources.end() ? event.source : visit->second.second) == *what.source);
    if (is_it) found.insert(id);
  }
  return found;
}

/// Runs cluster::Leftovers, which removes events that only ClickHouse has, for a node.
struct Looking {
  Looking(ShippedStore& of, const ClickHouseProcess& server)
      : node(of), reader(of.store.file()), config{.url = server.url()} {}

  Status look(UnixSeconds now, bool is_cut_short = false) {
    cluster::Leftovers leftovers(
        reader,
        [this](const auto& work) {
          auto journal = node.store.journal();
          return work(journal);
        },
        config, never, [&](auto) { return !is_cut_short; },
        {kCluster, cluster::node_number(reader.state()->id)});
    return leftovers.look(now);
  }
  [[nodiscard]] std::size_t waiting() { return reader.cluster_removals()->size(); }

  ShippedStore& node;
  sqlite::JournalReader reader;
  const cluster::ClickHouseConfig config;
  const std::atomic<bool> never{false};
};

}  // namespace analytics::test
