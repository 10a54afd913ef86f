// Queries to a cluster give the same result as recounting its nodes' stored events.
#include "tests/cluster/reading.h"
#include "common/text/url.h"
#include "daemon/cluster/reading/across_nodes.h"
#include "daemon/cluster/reading/event_reader.h"
#include "daemon/query/funnel.h"
#include "daemon/store/sqlite/reading/event_reader.h"
#include "tests/support/rounds.h"

namespace analytics::test::reading_test {

namespace {

constexpr int kEvents = 400;
constexpr int kQueries = 100;

constexpr Field kOfEvents[] = {Field::kName, Field::kPage, Field::kHostname};

/// Returns a random filter with nested conditions on whole texts of events.
Filter random_filter(std::mt19937& random, int depth) {
  Filter filter;
  const auto kind = depth == 0 ? random() % 3 : 9;
  if (kind < 3) {
    filter.kind = kind == 0   ? Filter::Kind::kAll
                  : kind == 1 ? Filter::Kind::kAny
                              : Filter::Kind::kNot;
    for (auto parts = kind == 2 ? 1U : random() % 3; parts > 0; --parts) {
      filter.parts.push_back(random_filter(random, 1));
    }
    return filter;
  }
  const std::vector<std::string> texts = {"/", "/blog", "pageview", "Signup", "", "it's \\"};
  filter.kind = Filter::Kind::kValue;
  filter.dimension.field = kOfEvents[random() % std::size(kOfEvents)];
  for (auto values = random() % 3; values > 0; --values) {
    filter.match.values.push_back(texts[random() % texts.size()]);
  }
  filter.negated = random() % 3 == 0;
  return filter;
}

/// Restricts a query to metrics of events, which ClickHouse can count alone.
void ask_for_events(Query& query, std::mt19937& random) {
  query.metrics = {Metric::kVisitors};
  if (random() % 2 == 0) query.metrics.push_back(Metric::kPageviews);
  if (random() % 2 == 0) query.metrics.push_back(Metric::kEvents);
  std::erase_if(query.dimensions, [](const auto& dimension) { return !is_time(dimension.field); });
  for (const auto field : kOfEvents) {
    if (random() % 4 == 0) query.dimensions.push_back({field, {}});
  }
  query.selection.filter = random_filter(random, 0);
}

std::string text_of(const store::RecordedEvent& event) {
  std::string text = std::to_string(event.time.time_since_epoch().count());
  const auto add = [&](std::string_view value) { text.append("|").append(value); };
  for (const auto* value :
       {&event.name, &event.hostname, &event.path, &event.referrer, &event.source, &event.props}) {
    add(*value);
  }
  add(channel_name(event.channel));
  for (const auto& tag : event.utm) add(tag);
  for (const auto& part : kClientParts) add((*event.client).*part.text);
  for (const auto& part : kPlaceParts) add((*event.place).*part.text);
  add(screen_name(event.screen));
  add(language_code(event.language));
  add(event.interactive ? "yes" : "no");
  add(std::to_string(event.engagement.millis.value_or(-1)));
  add(std::to_string(event.engagement.scroll_depth.value_or(-1)));
  if (event.revenue) add(event.revenue->currency + std::to_string(event.revenue->micros));
  return text;
}

/// Returns all selected events, sorted, with the visitors and visits that they share.
std::vector<std::string> given_out(store::EventReader& reader, const EventSelection& selection) {
  const auto reading = reader.begin(selection);
  REQUIRE(reading);
  std::vector<std::pair<std::string, store::RecordedEvent>> events;
  for (bool is_last = false; !is_last;) {
    auto page = reader.read(**reading);
    INFO((page ? std::string() : page.error().message));
    REQUIRE(page);
    for (auto& event : page->events) {
      auto text = text_of(event);
      events.emplace_back(std::move(text), std::move(event));
    }
    is_last = page->last;
  }
  std::sort(events.begin(), events.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::map<std::uint64_t, std::size_t> visitors;
  std::map<std::uint64_t, std::size_t> visits;
  std::vector<std::string> texts;
  for (const auto& [text, event] : events) {
    const auto visitor = visitors.try_emplace(event.visitor, visitors.size()).first->second;
    const auto visit =
        event.visit ? visits.try_emplace(*event.visit, visits.size()).first->second + 1 : 0;
    texts.push_back(text + "|" + std::to_string(visitor) + "|" + std::to_string(visit));
  }
  return texts;
}

}  // namespace

TEST_CASE("reading: random queries equal a recount of all nodes", "[cluster]") {
  const auto seed = GENERATE(from_range(seeds(1, 10)));
  ClickHouseProcess server;
  Maker maker(seed);
  std::mt19937 random(seed);
  std::array<std::unique_ptr<ShippedStore>, 2> nodes = {
      std::make_unique<ShippedStore>(server, "a"), std::make_unique<ShippedStore>(server, "b")};
  std::vector<CountedEvent> all;
  for (auto planned : random_events(random, kEvents)) {
    planned.visitor = static_cast<int>(random() % 30);
    all.push_back(maker.counted(planned));
    // Visitors are distributed as by a balancer.
    auto& node = *nodes[static_cast<std::size_t>(planned.visitor % 2)];
    node.store.append(event_of(node.store, all.back()));
    if (all.size() % 100 == 0) node.ship(kNow);  // visits merge after that
  }
  for (const auto& node : nodes) node->ship(kNow);
  const Recount recount(all);
  Reading cluster(server);
  std::size_t rows = 0;
  for (int i = 0; i < kQueries; ++i) {
    CAPTURE(seed, i);
    auto query = maker.query();
    if (i % 2 == 0) ask_for_events(query, random);
    query.selection.site = nodes[0]->store.site;
    const auto answered = answered_by(query, cluster.stats);
    REQUIRE(answered == recount.rows(query));
    rows += answered.size();
  }
  CHECK(rows > 100);
}

TEST_CASE("reading: engagements and funnels equal those of the node", "[cluster]") {
  ClickHouseProcess server;
  ShippedStore node(server, "a");
  auto& store = node.store;
  std::mt19937 random(7);
  Maker maker(7);
  for (auto planned : random_events(random, kEvents)) {
    planned.visitor = static_cast<int>(random() % 10);
    if (random() % 3 == 0) {
      planned.name = "engagement";
      planned.engagement.millis = static_cast<std::int32_t>(random() % 60'000);
      if (random() % 2 == 0)
        planned.engagement.scroll_depth = static_cast<std::int32_t>(random() % 101);
    }
    store.append(planned);
  }
  node.ship(kNow);
  const Published<query::Limits> limits;
  query::Cores cores(1);
  sqlite::SqliteStatsStore own(store.file(), limits, cores);
  Reading cluster(server);
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    auto query = maker.query();
    query.selection.site = store.site;
    query.metrics = {Metric::kVisitors, Metric::kScrollDepth, Metric::kTimeOnPage, Metric::kVisits};
    REQUIRE(answered_by(query, cluster.stats) == answered_by(query, own));
    const FunnelQuery funnel{
        query.selection,
        i % 2 == 0 ? FunnelWithin::kVisit : FunnelWithin::kDay,
        {{1, 1, GoalType::kPage, "/1", ""}, {2, 1, GoalType::kPage, "/2", ""}}};
    const auto found = cluster.stats.funnel(funnel);
    REQUIRE(found);
    REQUIRE(found->visitors == own.funnel(funnel)->visitors);
  }
}

TEST_CASE("reading: exported events equal those of the node's own export", "[cluster]") {
  ClickHouseProcess server;
  ShippedStore node(server, "a");
  auto& store = node.store;
  std::mt19937 random(3);
  Maker maker(3);
  for (auto planned : random_events(random, kEvents)) {
    planned.visitor = static_cast<int>(random() % 10);
    store.append(event_of(store, maker.counted(planned)));
    if (random() % 100 == 0) node.ship(kNow);
  }
  for (int i = 0; i < 5'000; ++i) store.append(page(99, kNow + milliseconds(i), "/many"));
  node.ship(kNow);
  sqlite::ReadingPins pins;
  sqlite::SqliteEventReader own(store.file(), pins);
  const std::atomic<bool> never{false};
  cluster::ClickHouse client({.url = server.url()}, never);
  const Published<cluster::RegisteredNodes> nodes;
  cluster::ClusterEventReader cluster({.url = server.url()}, "", nodes,
                                      cluster::read_marks(client, "")->nodes.front().node);
  EventSelection all;
  all.site = store.site;
  auto day = all;
  day.from = kDay;
  day.to = kDay + std::chrono::hours(12);
  auto page = all;
  page.page = "/blog**";
  auto source = day;
  source.source = "Google";
  auto none = all;
  none.source = "";
  auto prop = all;
  prop.prop = EventSelection::Prop{"plan", "pro"};
  auto import = all;
  import.import = 77;
  for (const auto& selection : {all, day, page, source, none, prop, import}) {
    const auto expected = given_out(own, selection);
    REQUIRE(given_out(cluster, selection) == expected);
    const auto count = cluster.count(selection);
    REQUIRE(count);
    REQUIRE(*count == std::ssize(expected));
  }
  // One event identifies the visitor; the selection then has all of the visitor's events on that
  // day.
  const auto reading = *cluster.begin(day);
  const auto one = cluster.read(*reading)->events.front();
  auto visitor = all;
  visitor.visitor_of = one.id;
  const auto resolved = *cluster.resolve(visitor);
  CHECK(resolved.visitor == one.visitor);
  CHECK(given_out(cluster, resolved).size() == given_out(own, resolved).size());
  visitor.visitor_of->hash ^= 1;
  CHECK(given_out(cluster, *cluster.resolve(visitor)).empty());
}

TEST_CASE("reading: no event beyond its node's mark counts", "[cluster]") {
  ClickHouseProcess process;
  ShippedStore node(process, "a");
  for (int visitor = 1; visitor <= 3; ++visitor) node.store.append(page(visitor, kNow, "/"));
  node.ship(kNow);
  const std::atomic<bool> never{false};
  cluster::ClickHouse server({.url = process.url()}, never);
  auto mark = cluster::read_marks(server, "")->nodes.front();
  REQUIRE(mark.event == 3);
  --mark.event;
  ++mark.version;
  REQUIRE(cluster::store_mark(server, mark));
  Reading reading(process);
  Query query;
  query.selection.site = node.store.site;
  query.selection.range = {kDay, kDay + std::chrono::days(1)};
  query.metrics = {Metric::kVisitors};
  CHECK(answered_by(query, reading.stats) == std::vector<std::string>{": 2"});
  query.metrics.push_back(Metric::kVisits);
  CHECK(answered_by(query, reading.stats) == std::vector<std::string>{": 2 2"});
  const Published<cluster::RegisteredNodes> nodes;
  cluster::ClusterEventReader reader({.url = process.url()}, "", nodes, mark.node);
  EventSelection all;
  all.site = node.store.site;
  CHECK(reader.count(all).value() == 2);
  CHECK(given_out(reader, all).size() == 2);
}

TEST_CASE("reading: an export does not end as complete if the server loses events meanwhile",
          "[cluster]") {
  ClickHouseProcess process;
  ShippedStore node(process, "a");
  node.store.append(page(1, kNow, "/"));
  node.ship_twice(kNow);
  const std::atomic<bool> never{false};
  cluster::ClickHouse server({.url = process.url()}, never);
  auto mark = cluster::read_marks(server, "")->nodes.front();
  REQUIRE(mark.looked_since != UnixSeconds());
  const Published<cluster::RegisteredNodes> nodes;
  cluster::ClusterEventReader reader({.url = process.url()}, "", nodes, mark.node);
  EventSelection all;
  all.site = node.store.site;
  CHECK(given_out(reader, all).size() == 1);
  // An export continues if the node ships meanwhile and nothing was lost.
  const auto whole = *reader.begin(all);
  node.ship(kNow + std::chrono::seconds(20));
  CHECK(reader.read(*whole).has_value());
  mark = cluster::read_marks(server, "")->nodes.front();
  const auto reading = *reader.begin(all);
  ++mark.version;
  mark.looked_since = UnixSeconds();  // the node has found missing events
  REQUIRE(cluster::store_mark(server, mark));
  const auto cut = reader.read(*reading);
  REQUIRE(!cut);
  CHECK(cut.error().code == ErrorCode::kOverloaded);
  // The field `behind` warns readers that begin now.
  CHECK(given_out(reader, all).size() == 1);
}

TEST_CASE("reading: nodes of another cluster in the same database are not read", "[cluster]") {
  ClickHouseProcess server;
  ShippedStore ours(server, "a", "ours");
  ShippedStore theirs(server, "a", "theirs");
  REQUIRE(ours.store.site == theirs.store.site);
  ours.store.append(page(1, kNow, "/ours"));
  theirs.store.append(page(2, kNow, "/theirs"));
  theirs.store.append(page(3, kNow, "/theirs"));
  ours.ship(kNow);
  theirs.ship(kNow);
  Query query;
  query.selection.site = ours.store.site;
  query.selection.range = {kDay, kDay + std::chrono::days(1)};
  query.metrics = {Metric::kVisits};
  query.dimensions = {{Field::kPage, {}}};
  Reading reading(server, "ours");
  CHECK(answered_by(query, reading.stats) == std::vector<std::string>{"/ours: 1"});
  Reading other(server, "theirs");
  CHECK(answered_by(query, other.stats) == std::vector<std::string>{"/theirs: 2"});
  Reading nobody(server, "nobody");
  CHECK(answered_by(query, nobody.stats).empty());
  const Published<cluster::RegisteredNodes> nodes;
  cluster::ClusterEventReader reader({.url = server.url()}, "ours", nodes, 0);
  EventSelection all;
  all.site = ours.store.site;
  CHECK(reader.count(all).value() == 1);
  CHECK(given_out(reader, all).size() == 1);
}

TEST_CASE("reading: events and visits that count twice across nodes are counted", "[cluster]") {
  ClickHouseProcess server;
  ShippedStore a(server, "a", "ours");
  ShippedStore b(server, "b", "ours");
  ShippedStore other(server, "a", "theirs");
  const auto minutes = [](int count) { return kNow + std::chrono::minutes(count); };
  // Nodes with the same registry give a visitor the same number.
  const auto view = [&](ShippedStore& node, int visitor, UnixMillis time, std::uint8_t key = 0) {
    auto event = a.store.make(page(visitor, time, "/"));
    if (key != 0) event.idempotency = IdempotencyKey{Digest{key}, UnixSeconds::max()};
    node.store.append(event);
  };
  // Visitor 1 alternates between the nodes with pauses of up to 30 minutes: one visit, counted as
  // two. Later there are two more visits, one of them on the other node alone.
  view(a, 1, minutes(0));
  view(b, 1, minutes(30));
  view(a, 1, minutes(25));
  view(b, 1, minutes(60));
  view(a, 1, minutes(90));
  view(a, 1, minutes(200));
  view(b, 1, minutes(231));
  // Visitors that stay on one node, or belong to another cluster, count once.
  view(a, 2, minutes(0));
  view(b, 3, minutes(0));
  view(other, 2, minutes(0));
  view(a, 4, minutes(0), 1);
  view(a, 4, minutes(0), 2);
  view(b, 4, minutes(1), 1);
  view(b, 5, minutes(0), 3);
  view(other, 5, minutes(0), 3);
  for (auto* node : {&a, &b, &other}) node->ship(minutes(240));
  const std::atomic<bool> never{false};
  cluster::ClickHouse client({.url = server.url()}, never);
  query::Budget budget({}, never);
  const cluster::ClickHouseConfig config{.url = server.url()};
  const auto found = cluster::guarded_read([&] {
    const Published<cluster::RegisteredNodes> unknown;
    return cluster::count_across_nodes({config, {std::chrono::seconds(10)}, budget},
                                       cluster::marks_of(client, "ours", unknown));
  });
  INFO((found ? std::string() : found.error().reason()));
  REQUIRE(found);
  const auto& counts = *found;
  REQUIRE(counts.size() == 1);
  // Visitor 1 has two visits on node a (0 to 25, and 90) and one on node b (30 to 60). Visitor 4
  // has one on each.
  CHECK(counts.at(a.store.site).visits == 3);
  CHECK(counts.at(a.store.site).events == 1);
}

}  // namespace analytics::test::reading_test
