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

/// Returns the source of each event's visit, in the order of the events.
std::vector<std::string> visit_sources(const std::vector<Kept>& all) {
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::size_t i) {
    return std::pair(all[i].counted.visitor, all[i].counted.time);
  };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  std::vector<std::string> sources(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& one = all[order[i]].counted;
    const auto* before = i == 0 ? nullptr : &all[order[i - 1]].counted;
    const bool goes_on =
        before != nullptr && before->visitor == one.visitor && one.time <= before->time + kVisitGap;
    sources[order[i]] = goes_on ? sources[order[i - 1]] : one.values.at("visit:source");
  }
  return sources;
}

std::vector<Kept> without(const std::vector<Kept>& all, const EventSelection& what) {
  const auto sources = visit_sources(all);
  std::vector<Kept> left;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& values = all[i].counted.values;
    const bool is_selected =
        what.has_time(std::chrono::floor<std::chrono::seconds>(all[i].counted.time)) &&
        (what.import == 0 || all[i].is_imported) &&
        (!what.page || wildcard_matches(*what.page, values.at("event:page"))) &&
        (!what.source || *what.source == sources[i]);
    if (!is_selected) left.push_back(all[i]);
  }
  return left;
}

Recount recount_of(const std::vector<Kept>& kept) {
  std::vector<CountedEvent> events;
  for (const auto& each : kept) events.push_back(each.counted);
  return Recount(std::move(events));
}

EventSelection selection(std::mt19937& random, SiteId site) {
  EventSelection what;
  what.site = site;
  if (random() % 3 == 0) {
    what.import = 1;
    return what;
  }
  const auto time = [&] {
    return kDay - std::chrono::hours(20) + std::chrono::minutes(random() % 2'400);
  };
  if (random() % 2 == 0) what.from = time();
  if (random() % 2 == 0) what.to = time();
  if (random() % 2 == 0) what.page = random() % 2 == 0 ? "/blog" : "/blog**";
  if (random() % 3 == 0) what.source = random() % 2 == 0 ? "Google" : "";
  return what;
}

}  // namespace

TEST_CASE("removal: while it runs, answers are those of the events that stay", "[removal][query]") {
  const auto seed = GENERATE(range(1u, 1u + static_cast<unsigned>(rounds(8, 2'000))));
  CAPTURE(seed);
  Maker maker(seed);
  std::mt19937 random(seed);
  Store store;
  store.limit_parts({.removal_rows = 8,
                     .part_quiet = std::chrono::seconds(0),
                     .part_events = 1,
                     .sealed_events = 1,
                     .most_events_of_part = 30,
                     .between_truncations = std::chrono::seconds(0)});
  std::vector<Kept> all;
  int strangers = 0;  // added to visitor numbers, because no visitor is recognised without the salt
  const bool seals = seed % 4 != 0;
  for (auto planned : random_events(random, kEvents)) {
    planned.visitor = static_cast<int>(random() % 30) + strangers;
    all.push_back({maker.counted(planned), random() % kImported == 0});
    const auto event = event_of(store, all.back().counted);
    if (all.back().is_imported) store.append(event, "log");
    if (!all.back().is_imported) store.append(event);
    if (all.size() % 50 == 0 && seed % 2 == 0) store.make_parts();
    if ((all.size() == 100 || all.size() == 180) && seals) {
      store.write();
      store.destroy_salts();
      store.seal();
      strangers += 100;
    }
  }
  store.write();
  const auto what = selection(random, store.site);
  const auto left = without(all, what);
  const auto recount = recount_of(left);
  const Published<query::Limits> limits;
  query::Cores cores(2);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  const auto check = [&](const char* when, int queries) {
    for (int i = 0; i < queries; ++i) {
      auto query = maker.query();
      query.selection.site = store.site;
      const auto answered = answer(query, stats);
      REQUIRE(answered);
      CAPTURE(when, i, what.import, what.page, what.source);
      REQUIRE(sorted(texts_of(answered->rows)) == recount.rows(query));
      if (i == 1) check_laws(query, stats);
    }
  };
  if (what.import != 0) {
    REQUIRE(store.registry().imports().delete_import(store.site, "log"));
  } else {
    REQUIRE(store.events().remove(what, kNow, [](const auto&) {}));
  }
  check("at the beginning", 4);
  const auto is_due = [&] {
    return store.rows("SELECT count(*) FROM removals") != std::vector<std::string>{"0"};
  };
  while (*store.events().removal_slice() || store.make_some_parts() ||
         store.events().wait_for_parts() || is_due()) {
    check("on the way", static_cast<int>(random() % 3));
    if (random() % 12 == 0) store.restart(random() % 2 == 0);
  }
  check("at the end", 4);
}

}  // namespace analytics::test::removal_query_test
