// Queries by goals and properties for which only some days have totals.
#include "tests/daemon/store/kept_store.h"

namespace analytics::test::totals_coverage_test {

using std::chrono::days;
using std::chrono::hours;

TEST_CASE("totals: a deleted goal has no totals, and another goal keeps its own", "[totals]") {
  KeptStore kept(5);
  kept.keep({Retention::Unit::kDays, 3}, true, kChanged);
  kept.work(kPurged);
  const TimeRange all{begin_of(kFirst - days(2)), begin_of(kKept)};
  const auto found = kept.find(all, of(Field::kGoal), true);
  CHECK(found.size() == 3);  // no event has met the goal "Never"
  Aggregation aggregation;
  aggregation.selection = {kept.store.site, all, {}, {kGoals.front()}, kZone, true};
  Grouping grouping{.dimensions = {{*of(Field::kGoal)}}};
  grouping.goals = group_by_name({kGoals.front()});
  aggregation.groupings.push_back(grouping);
  const Published<query::Limits> limits;
  query::Cores cores(1);
  sqlite::SqliteStatsStore stats(kept.store.file(), limits, cores);
  REQUIRE(stats.run(std::span(&aggregation, 1), [&](const auto& of_all) {
    auto& groups = *of_all.front().groups.front();
    REQUIRE(groups.size() == 1);
    CHECK(groups.text(0, groups.value(0, 0)) == "Signup");
    CHECK(groups.sums(0).events == found.at("0Signup").events);
  }));
}

TEST_CASE("totals: a newer goal counts by event name or is reported as left out", "[totals]") {
  KeptStore kept(9);
  const TimeRange all{begin_of(kFirst - days(2)), begin_of(kFirst + days(kDays + 2))};
  kept.goals.push_back({5, 1, GoalType::kEvent, "Purchase", "Bought"});
  const auto before = kept.find(all, of(Field::kGoal), false);
  REQUIRE(before.contains("0Bought"));
  kept.keep({Retention::Unit::kDays, 3}, true, kChanged);
  kept.work(kPurged);
  TotalsUse use;
  CHECK(kept.find(all, of(Field::kGoal), true, &use) == before);
  CHECK_FALSE(use.are_left_out);
  kept.goals.push_back({6, 1, GoalType::kPage, "/Shop", ""});
  (void)kept.find(all, of(Field::kGoal), true, &use);
  CHECK(use.are_left_out);
}

TEST_CASE("totals: a day without a property counts 0, and one without its totals is left out",
          "[totals]") {
  KeptStore kept(10);
  const auto add = [&](int visitor, Days day, const std::string& key) {
    auto event = kept.store.make(page(visitor, begin_of(day) + hours(12), "/props"));
    event.props = "{\"" + key + "\":\"v\"}";
    kept.store.append(event);
  };
  add(1, kFirst, "early");
  for (int visitor = 1; visitor <= 2; ++visitor) {
    for (int key = 0; key < 100; ++key) add(visitor, kFirst + days(1), std::to_string(key));
  }
  add(3, kFirst + days(1), "rare");
  for (const auto* key : {"late", "rare"}) add(4, kKept, key);
  kept.store.write();
  const TimeRange all{begin_of(kFirst - days(2)), begin_of(kFirst + days(kDays + 2))};
  const Dimension late{Field::kProp, "late"};
  const Dimension rare{Field::kProp, "rare"};
  const auto before = kept.find(all, late, false);
  kept.keep({Retention::Unit::kDays, 3}, true, kChanged);
  kept.work(kPurged);
  TotalsUse use;
  CHECK(kept.find(all, late, true, &use) == before);
  CHECK_FALSE(use.are_left_out);
  (void)kept.find(all, rare, true, &use);
  CHECK(use.are_left_out);
}

}  // namespace analytics::test::totals_coverage_test
