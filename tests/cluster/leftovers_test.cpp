// What is removed of a node that has left: as the node itself would have removed it.
#include "daemon/cluster/leftovers/leftovers.h"

#include <map>
#include <set>

#include "daemon/store/sqlite/cluster_removals.h"
#include "tests/cluster/shipped_store.h"
#include "tests/support/eventually.h"
#include "tests/support/rounds.h"

using namespace analytics;
using namespace analytics::test;

namespace {

constexpr char kCluster[] = "one";
constexpr std::size_t kSourceText = 6;

std::string number(std::int64_t value) { return std::to_string(value); }
std::int64_t count_of(UnixMillis time) { return time.time_since_epoch().count(); }

/// An event with all that a visit may have of it.
struct Known {
  std::int64_t time = 0;
  VisitId visit = 0;
  std::uint64_t visitor = 0;
  bool is_passive = false;
  std::string name, hostname, path, props, source;
};
using Events = std::map<EventId, Known>;

Events events_of(const Store& store) {
  sqlite::SqliteJournalReader reader(store.file());
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

/// A line a visit that events make, in order: events of one visit stay together.
std::string visits_made_by(const Events& events) {
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

std::string ids_of(const Events& events) {
  std::string ids;
  for (const auto& [id, event] : events) ids += number(id) + '\n';
  return ids;
}

EventSelection random_selection(std::mt19937& random, const Events& events) {
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

/// What of these is selected. The first event of a visit says where it came from.
std::set<EventId> selected(const EventSelection& what, const Events& events) {
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

/// Looks after leftovers as the node of a store.
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
        config, never, [&](auto) { return !is_cut_short; }, {kCluster, 1});
    return leftovers.look(now);
  }
  [[nodiscard]] std::size_t waiting() { return reader.cluster_removals()->size(); }

  ShippedStore& node;
  sqlite::SqliteJournalReader reader;
  const cluster::ClickHouseConfig config;
  const std::atomic<bool> never{false};
};

}  // namespace

TEST_CASE("leftovers: what is removed leaves a node that was lost, and its visits are right",
          "[cluster]") {
  const auto seed = GENERATE(range(1u, 1u + static_cast<unsigned>(rounds(2, 20))));
  CAPTURE(seed);
  std::mt19937 random(seed);
  Maker maker(seed);
  ClickHouseProcess server;
  ShippedStore lost(server, "lost", kCluster);
  ShippedStore other(server, "other", kCluster);
  for (int i = 0; i < 400; ++i) {
    auto planned = random_events(random, 1).front();
    planned.visitor = static_cast<int>(random() % 30);
    planned.time += milliseconds(i);
    if (random() % 8 == 0) {
      planned.name = "engagement";
      (void)lost.store.append(planned);
    } else {
      lost.store.append(event_of(lost.store, maker.counted(planned)));
    }
    if (i % 100 == 0) lost.ship(kNow);  // visits merge afterwards
  }
  lost.ship(kNow);
  other.ship(kNow);
  const std::atomic<bool> never{false};
  cluster::ClickHouse client({.url = server.url()}, never);
  REQUIRE(cluster::leave_marks(client, kCluster, "lost"));
  const auto is_lost = " node IN (SELECT node FROM marks WHERE name = 'lost')";
  const auto visits = [&] {
    auto lines = server.ask(
        std::string(
            "SELECT arrayStringConcat([toString(visit), toString(started),"
            " toString(ended), toString(pageviews), toString(events),"
            " toString(interactive), concat(entry_hostname, entry_page),"
            " concat(exit_hostname, exit_page), concat(source, '.')], ' ') FROM visits FINAL"
            " WHERE gone = 0 AND") +
        is_lost + " ORDER BY visit");
    return lines + '\n';
  };
  const auto ids = [&] {
    return server.ask(std::string("SELECT id FROM events WHERE site > 0 AND") + is_lost +
                      " ORDER BY id") +
           '\n';
  };
  auto left = events_of(lost.store);
  REQUIRE(ids() == ids_of(left));
  REQUIRE(visits() == visits_made_by(left));

  Looking looking(other, server);
  std::size_t removals = 0;
  for (int i = 0; i < 6 && !left.empty(); ++i) {
    auto what = random_selection(random, left);
    what.site = lost.store.site;
    CAPTURE(i);
    other.store.note_removal({what, kNow});
    ++removals;
    // Whoever ends in between goes on afterwards.
    if (i % 2 == 0) (void)looking.look(kNow, true);
    const auto done = looking.look(kNow);
    INFO((done ? std::string() : done.error().reason()));
    REQUIRE(done);
    for (const auto id : selected(what, left)) left.erase(id);
    REQUIRE(ids() == ids_of(left));
    REQUIRE(visits() == visits_made_by(left));
  }
  // They wait for the other node, which may not have carried them out, and are done with it.
  CHECK(looking.waiting() == removals);
  other.ship(kNow + std::chrono::hours(1));
  REQUIRE(looking.look(kNow));
  CHECK(looking.waiting() == 0);
}

TEST_CASE("leftovers: what expires leaves a node that was lost", "[cluster]") {
  using std::chrono::days;
  using std::chrono::hours;
  using std::chrono::minutes;
  constexpr char kCluster[] = "one";
  ClickHouseProcess server;
  ShippedStore lost(server, "lost", kCluster);
  ShippedStore other(server, "other", kCluster);
  const UnixSeconds edge = kDay + days(1);
  for (auto* node : {&lost, &other}) {
    node->store.append(page(1, kDay + hours(1), "/"));
    node->store.append(page(1, kDay + hours(1) + minutes(2), "/"));
    node->store.append(page(2, edge - minutes(10), "/"));
    node->store.append(page(2, edge + minutes(10), "/"));
    node->store.append(page(3, edge + hours(9), "/"));
    const auto forever = node->store.make_site("b.example");
    auto event = node->store.make(page(4, kDay + hours(1), "/"));
    event.site = forever;
    node->store.append(event);
    store::SiteUpdate update;
    update.keep = Retention{Retention::Unit::kDays, 10};
    REQUIRE(node->store.registry().sites().update_site(node->store.site, update, kNow, hours(1)));
    node->ship(kNow);
  }
  const auto rows = [&](const std::string& name, const std::string& table) {
    return server.ask(
        "SELECT arrayStringConcat(groupArray(concat(toString(site), ':',"
        " toString(n))), ' ') FROM (SELECT site, count() AS n FROM " +
        table +
        " WHERE site > 0 AND gone = 0 AND node IN (SELECT node FROM marks"
        " WHERE name = '" +
        name + "') GROUP BY site ORDER BY site)");
  };
  const auto stored = [&](const std::string& name) {
    return rows(name, "(SELECT *, 0 AS gone FROM events)") + " / " + rows(name, "visits FINAL");
  };
  CHECK(stored("lost") == "1:5 2:1 / 1:3 2:1");

  // Once the second of these days is the first that is kept. The node is only away.
  const auto later = edge + days(10) + hours(1);
  Looking looking(other, server);
  REQUIRE(looking.look(later));
  CHECK(stored("lost") == "1:5 2:1 / 1:3 2:1");
  // A version of the first visit that stays would say that it ended later.
  (void)server.ask(
      "INSERT INTO visits (site, born, node, visit, version, ended)"
      " SELECT site, born, node, visit, version - 1, ended + 864000000 FROM visits"
      " WHERE site = 1 AND node IN (SELECT node FROM marks WHERE name = 'lost')"
      " ORDER BY started LIMIT 1");
  const std::atomic<bool> never{false};
  cluster::ClickHouse client({.url = server.url()}, never);
  REQUIRE(cluster::leave_marks(client, kCluster, "lost"));
  REQUIRE(looking.look(edge + days(9) + hours(23)));  // not yet
  CHECK(stored("lost") == "1:5 2:1 / 1:3 2:1");
  CHECK(eventually([&] {
    REQUIRE(looking.look(later));
    return stored("lost") == "1:2 2:1 / 1:2 2:1";
  }));
  // Each node that is there takes care of its own events.
  CHECK(stored("other") == "1:5 2:1 / 1:3 2:1");
  // The visit over the edge is whole until it ended before it.
  const auto pages = [&] {
    return server.ask(
        "SELECT sum(pageviews) FROM visits FINAL WHERE site = 1 AND gone = 0"
        " AND node IN (SELECT node FROM marks WHERE name = 'lost')");
  };
  CHECK(pages() == "3");
  CHECK(eventually([&] {
    REQUIRE(looking.look(later + days(1)));
    return stored("lost") == "2:1 / 2:1";
  }));
}
