#include "daemon/query/executor.h"
#include "daemon/query/tally.h"

#include <map>

#include "tests/daemon/query/memory_events.h"
#include "tests/support/catch.h"

namespace analytics::test::executor_test {

using query::Column;

namespace {

const std::atomic<bool> kNever{false};
constexpr TimeRange kDay{UnixSeconds(std::chrono::hours(0)), UnixSeconds(std::chrono::hours(24))};

/// Returns 50 pageviews of each of 100 visitors, in turn. A visit has the same id as its visitor.
MemoryEvents hundred_visitors(std::size_t rows_per_batch) {
  MemoryEvents events(rows_per_batch);
  for (std::int64_t i = 0; i < 5'000; ++i) {
    const auto visitor = i % 100 + 1;
    events.add({{Column::kTime, i},
                {Column::kVisitor, visitor},
                {Column::kVisit, visitor},
                {Column::kIsPageview, 1},
                {query::column_of(VisitFact::kSeconds), 10},
                {Column::kName, events.number("pageview")},
                {Column::kPath, events.number("/" + std::to_string(i % 7))}});
  }
  return events;
}

Filter condition(Field field, const std::string& value) {
  Filter filter;
  filter.kind = Filter::Kind::kValue;
  filter.dimension.field = field;
  filter.match.values = {value};
  return filter;
}

Filter join(Filter::Kind kind, std::vector<Filter> parts) {
  Filter filter;
  filter.kind = kind;
  filter.parts = std::move(parts);
  return filter;
}

Aggregation aggregation(Filter filter, Grouping grouping) {
  return {{.site = 1, .range = kDay, .filter = std::move(filter), .goals = {}},
          {std::move(grouping)}};
}

std::map<std::string, Sums> by_first_value(const Aggregation& aggregation, MemoryEvents& events,
                                           const query::Limits& limits = {}) {
  query::Budget budget(limits, kNever);
  std::map<std::string, Sums> sums;
  query::Cores cores(2);
  const auto groups = query::aggregate(aggregation, events, budget, cores);
  auto& found = *groups.front();
  const bool has_values = !aggregation.groupings.front().dimensions.empty();
  for (std::size_t group = 0; group < found.size(); ++group) {
    sums[has_values ? found.text(0, found.value(group, 0)) : ""] = found.sums(group);
  }
  return sums;
}

}  // namespace

TEST_CASE("executor: batches of any size give the same sums", "[query]") {
  for (const std::size_t rows : {1U, 3U, 2'047U, 2'048U}) {
    auto events = hundred_visitors(rows);
    Grouping whole;
    whole.visits = true;
    const auto sums = by_first_value(aggregation({}, whole), events)[""];
    CHECK(sums.events == 5'000);
    CHECK(sums.pageviews == 5'000);
    CHECK(sums.visitors == 100);
    CHECK(sums.visits == 100);
    CHECK(sums.facts[VisitFact::kSeconds] == 1'000);
    const auto pages =
        by_first_value(aggregation({}, {.dimensions = {{{Field::kPage, {}}}}}), events);
    REQUIRE(pages.size() == 7);
    CHECK(pages.at("/0").events == 715);
    CHECK(pages.at("/0").visitors == 100);
  }
}

TEST_CASE("executor: conditions of a filter combine like sets of rows", "[query]") {
  auto events = hundred_visitors(1'000);
  const auto count = [&](Filter filter) {
    return by_first_value(aggregation(std::move(filter), {}), events)[""].events;
  };
  const auto first = condition(Field::kPage, "/0");
  const auto second = condition(Field::kPage, "/1");
  using enum Filter::Kind;
  CHECK(count(first) == 715);
  CHECK(count(join(kAll, {first, second})) == 0);
  CHECK(count(join(kAny, {second, first, first})) == 715 + 715);
  CHECK(count(join(kNot, {join(kAny, {first, second})})) == 5'000 - 715 - 715);
  auto negated = first;
  negated.negated = true;
  CHECK(count(negated) == 5'000 - 715);
}

TEST_CASE("executor: has_done reads the events once more and selects whole visits", "[query]") {
  MemoryEvents events(2);
  for (std::int64_t visit = 1; visit <= 3; ++visit) {
    for (const auto* path : {"/a", "/b", visit == 2 ? "/goal" : "/c"}) {
      events.add({{Column::kVisitor, visit},
                  {Column::kVisit, visit},
                  {Column::kPath, events.number(path)}});
    }
  }
  events.add({{Column::kVisitor, 9},
              {Column::kPath, events.number("/goal")}});  // an event without a visit
  const auto done = join(Filter::Kind::kHasDone, {condition(Field::kPage, "/goal")});
  const auto sums = by_first_value(aggregation(done, {}), events)[""];
  CHECK(sums.events == 3);
  CHECK(sums.visitors == 1);
  CHECK(events.scans() == 2);
}

TEST_CASE("executor: equal texts with different ids form one group, empty ones have a label",
          "[query]") {
  MemoryEvents events;
  events.add(
      {{Column::kVisit, 1}, {Column::kClient, events.number(Client{"", "Firefox", "1", "", ""})}});
  events.add(
      {{Column::kVisit, 2}, {Column::kClient, events.number(Client{"", "Firefox", "2", "", ""})}});
  events.add({{Column::kVisit, 3}});
  const auto sums = by_first_value(
      aggregation({}, {.dimensions = {{{Field::kBrowser, {}}, "(not set)"}}}), events);
  REQUIRE(sums.size() == 2);
  CHECK(sums.at("Firefox").events == 2);
  CHECK(sums.at("(not set)").events == 1);
}

TEST_CASE("executor: an event in many groups is counted in each of them", "[query]") {
  MemoryEvents events;
  std::string props = "{";
  for (int i = 0; i < 100; ++i) props += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":\"v\"";
  props += "}";
  std::vector<GoalGroup> goals;
  for (int i = 0; i < 100; ++i) {
    goals.push_back({"g" + std::to_string(i), {{i, 1, GoalType::kPage, "/**", {}}}});
  }
  for (std::int64_t visitor = 1; visitor <= 3; ++visitor) {
    events.add({{Column::kVisitor, visitor},
                {Column::kIsPageview, 1},
                {Column::kName, events.number("pageview")},
                {Column::kPath, events.number("/x")},
                {Column::kProps, events.number(props)}});
  }
  Grouping grouping{.dimensions = {{{Field::kGoal, {}}}, {{Field::kPropKey, {}}}}, .goals = goals};
  query::Budget budget({}, kNever);
  query::Cores cores(2);
  const auto all = aggregation({}, grouping);
  const auto groups = query::aggregate(all, events, budget, cores);
  REQUIRE(groups.front()->size() == 100 * 100);
  for (std::size_t group = 0; group < 100 * 100; ++group) {
    REQUIRE(groups.front()->sums(group).visitors == 3);
  }
}

TEST_CASE("executor: goals with the same name form a group that an event enters once", "[query]") {
  MemoryEvents events;
  events.add({{Column::kName, events.number("pageview")}, {Column::kPath, events.number("/a")}});
  Grouping grouping{
      .dimensions = {{{Field::kGoal, {}}}},
      .goals = {{"Any", {{1, 1, GoalType::kPage, "/a", {}}, {2, 1, GoalType::kPage, "/**", {}}}}}};
  CHECK(by_first_value(aggregation({}, grouping), events).at("Any").events == 1);
}

TEST_CASE("executor: only compared or shown texts are looked up", "[query]") {
  auto events = hundred_visitors(100);
  const Grouping pages{.dimensions = {{{Field::kPage, {}}}}};
  by_first_value(aggregation(condition(Field::kPage, "/0"), pages), events);
  CHECK(events.lookups() == 1);  // the page is compared by its id
  auto contains = condition(Field::kPage, "0");
  contains.match.kind = MatchKind::kContains;
  by_first_value(aggregation(contains, pages), events);
  // Seven pages are matched, independent of the number of rows.
  CHECK(events.lookups() == 1 + 7 + 1);
}

TEST_CASE("executor: the limits of time and memory and a cancellation end a query", "[query]") {
  auto events = hundred_visitors(100);
  const auto pages = aggregation({}, {.dimensions = {{{Field::kPage, {}}}}});
  CHECK_THROWS_AS(by_first_value(pages, events, {std::chrono::milliseconds(-1), 1'000'000}),
                  query::LimitReached);
  CHECK_THROWS_AS(by_first_value(pages, events, {std::chrono::minutes(1), 1'000}),
                  query::LimitReached);
  const std::atomic<bool> cancelled{true};
  query::Budget budget({}, cancelled);
  query::Cores cores(2);
  CHECK_THROWS_AS(query::aggregate(pages, events, budget, cores), query::LimitReached);
}

TEST_CASE("executor: after a query, only its groups count against the memory budget", "[query]") {
  auto events = hundred_visitors(100);
  query::Budget budget({}, kNever);
  query::Cores cores(2);
  const auto all = aggregation(condition(Field::kBrowser, "Firefox"), {});
  auto groups = query::aggregate(all, events, budget, cores);
  CHECK(budget.charged() == sizeof(std::int64_t) + sizeof(query::GroupSums::Events));
  groups.clear();
  CHECK(budget.charged() == 0);
}

}  // namespace analytics::test::executor_test
