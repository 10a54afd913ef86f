#include "tests/daemon/store/laws.h"
#include "tests/support/rounds.h"

namespace analytics::test::parts_test {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

using Lines = std::vector<std::string>;

/// Returns the days that have parts in use.
Lines copied_days(Store& store) {
  return store.rows("SELECT date(day * 86400, 'unixepoch') FROM parts WHERE state = 1 ORDER BY 1");
}

Lines left_behind(Store& store) {
  return store.rows(
      "SELECT (SELECT count(*) FROM parts WHERE state NOT IN (1, 3)) + (SELECT count(*) FROM"
      " part_columns WHERE id / 128 NOT IN (SELECT id FROM parts))");
}

/// Loads random events into a store and lists the loaded events.
class Story {
 public:
  Story(unsigned seed, Store& store) : random_(seed), maker_(seed), store_(store) {}

  /// Returns true once in n times on average.
  bool one_in(unsigned n) { return random_() % n == 0; }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  [[nodiscard]] std::vector<PlannedEvent> plan(int count) { return random_events(random_, count); }

  /// Stores a random variant of an event. A third of the events belong to the import "i".
  void load(PlannedEvent planned) {
    planned.visitor = static_cast<int>(below(20)) + 100 * generation_;
    loaded_.push_back({maker_.counted(planned), one_in(3)});
    const auto event = event_of(store_, loaded_.back().counted);
    loaded_.back().is_imported ? store_.append(event, "i") : store_.append(event);
  }
  /// Destroys all salts. Visitors who return afterwards count as new.
  void destroy_salts() {
    store_.destroy_salts();
    ++generation_;
  }
  void undo() {
    if (store_.rows("SELECT count(*) FROM imports") == Lines{"0"}) return;
    store_.undo("i");
    std::erase_if(loaded_, [](const Loaded& each) { return each.is_imported; });
    compare(5);
  }
  /// Checks the answers to random queries against a recount.
  void compare(int queries) {
    std::vector<CountedEvent> counted;
    for (const auto& each : loaded_) counted.push_back(each.counted);
    const Recount recount(counted);
    const Published<query::Limits> limits;
    query::Cores cores(2);
    sqlite::SqliteStatsStore stats(store_.file(), limits, cores);
    store_.write();
    for (int i = 0; i < queries; ++i) {
      CAPTURE(i);
      auto query = maker_.query();
      query.selection.site = store_.site;
      const auto answered = answer(query, stats);
      REQUIRE(answered);
      REQUIRE(sorted(texts_of(answered->rows)) == recount.rows(query));
      if (i == 0 && one_in(4)) check_laws(query, stats);
    }
  }

 private:
  struct Loaded {
    CountedEvent counted;
    bool is_imported;
  };
  std::mt19937 random_;
  Maker maker_;
  Store& store_;
  std::vector<Loaded> loaded_;
  int generation_ = 0;  ///< Number of times the salts were destroyed.
};

Query pages_of(const Store& store) {
  Query query;
  query.zone = "Etc/UTC";
  query.selection.site = store.site;
  query.selection.range = {kDay - days(1), kDay + days(2)};
  query.metrics = {Metric::kVisitors};
  query.dimensions = {{Field::kPage, {}}};
  return query;
}

}  // namespace

TEST_CASE("parts: imports, undo, restarts and copies in any order give a recount's answers",
          "[parts][query]") {
  const auto seed = GENERATE(from_range(seeds(2, 4)));
  CAPTURE(seed);
  Store store(seed % 2 == 0 ? Visits::kMaxOpen : 3);
  Story story(seed, store);
  for (const auto& planned : story.plan(150)) {
    story.load(planned);
    switch (story.below(40)) {
      case 0: store.restart(true); break;
      case 1: store.restart(false); break;
      case 2: store.make_parts(); break;
      case 3:  // partial progress; a crash may follow
        for (auto slices = story.below(8); slices > 0; --slices) store.make_some_parts();
        break;
      case 4: story.compare(5); break;
      case 5:
        if (story.one_in(2)) break;
        store.make_parts();
        story.undo();
        break;
      default: break;
    }
  }
  store.make_parts();
  story.compare(60);
  CHECK(left_behind(store) == Lines{"0"});
}

TEST_CASE("parts: sealed days with late events, undo and restarts give a recount's answers",
          "[parts][query]") {
  const auto seed = GENERATE(from_range(seeds(2, 6)));
  CAPTURE(seed);
  Store store(seed % 2 == 0 ? Visits::kMaxOpen : 3);
  store::StoreLimits limits{.part_quiet = seconds(0), .part_events = 1, .sealed_events = 1};
  if (seed % 3 == 0) limits.most_events_of_part = 1;
  store.limit_parts(limits);
  Story story(seed, store);
  for (const auto& planned : story.plan(300)) {
    story.load(planned);
    switch (story.below(40)) {
      case 0: store.restart(true); break;
      case 1: store.restart(false); break;
      case 2: store.make_parts(); break;
      case 3:
        story.destroy_salts();
        store.seal();
        CHECK(store.rows("SELECT count(*) FROM events") == Lines{"0"});
        CHECK(store.rows("SELECT count(*) FROM visits") == Lines{"0"});
        story.compare(5);
        break;
      case 4:  // partial progress; a crash may follow
        story.destroy_salts();
        for (auto slices = story.below(30); slices > 0; --slices) {
          store.make_some_parts();
          if (story.one_in(5)) story.compare(1);
        }
        if (story.one_in(2)) store.restart(story.one_in(2));
        break;
      case 5: story.compare(5); break;
      case 6: story.undo(); break;
      default: break;
    }
  }
  story.destroy_salts();
  store.seal();
  CHECK(left_behind(store) == Lines{"0"});
  CHECK(store.rows("SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM visits)"
                   " + (SELECT count(*) FROM visit_merges) + (SELECT count(*) FROM event_hours)") ==
        Lines{"0"});
  story.compare(20);
  // Now the store resembles a live site: sealed days, days with copies, rows, and late rows.
  for (const auto& planned : story.plan(60)) story.load(planned);
  store.make_parts();
  for (const auto& planned : story.plan(60)) story.load(planned);
  story.compare(60);
}

TEST_CASE("parts: a day that changes is read from its rows until it is copied again", "[parts]") {
  Store store;
  store.append(page(1, kDay + hours(1), "/a"));
  store.append(page(2, kDay - hours(3), "/b"));
  store.make_parts();
  CHECK(copied_days(store) == Lines{"2026-11-20", "2026-11-21"});
  store.append(page(3, kDay + hours(2), "/c"));
  CHECK(copied_days(store) == Lines{"2026-11-20"});
  store.make_parts();
  CHECK(copied_days(store) == Lines{"2026-11-20", "2026-11-21"});
  CHECK(left_behind(store) == Lines{"0"});
}

TEST_CASE("parts: a visit that grows over midnight discards the copies of both days", "[parts]") {
  Store store;
  store.append(page(1, kDay - minutes(10), "/a"));
  store.append(page(2, kDay + minutes(5), "/b"));
  store.make_parts();
  CHECK(copied_days(store) == Lines{"2026-11-20", "2026-11-21"});
  store.append(page(1, kDay + minutes(10), "/c"));
  store.write();
  CHECK(copied_days(store).empty());
}

TEST_CASE("parts: a change that fails leaves the copies in use", "[parts]") {
  Store store;
  store.append(page(1, kDay, "/a"));
  store.make_parts();
  const auto first = store.make(page(2, kDay, "/b"));
  const auto second = store.make(page(3, kDay, "/c"));
  const std::array<const Event*, 2> batch{&first, &second};
  std::array<EventOutcome, 2> outcomes;
  const auto fails_second = [](const Event& event) -> bool {
    if (event.path == "/c") throw Error{ErrorCode::kOverloaded, "The disk is full.", {}};
    return true;
  };
  CHECK_FALSE(store.events().append(batch, outcomes, kNow, fails_second));
  CHECK(copied_days(store) == Lines{"2026-11-21"});
  store.append(page(2, kDay, "/b"));
  CHECK(copied_days(store).empty());
}

TEST_CASE("parts: named visits of several visitors over two midnights count once", "[parts]") {
  Store store;
  std::vector<PlannedEvent> plan;
  for (int visitor = 1; visitor <= 3; ++visitor) {
    auto planned = page(visitor, kDay + hours(24 * (visitor - 2) + 12), "/a");
    planned.visit = "one";
    planned.import = "i";
    plan.push_back(planned);
  }
  store.append(plan, true);
  store.make_parts();
  CHECK(copied_days(store).size() == 3);
  auto query = pages_of(store);
  query.metrics = {Metric::kVisitors, Metric::kVisits};
  query.dimensions.clear();
  const Published<query::Limits> limits;
  query::Cores cores(2);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  CHECK(texts_of(answer(query, stats)->rows) == Lines{": 1 1"});
}

TEST_CASE("parts: the parts of a deleted site are deleted", "[parts]") {
  Store store;
  store.append(page(1, kDay, "/a"));
  store.make_parts();
  REQUIRE(store.registry().sites().delete_site(store.site));
  while (*store.events().purge_slice()) {
  }
  while (store.make_some_parts()) {
  }
  CHECK(store.rows("SELECT (SELECT count(*) FROM parts) + (SELECT count(*) FROM part_columns) +"
                   " (SELECT count(*) FROM part_days)") == Lines{"0"});
}

TEST_CASE("parts: a damaged part causes an error, never a wrong number", "[parts]") {
  Store store;
  for (int i = 0; i < 3'000; ++i) {
    store.append(page(i % 50, kDay + std::chrono::seconds(i), "/" + std::to_string(i % 40)));
  }
  store.make_parts();
  const Published<query::Limits> limits;
  query::Cores cores(2);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  const auto query = pages_of(store);
  const auto right = texts_of(answer(query, stats)->rows);
  std::mt19937 random(5);
  int errors = 0;
  for (const auto& id : store.rows("SELECT id FROM part_columns")) {
    const auto row = " FROM part_columns WHERE id = " + id;
    const auto data = store.rows("SELECT hex(data)" + row).front();
    auto damaged = data;
    auto& digit = damaged[random() % damaged.size()];
    digit = digit == '0' ? '1' : '0';
    store.change("UPDATE part_columns SET data = x'" + damaged + "' WHERE id = " + id);
    const auto answered = answer(query, stats);
    if (answered) {  // the query does not read this column
      CHECK(texts_of(answered->rows) == right);
    } else {
      ++errors;
      CHECK(answered.error().code == ErrorCode::kDamaged);
    }
    store.change("UPDATE part_columns SET data = x'" + data + "' WHERE id = " + id);
  }
  CHECK(errors >= 4);  // the query reads at least the head, visits, visitors and pages
}

TEST_CASE("parts: days that are small, unfinished or recently changed stay rows", "[parts]") {
  Store store;
  store.limit_parts({.part_quiet = std::chrono::seconds(60), .part_events = 3});
  for (int i = 0; i < 3; ++i) store.append(page(i, kDay, "/a"));
  store.append(page(1, kDay - days(1), "/b"));
  store.write();
  const auto settle = [&](UnixSeconds now) {
    while (store.events().parts_slice(now).value() || store.events().wait_for_parts()) {
    }
  };
  settle(kDay + days(1) - seconds(1));  // the day is not over yet
  settle(kDay + days(1) + seconds(58));
  CHECK(copied_days(store).empty());
  settle(kDay + days(1) + seconds(59));
  CHECK(copied_days(store) == Lines{"2026-11-21"});
  CHECK(store.rows("SELECT count(*) FROM part_days") == Lines{"0"});
}

}  // namespace analytics::test::parts_test
