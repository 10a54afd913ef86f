#pragma once

#include "common/text/local_time.h"
#include "tests/daemon/store/sealed_store.h"

namespace analytics::test {

inline constexpr char kZone[] = "Europe/Berlin";
inline constexpr int kEvents = 300;
inline constexpr int kDays = 8;  // number of days with events
inline const Days kFirst = kDay - std::chrono::days(2);
inline const Days kKept = kFirst + std::chrono::days(5);  // first day whose events are kept
inline const UnixSeconds kChanged =
    start_of_day(kKept + std::chrono::days(3), kZone) - std::chrono::hours(24);
inline const UnixSeconds kPurged = kChanged + std::chrono::hours(40);

/// Sums of each group. The key is the index of the time bucket followed by the group's value.
using Found = std::map<std::string, Sums>;

inline std::optional<Dimension> of(Field field) { return Dimension{field, {}}; }

inline const std::vector<std::optional<Dimension>> kBy = [] {
  std::vector<std::optional<Dimension>> all{std::nullopt, Dimension{Field::kProp, "plan"},
                                            Dimension{Field::kProp, "size"}};
  for (const auto& info : all_fields()) {
    const bool is_too_fine = info.field == Field::kHour || info.field == Field::kMinute;
    if (info.field != Field::kProp && !is_too_fine) all.push_back(of(info.field));
  }
  return all;
}();

inline UnixSeconds begin_of(Days day) { return start_of_day(day, kZone); }

/// A store with random events on several days; some visits span midnight.
struct KeptStore {
  explicit KeptStore(unsigned seed) : random(seed), maker(seed) {
    store.change(std::string("UPDATE sites SET timezone = '") + kZone + "'");
    for (const auto& goal : kGoals) {
      auto made = goal;
      made.site = store.site;
      REQUIRE(store.registry().sites().ensure_goal(made, kNow));
    }
    for (auto planned : random_events(random, kEvents)) {
      planned.visitor = static_cast<int>(random() % 40);
      planned.time += std::chrono::days(random() % (kDays - 1)) - std::chrono::days(1);
      store.append(event_of(store, maker.counted(planned)));
    }
    store.write();
  }

  void keep(Retention keep, bool totals, UnixSeconds now) {
    store::SiteUpdate update;
    update.keep = keep;
    update.keep_totals = totals;
    REQUIRE(store.registry().sites().update_site(store.site, update, now, std::chrono::hours(1)));
  }

  /// Runs background work until nothing is due at `now`. Calls `between` after each slice.
  void work(
      UnixSeconds now, const std::function<void()>& between = [] {}) {
    const auto is_busy = [&] {
      return store.rows(
                 "SELECT (SELECT count(*) FROM removals) + (SELECT count(*) FROM text_sweeps)"
                 " + (SELECT count(*) FROM total_batches WHERE state <> 1)") != Lines{"0"};
    };
    REQUIRE(store.events().expiry_slice(now));
    while (is_busy() || *store.events().expiry_slice(now)) {
      REQUIRE(store.events().totals_slice(now).has_value());
      if (!*store.events().removal_slice()) store.make_some_parts();
      between();
      store.events().wait_for_totals();
    }
  }

  Found find(const TimeRange& range, const std::optional<Dimension>& by, bool with_totals,
             TotalsUse* use = nullptr, const Filter& filter = {}) {
    REQUIRE(store.events().publish());
    Aggregation aggregation;
    aggregation.selection = {store.site, range, filter, goals, kZone, with_totals};
    Grouping grouping{.visits = true};
    if (by) grouping.dimensions.push_back({*by, std::string(empty_value(by->field))});
    if (by && is_time(by->field)) {
      for (const auto& bucket : make_buckets(by->field, range, kZone)) {
        grouping.buckets.push_back(bucket.from);
      }
    }
    if (by && by->field == Field::kGoal) grouping.goals = group_by_name(goals);
    aggregation.groupings.push_back(grouping);
    const Published<query::Limits> limits;
    query::Cores cores(1);
    sqlite::SqliteStatsStore stats(store.file(), limits, cores);
    Found found;
    const auto note = [&](const auto& all) {
      auto& groups = *all.front().groups.front();
      if (use != nullptr) *use = all.front().totals;
      for (std::size_t group = 0; group < groups.size(); ++group) {
        auto text = std::to_string(groups.bucket(group));
        if (by) text += groups.text(0, groups.value(group, 0));
        const auto is_new = found.emplace(text, groups.sums(group)).second;
        CHECK(is_new);
      }
    };
    const auto done = stats.run(std::span(&aggregation, 1), note);
    INFO((done ? std::string() : done.error().message));
    REQUIRE(done);
    return found;
  }

  Store store;
  std::vector<Goal> goals = kGoals;  ///< Goals that find() groups by.
  std::mt19937 random;
  Maker maker;
};

}  // namespace analytics::test
