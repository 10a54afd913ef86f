// A node's journal forgets old days: it deletes their events once ClickHouse has had them for a
// week. Answers, repairs and removals work as before.
#include "daemon/cluster/check.h"
#include "daemon/cluster/leftovers/witness.h"
#include "daemon/cluster/repair.h"
#include "tests/cluster/known_events.h"
#include "tests/support/eventually.h"
#include "tests/support/rounds.h"

namespace analytics::test::forgetting_test {

using std::chrono::days;
using std::chrono::hours;

namespace {

constexpr days kWeek{7};
constexpr UnixSeconds kLater = kNow + kWeek + hours(1);
/// The current time, as the node's store sees it when it looks for days that are over.
constexpr UnixSeconds kPartsNow = kDay + days(40);

/// A node that has shipped events of many days, and whose journal forgets the older days.
struct ForgettingNode {
  enum class Arrival { kInAnyOrder, kInOrder };
  explicit ForgettingNode(unsigned seed, Arrival arrival = Arrival::kInAnyOrder) : random(seed) {
    Maker maker(seed);
    auto plan = random_events(random, 600);
    for (auto& planned : plan) {
      planned.visitor = static_cast<int>(random() % 60);
      planned.time -= days(random() % 10);
    }
    if (arrival == Arrival::kInOrder) {
      std::sort(plan.begin(), plan.end(),
                [](const auto& a, const auto& b) { return a.time < b.time; });
    }
    for (const auto& planned : plan) {
      node.store.append(event_of(node.store, maker.counted(planned)));
    }
    node.ship(kNow);
    known = events_of(node.store);
  }

  /// Makes the journal forget the days before `before` that the cluster has had for a week.
  void forget(Days before) {
    keep_from(before);
    finish();
  }
  void keep_from(Days before) {
    node.store.limit_parts({.part_events = 100'000,
                            .sealed_events = 1,
                            .journal_keep = kPartsNow - before,
                            .between_truncations = std::chrono::seconds(0)});
    sqlite::JournalReader reader(node.store.file());
    auto journal = node.store.journal();
    journal.set_witness([this, own = cluster::node_number(reader.state()->id)](
                            const store::LeavingRows& rows, query::Budget& budget) {
      return cluster::require_stored({.url = server.url()}, own, rows, budget);
    });
  }
  /// Runs background work until nothing is due.
  void finish() {
    const auto is_leaving = [&] {
      return node.store.rows("SELECT count(*) FROM sealing") != std::vector<std::string>{"0"};
    };
    auto& events = node.store.events();
    parts_now += std::chrono::seconds(1);  // the work is due even if the server was slow
    while (*events.removal_slice() || *events.parts_slice(parts_now) || events.wait_for_parts() ||
           is_leaving()) {
    }
  }
  [[nodiscard]] std::size_t rows() const { return events_of(node.store).size(); }
  [[nodiscard]] std::string ids_there() {
    return server.ask("SELECT id FROM events WHERE site > 0 ORDER BY id") + '\n';
  }
  [[nodiscard]] std::string visits_there() {
    return server.ask(
               "SELECT arrayStringConcat([toString(visit), toString(started), toString(ended),"
               " toString(pageviews), toString(events), toString(interactive),"
               " concat(entry_hostname, entry_page), concat(exit_hostname, exit_page),"
               " concat(source, '.')], ' ') FROM visits FINAL WHERE gone = 0 ORDER BY visit") +
           '\n';
  }
  [[nodiscard]] std::vector<std::string> differences() {
    sqlite::JournalReader reader(node.store.file());
    const auto found = cluster::compare(reader, client, kLater);
    REQUIRE(found);
    return found->differences;
  }
  void remove(EventSelection what) {
    what.site = node.store.site;
    (void)node.store.remove(what);
    node.store.note_removal({what, kLater});
    for (const auto id : selected(what, known)) known.erase(id);
  }

  std::mt19937 random;
  UnixSeconds parts_now = kPartsNow;
  ClickHouseProcess server;
  ShippedStore node{server, "a", kCluster};
  const std::atomic<bool> never{false};
  cluster::ClickHouse client{{.url = server.url()}, never};
  Events known;
};

}  // namespace

TEST_CASE("forgetting: days leave the journal once the cluster has had them for a week",
          "[cluster]") {
  ForgettingNode it(1);
  const auto ids = ids_of(it.known);
  const auto visits = visits_made_by(it.known);
  REQUIRE(it.ids_there() == ids);
  const auto first = it.node.store.rows("SELECT first_event_at FROM sites");
  it.forget(kDay - days(3));
  CHECK(it.rows() == it.known.size());  // the salts exist, so visitors could return
  it.node.store.destroy_salts();
  it.forget(kDay - days(3));
  CHECK(it.rows() == it.known.size());  // the server could still lose recently shipped events
  it.node.ship(kLater);
  it.forget(kDay - days(3));
  const auto left = it.rows();
  CHECK(left < it.known.size() / 2);
  CHECK(left > 10);
  CHECK(it.node.store.rows("SELECT count(*) FROM parts") == std::vector<std::string>{"0"});
  CHECK(it.node.store.rows("SELECT first_event_at FROM sites") == first);
  // A new event on a forgotten day belongs to another visitor.
  it.node.store.append(page(1, kDay - days(5), "/late"));
  it.node.ship(kLater);
  CHECK(it.server.ask("SELECT count() FROM visits FINAL WHERE entry_page = '/late'") == "1");
  CHECK(it.server.ask("SELECT count() FROM events WHERE path = '/late' AND site > 0") == "1");
  (void)it.server.ask("ALTER TABLE events DELETE WHERE path = '/late'");
  (void)it.server.ask("ALTER TABLE visits DELETE WHERE entry_page = '/late'");
  REQUIRE(eventually([&] { return it.ids_there() == ids && it.visits_there() == visits; }));
}

TEST_CASE("forgetting: days that the cluster lacks or has differently are kept", "[cluster]") {
  const auto lost = GENERATE(
      as<std::string>(), "events DELETE WHERE site > 0 AND id = ", "visits DELETE WHERE visit = ",
      "visits UPDATE pageviews = pageviews + 1 WHERE visit = ");
  CAPTURE(lost);
  ForgettingNode it(5);
  it.node.store.destroy_salts();
  it.node.ship(kLater);
  const auto oldest =
      it.node.store.rows(lost[0] == 'e' ? "SELECT id FROM events ORDER BY time LIMIT 1"
                                        : "SELECT id FROM visits ORDER BY started LIMIT 1");
  (void)it.server.ask("ALTER TABLE " + lost + oldest.front());
  REQUIRE(eventually([&] { return it.differences().size() == 1; }));
  it.keep_from(kDay - days(3));
  // The node reports the fault and checks the days again a day later.
  std::string said;
  const auto until = kPartsNow + std::chrono::minutes(10);
  for (auto now = kPartsNow; said.empty() && now < until; now += std::chrono::seconds(1)) {
    auto& events = it.node.store.events();
    auto more = events.parts_slice(now);
    while (more && (*more || events.wait_for_parts())) more = events.parts_slice(now);
    if (!more) said = more.error().message;
  }
  INFO(said);
  CHECK(said.find("Old days were not forgotten: ClickHouse lacks ") == 0);
  CHECK(said.find(lost[0] == 'e' ? "lacks 1 of" : "visits 1 are lacking or differ") != said.npos);
  CHECK(it.rows() == it.known.size());
  it.node.repair(kLater);
  CHECK(it.differences().empty());
  if (lost[0] == 'e') {  // events that were sent again must also be a week old
    it.forget(kDay - days(3));
    CHECK(it.rows() == it.known.size());
  }
  it.node.ship(kLater + kWeek + hours(1));
  it.keep_from(kDay - days(3));  // the new limits make the check due at once
  it.finish();
  CHECK(it.rows() < it.known.size() / 2);
}

TEST_CASE("forgetting: a repair keeps the forgotten events on the server", "[cluster]") {
  ForgettingNode it(2);
  it.node.store.destroy_salts();
  it.node.ship(kLater);
  it.forget(kDay - days(3));
  const auto ids = ids_of(it.known);
  const auto visits = visits_made_by(it.known);
  CHECK(it.differences().empty());
  it.node.repair(kLater);
  CHECK(it.ids_there() == ids);
  CHECK(it.visits_there() == visits);
  // Events that the journal still has are sent again.
  sqlite::JournalReader reader(it.node.store.file());
  const auto state = reader.state();
  REQUIRE(state);
  REQUIRE(state->forgotten.size() == 1);
  const auto lost = it.node.store.rows("SELECT max(id) FROM events").front();
  (void)it.server.ask("ALTER TABLE events DELETE WHERE id = " + lost + " AND site > 0");
  const auto newest_visit = it.node.store.rows("SELECT max(id) FROM visits").front();
  (void)it.server.ask(
      "INSERT INTO visits (site, born, node, visit, version, ended) SELECT site, born, node, 50000,"
      " version, ended FROM visits WHERE visit = " +
      newest_visit + " LIMIT 1");
  REQUIRE(eventually([&] { return it.ids_there() != ids && it.visits_there() != visits; }));
  CHECK(it.differences().size() == 2);
  it.node.repair(kLater);
  CHECK(it.differences().empty());
  CHECK(it.ids_there() == ids);
  CHECK(it.visits_there() == visits);
}

TEST_CASE("forgetting: other sites are compared and repaired as before", "[cluster]") {
  ForgettingNode it(6);
  const auto other = it.node.store.make_site("b.example");
  for (int i = 0; i < 5; ++i) {
    auto event = it.node.store.make(page(i, kDay + hours(i), "/b"));
    event.site = other;
    it.node.store.append(event);
  }
  // The first site has a greater event number than the second.
  it.node.store.append(page(1, kDay - days(5), "/late"));
  it.node.ship(kNow);
  it.node.store.destroy_salts();
  it.node.ship(kLater);
  it.forget(kDay - days(3));
  const auto ids = it.ids_there();
  const auto visits = it.visits_there();
  CHECK(it.differences().empty());
  const auto of_other = std::string("site = ") + std::to_string(other);
  (void)it.server.ask("ALTER TABLE events DELETE WHERE " + of_other + " AND id % 2 = 0");
  (void)it.server.ask("ALTER TABLE visits DELETE WHERE " + of_other + " AND visit % 2 = 0");
  REQUIRE(eventually([&] { return it.ids_there() != ids && it.visits_there() != visits; }));
  CHECK(it.differences().size() == 2);
  it.node.repair(kLater);
  CHECK(it.differences().empty());
  CHECK(it.ids_there() == ids);
  CHECK(it.visits_there() == visits);
  // The events sent again form one block. The loss of this block does not affect forgotten events.
  const auto block = it.server.ask("SELECT max(visitor) FROM events WHERE site = 0");
  (void)it.server.ask("ALTER TABLE events DELETE WHERE site = 0 AND visitor = " + block);
  REQUIRE(eventually(
      [&] { return it.server.ask("SELECT max(visitor) FROM events WHERE site = 0") != block; }));
  it.node.ship(kLater + std::chrono::minutes(5));
  CHECK(it.ids_there() == ids);
}

TEST_CASE("forgetting: removed and expired events leave the cluster, too", "[cluster]") {
  const auto seed = GENERATE(from_range(seeds(2, 20)));
  CAPTURE(seed);
  ForgettingNode it(seed);
  it.node.store.destroy_salts();
  it.node.ship(kLater);
  it.forget(kDay - days(3));
  Looking looking(it.node, it.server);
  for (int i = 0; i < 5 && !it.known.empty(); ++i) {
    CAPTURE(i);
    it.remove(random_selection(it.random, it.known));
    if (i % 2 == 0) (void)looking.look(kLater, true);
    if (i % 3 == 0) it.node.ship(kLater);
    const auto done = looking.look(kLater);
    INFO((done ? std::string() : done.error().reason()));
    REQUIRE(done);
    REQUIRE(eventually([&] {
      it.node.ship(kLater);
      return it.ids_there() == ids_of(it.known);
    }));
  }
  CHECK(it.differences().empty());
  // The events of forgotten days expire, too.
  store::SiteUpdate update;
  update.keep = Retention{Retention::Unit::kDays, 5};
  auto& sites = it.node.store.registry().sites();
  REQUIRE(sites.update_site(it.node.store.site, update, kNow, hours(0)));
  const auto now = kDay + days(2);
  const auto expired = looking.reader.expired(now);
  REQUIRE((expired && expired->size() == 1));
  const auto until = count_of(expired->front().until);
  std::erase_if(it.known, [&](const auto& event) { return event.second.time < until; });
  while (*it.node.store.events().expiry_slice(now)) it.finish();
  REQUIRE(eventually([&] {
    REQUIRE(Looking(it.node, it.server).look(now));
    it.node.ship(kLater);
    return it.ids_there() == ids_of(it.known);
  }));
}

TEST_CASE("forgetting: events that a removal has selected are not forgotten before it ends",
          "[cluster]") {
  ForgettingNode it(4, ForgettingNode::Arrival::kInOrder);
  it.node.store.destroy_salts();
  it.node.ship(kLater);
  it.forget(kDay - days(6));
  it.keep_from(kDay - days(2));
  while (!it.node.store.events().is_making_parts()) (void)it.node.store.make_some_parts();
  EventSelection what;
  what.site = it.node.store.site;
  what.page = "/blog";
  REQUIRE(it.node.store.events().remove(what, kLater, [](const auto&) {}));
  it.node.store.note_removal({what, kLater});
  for (const auto id : selected(what, it.known)) it.known.erase(id);
  // This removes the selected events of the days that the journal has forgotten so far.
  REQUIRE(Looking(it.node, it.server).look(kLater));
  const auto before = it.rows();
  it.finish();
  it.node.ship_changes(kLater);
  it.forget(kDay - days(2));
  CHECK(it.rows() < before);
  CHECK(eventually([&] {
    it.node.ship(kLater);
    return it.ids_there() == ids_of(it.known);
  }));
}

TEST_CASE("forgetting: an import with forgotten events cannot be undone", "[cluster]") {
  ForgettingNode it(3);
  const auto import = [&](const std::string& name, UnixSeconds time) {
    it.node.store.append(it.node.store.make(page(100, time, "/i")), name);
  };
  import("old", kDay - days(8));
  import("young", kDay);
  it.node.ship(kNow);
  it.node.store.destroy_salts();
  it.node.ship(kLater);
  it.forget(kDay - days(3));
  auto& imports = it.node.store.registry().imports();
  const auto refused = imports.delete_import(it.node.store.site, "old");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::kTooOldForCluster);
  EventSelection what;
  what.site = it.node.store.site;
  what.import = 1;
  const auto kept = it.node.store.events().remove(what, kLater, [](const auto&) {});
  REQUIRE_FALSE(kept);
  CHECK(kept.error().code == ErrorCode::kTooOldForCluster);
  CHECK(imports.delete_import(it.node.store.site, "young"));
}

}  // namespace analytics::test::forgetting_test
