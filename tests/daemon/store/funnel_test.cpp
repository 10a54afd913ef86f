#include <map>

#include "tests/daemon/store/sealed_store.h"

namespace analytics::test::funnel_test {

namespace {

const std::vector<std::string> kPaths{"/", "/a", "/b", "/b/c"};
const std::vector<std::string> kNames{"pageview", "pageview", "pageview", "Signup", "Buy"};

/// Returns events of a few visitors, many of them in the same second. A third is imported, some of
/// it in named visits.
std::vector<PlannedEvent> plan_of(unsigned seed, int count) {
  std::mt19937 random(seed);
  auto plan = random_events(random, count);
  for (auto& planned : plan) {
    planned.visitor = static_cast<int>(random() % 15);
    planned.name = kNames[random() % kNames.size()];
    planned.path = kPaths[random() % kPaths.size()];
    if (random() % 3 == 0) {
      planned.time = std::chrono::floor<std::chrono::minutes>(planned.time) +
                     std::chrono::milliseconds(random() % 3);
    }
    if (random() % 3 == 0) planned.import = "i";
    if (!planned.import.empty() && random() % 3 == 0) {
      planned.visit = "visit " + std::to_string(random() % 4);
    }
  }
  return plan;
}

std::vector<FunnelQuery> queries_of(const Store& store, unsigned seed) {
  std::mt19937 random(seed);
  const std::vector<Goal> goals{
      {0, 0, GoalType::kPage, "/"},        {0, 0, GoalType::kPage, "/b**"},
      {0, 0, GoalType::kPage, "/a"},       {0, 0, GoalType::kEvent, "Signup"},
      {0, 0, GoalType::kEvent, "Buy"},     {0, 0, GoalType::kEvent, "pageview"},
      {0, 0, GoalType::kEvent, "Nothing"},
  };
  std::vector<FunnelQuery> queries;
  for (int i = 0; i < 40; ++i) {
    auto& query = queries.emplace_back();
    query.selection.site = store.site;
    const auto from = kDay - std::chrono::hours(random() % 60);
    query.selection.range = {UnixSeconds(from),
                             UnixSeconds(from) + std::chrono::minutes(1 + random() % 6'000)};
    query.within = i % 2 == 0 ? FunnelWithin::kVisit : FunnelWithin::kDay;
    for (auto steps = 2 + random() % 4; steps > 0; --steps) {
      query.steps.push_back(goals[random() % goals.size()]);
    }
  }
  return queries;
}

bool meets(const Goal& step, const std::string& name, const std::string& path) {
  if (step.type == GoalType::kEvent) return name == step.value;
  const bool is_open = step.value.ends_with("**");
  return name == "pageview" &&
         (is_open ? path.starts_with(step.value.substr(0, step.value.size() - 2))
                  : path == step.value);
}

/// Computes a funnel from the rows of events, each under the visitor of its visit's first event.
FunnelVisitors recounted(Store& store, const FunnelQuery& query) {
  const auto number = [](UnixSeconds time) {
    return std::to_string(time.time_since_epoch().count());
  };
  const bool by_visit = query.within == FunnelWithin::kVisit;
  std::map<std::string, std::size_t> best;                            // steps by visitor
  std::map<std::string, std::pair<std::string, std::size_t>> wholes;  // visitor and steps by visit
  for (const auto& row : store.rows(
           "SELECT coalesce(f.visitor, e.visitor) || ' ' || coalesce(v.id, 'of ' || e.visitor) ||"
           " ' ' || n.value || ' ' || p.value FROM events e"
           " LEFT JOIN visit_merges m ON m.loser = e.visit"
           " LEFT JOIN visits v ON v.id = coalesce(m.winner, e.visit)"
           " LEFT JOIN events f ON f.id = v.first"
           " JOIN strings n ON n.site = e.site AND n.kind = 1 AND n.id = e.name"
           " JOIN strings p ON p.site = e.site AND p.kind = 3 AND p.id = e.path"
           " WHERE e.time >= " +
           number(query.selection.range.from) + " AND e.time < " +
           number(query.selection.range.to) + " ORDER BY e.time, coalesce(e.millis, 0), e.id")) {
    const auto parts = split(row, ' ');
    const std::string visitor(parts[0]);
    const std::string name(parts[2]);
    const std::string path(parts[3]);
    const bool is_any = std::any_of(query.steps.begin(), query.steps.end(),
                                    [&](const Goal& step) { return meets(step, name, path); });
    if (!is_any) continue;
    auto& [of, taken] =
        wholes.try_emplace(by_visit ? std::string(parts[1]) : visitor, visitor, 0).first->second;
    if (taken < query.steps.size() && meets(query.steps[taken], name, path)) ++taken;
    best[of] = std::max(best[of], taken);
  }
  FunnelVisitors visitors(query.steps.size());
  for (const auto& [visitor, taken] : best) {
    for (std::size_t step = 0; step < taken; ++step) ++visitors[step];
  }
  return visitors;
}

std::vector<FunnelVisitors> asked(Store& store, const std::vector<FunnelQuery>& queries) {
  const Published<query::Limits> limits;
  query::Cores cores(2);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  std::vector<FunnelVisitors> answers;
  for (const auto& query : queries) answers.push_back(stats.funnel(query).value().visitors);
  return answers;
}

}  // namespace

TEST_CASE("funnel: random funnels equal a recount of rows, copies and sealed days",
          "[stats][funnel]") {
  const auto seed = GENERATE(1u, 2u, 3u, 4u);
  Store store;
  const auto plan = plan_of(seed, 600);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    store.append(plan[i]);
    if (i == plan.size() / 2) store.make_parts();  // later events stay rows beside the copies
  }
  store.write();
  const auto queries = queries_of(store, seed);
  std::vector<FunnelVisitors> expected;
  std::int64_t last_steps = 0;
  for (const auto& query : queries) {
    expected.push_back(recounted(store, query));
    last_steps += expected.back().back();
  }
  CHECK(last_steps > 100);
  CHECK(asked(store, queries) == expected);
  store.make_parts();
  CHECK(asked(store, queries) == expected);
  store.destroy_salts();
  seal_until(store, std::chrono::floor<std::chrono::days>(kNow) + std::chrono::days(10));
  CHECK(rows_left(store) == Lines{"0"});
  CHECK(asked(store, queries) == expected);
}

TEST_CASE("funnel: a query over its time or memory ends", "[stats][funnel]") {
  Store store;
  for (int i = 0; i < 100; ++i) store.append(page(i, kNow, "/a"));
  store.write();
  FunnelQuery query;
  query.selection.site = store.site;
  query.selection.range = {kNow - std::chrono::hours(1), kNow + std::chrono::hours(1)};
  query.steps = {{0, 0, GoalType::kPage, "/a"}, {0, 0, GoalType::kPage, "/b"}};
  Published<query::Limits> limits;
  query::Cores cores(2);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  CHECK(stats.funnel(query).value().visitors == FunnelVisitors{100, 0});
  limits.publish({.memory = 1'000});
  CHECK(stats.funnel(query).error().code == ErrorCode::kOverloaded);
  limits.publish({.deadline = std::chrono::milliseconds(-1)});
  CHECK(stats.funnel(query).error().message == query::kTimeIsOver);
}

}  // namespace analytics::test::funnel_test
