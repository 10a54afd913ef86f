// While events are removed, answers are those of the events that stay.
#include "daemon/model/wildcard.h"
#include "tests/daemon/store/laws.h"
#include "tests/support/rounds.h"

namespace analytics::test::removal_query_test {

namespace {

constexpr int kEvents = 240;
constexpr int kImported = 4;  // one event in so many is imported

/// An event, and whether it belongs to the import.
struct Kept {
  CountedEvent counted;
  bool is_imported = false;
};

std::vector<CountedEvent> counted(const std::vector<Kept>& kept) {
  std::vector<CountedEvent> events;
  for (const auto& each : kept) events.push_back(each.counted);
  return events;
}

bool has_prop(const CountedEvent& counted, const EventSelection::Prop& prop) {
  const auto found = counted.props.find(prop.key);
  return found != counted.props.end() && (!prop.value || found->second == *prop.value);
}

std::vector<Kept> without(std::vector<Kept> kept, const EventSelection& what) {
  const auto sources = visit_sources(
      counted(kept), [](const CountedEvent& event) { return event.values.at("visit:source"); });
  std::erase_if(kept, [&](const Kept& each) {
    const auto& event = each.counted;
    return what.has_time(std::chrono::floor<std::chrono::seconds>(event.time)) &&
           (what.import == 0 || each.is_imported) &&
           (!what.page || wildcard_matches(*what.page, event.values.at("event:page"))) &&
           (!what.prop || has_prop(event, *what.prop)) &&
           (!what.source || *what.source == sources.at({event.visitor, event.time}));
  });
  return kept;
}

std::string line(UnixSeconds time, const std::string& name, const std::string& page) {
  return std::to_string(time.time_since_epoch().count()) + " " + name + " " + page;
}

std::multiset<std::string> events_of(const std::vector<Kept>& kept) {
  std::multiset<std::string> lines;
  for (const auto& [event, is_imported] : kept) {
    lines.insert(line(std::chrono::floor<std::chrono::seconds>(event.time),
                      event.values.at("event:name"),
                      event.values.at("event:hostname") + event.values.at("event:page")));
  }
  return lines;
}

EventSelection random_selection(std::mt19937& random, SiteId site) {
  EventSelection what;
  what.site = site;
  const auto time = [&] {
    return kDay - std::chrono::hours(20) + std::chrono::minutes(random() % 2'400);
  };
  if (random() % 2 == 0) what.from = time();
  if (random() % 2 == 0) what.to = time();
  if (random() % 2 == 0) what.page = random() % 2 == 0 ? "/blog" : "/blog**";
  if (random() % 4 == 0) what.prop = {"plan", "pro"};
  if (random() % 3 == 0) what.source = random() % 2 == 0 ? "Google" : "";
  return what;
}

/// A store with random events as rows, copies and sealed parts, and a list of these events.
class Story {
 public:
  explicit Story(unsigned seed)
      : random(seed), maker_(seed), seals_(seed % 4 != 0), copies_(seed % 2 == 0) {
    store.limit_parts({.removal_rows = 8,
                       .part_quiet = std::chrono::seconds(0),
                       .part_events = 1,
                       .sealed_events = 1,
                       .most_events_of_part = 30,
                       .between_truncations = std::chrono::seconds(0)});
    for (const auto& planned : random_events(random, kEvents)) {
      append(planned);
      if (kept.size() % 50 == 0 && copies_) store.make_parts();
      if ((kept.size() == 100 || kept.size() == 180) && seals_) {
        store.write();
        store.destroy_salts();
        store.seal();
        strangers_ += 100;
      }
    }
    store.write();
  }

  void append(PlannedEvent planned, bool may_import = true) {
    planned.visitor = static_cast<int>(random() % 30) + strangers_;
    kept.push_back({maker_.counted(planned), may_import && random() % kImported == 0});
    const auto event = event_of(store, kept.back().counted);
    if (kept.back().is_imported) store.append(event, "log");
    if (!kept.back().is_imported) store.append(event);
  }

  /// Begins to remove random events, which no longer count.
  void begin_removal() {
    if (random() % 3 == 0 && store.rows("SELECT count(*) FROM imports").front() != "0") {
      EventSelection what;
      what.import = 1;
      REQUIRE(store.registry().imports().delete_import(store.site, "log"));
      kept = without(kept, what);
      return;
    }
    const auto what = random_selection(random, store.site);
    // A removal by source selects its visits when its work begins, so no other may run before it.
    if (what.source && store.rows("SELECT count(*) FROM removals").front() != "0") return;
    REQUIRE(store.events().remove(what, kNow, [](const auto&) {}));
    kept = without(kept, what);
    by_source = by_source || what.source;
  }

  /// Compares an export, a count and the answers to random queries with a recount.
  void check(const char* when, int queries) {
    store.write();
    CHECK(exported() == events_of(kept));
    auto what = random_selection(random, store.site);
    what.source.reset();
    sqlite::SqliteEventReader reader(store.file(), store.events().pins());
    CHECK(reader.count(what).value() == std::ssize(kept) - std::ssize(without(kept, what)));
    const Recount recount(counted(kept));
    const Published<query::Limits> limits;
    query::Cores cores(2);
    sqlite::SqliteStatsStore stats(store.file(), limits, cores);
    for (int i = 0; i < queries; ++i) {
      CAPTURE(when, i);
      auto query = maker_.query();
      query.selection.site = store.site;
      const auto answered = answer(query, stats);
      REQUIRE(answered);
      REQUIRE(sorted(texts_of(answered->rows)) == recount.rows(query));
      if (i == 1) check_laws(query, stats);
    }
  }

  std::multiset<std::string> exported() {
    std::multiset<std::string> lines;
    for (const auto& event : exported_events(store)) {
      lines.insert(line(std::chrono::floor<std::chrono::seconds>(event.time), event.name,
                        event.hostname + event.path));
    }
    return lines;
  }

  std::mt19937 random;
  Store store;
  std::vector<Kept> kept;  ///< Events that count.
  bool by_source = false;  ///< True after a removal by source, which earlier events may change.

 private:
  Maker maker_;
  const bool seals_;
  const bool copies_;
  int strangers_ = 0;  ///< Added to visitor ids, because no visitor is recognised without a salt.
};

}  // namespace

TEST_CASE("removal: while it runs, answers count only the events that stay", "[removal][query]") {
  const auto seed = GENERATE(from_range(seeds(4, 2'000)));
  CAPTURE(seed);
  Story story(seed);
  auto& store = story.store;
  const auto late = random_events(story.random, 6);
  auto next = late.begin();
  int more = 2;  // removals that begin while others run
  story.begin_removal();
  story.check("at the beginning", 4);
  const auto is_due = [&] {
    return store.rows("SELECT count(*) FROM removals") != std::vector<std::string>{"0"};
  };
  while (*store.events().removal_slice() || store.make_some_parts() ||
         store.events().wait_for_parts() || is_due()) {
    story.check("on the way", static_cast<int>(story.random() % 3));
    if (story.random() % 12 == 0) store.restart(story.random() % 2 == 0);
    if (more > 0 && story.random() % 8 == 0) {
      story.begin_removal();
      --more;
    }
    const bool may_append = !story.by_source && next != late.end();
    if (may_append && story.random() % 3 == 0) story.append(*next++, false);
  }
  story.check("at the end", 4);
}

}  // namespace analytics::test::removal_query_test
