#include <fmt/format.h>

#include "tests/daemon/store/sealed_store.h"

namespace analytics::test::engagement_test {

namespace {

/// Returns pageviews and engagements of a few visitors; a third of them imported.
std::vector<PlannedEvent> read_pages(unsigned seed, int count) {
  std::mt19937 random(seed);
  auto plan = random_events(random, count);
  for (auto& planned : plan) {
    planned.visitor = static_cast<int>(random() % 12);
    if (random() % 2 == 0) {
      planned.name = "engagement";
      if (random() % 4 != 0) planned.engagement.millis = random() % 90'000;
      if (random() % 4 != 0) planned.engagement.scroll_depth = random() % 101;
    }
    if (random() % 3 == 0) planned.import = "i";
    if (!planned.import.empty() && random() % 3 == 0) {
      planned.visit = "visit " + std::to_string(random() % 4);
    }
  }
  return plan;
}

/// Computes time and depth from the view event_text. Returns "/page seconds depth" by page.
std::map<std::string, std::string> recounted(Store& store) {
  const auto by_page = [&](const std::string& mean) {
    std::map<std::string, std::string> means;
    for (const auto& row : store.rows(
             "SELECT path || ' ' || " + mean +
             " FROM (SELECT path, visit, sum(engaged_millis) AS millis, max(scroll_depth) AS depth"
             " FROM event_text WHERE name = 'engagement' AND visit IN (SELECT id FROM visits)"
             " GROUP BY path, visit) GROUP BY path")) {
      const auto space = row.find(' ');
      const auto mean_text = row.substr(space + 1);
      means[row.substr(0, space)] =
          mean_text == "-" ? mean_text : fmt::format("{}", std::nearbyint(std::stod(mean_text)));
    }
    return means;
  };
  auto lines = by_page("coalesce(sum(millis) / 1000.0 / count(millis), '-')");
  const auto depths = by_page("coalesce(sum(depth) * 1.0 / count(depth), '-')");
  for (auto& [page, line] : lines) line = page + " " + line + " " + depths.at(page);
  return lines;
}

std::vector<std::string> ask(Store& store, std::vector<Dimension> dimensions,
                             std::vector<Metric> metrics, Filter filter = {},
                             TimeRange range = {kDay - std::chrono::days(3),
                                                kDay + std::chrono::days(3)}) {
  const Published<query::Limits> limits;
  query::Cores cores(2);
  sqlite::SqliteStatsStore stats(store.file(), limits, cores);
  Query query;
  query.selection.site = store.site;
  query.selection.range = range;
  query.selection.filter = std::move(filter);
  query.dimensions = std::move(dimensions);
  query.metrics = std::move(metrics);
  const auto answered = answer(query, stats);
  REQUIRE(answered);
  std::vector<std::string> rows;
  for (const auto& row : answered->rows) {
    auto line = join(row.dimensions, "|");
    for (const auto& metric : row.metrics) {
      const auto* number = std::get_if<double>(&metric);
      line += " " + (number == nullptr ? "-" : fmt::format("{}", *number));
    }
    rows.push_back(line);
  }
  return sorted(rows);
}

/// Returns the answers to queries about time and depth with several dimensions and filters.
std::vector<std::vector<std::string>> all_of(Store& store) {
  const std::vector<Metric> read{Metric::kTimeOnPage, Metric::kScrollDepth};
  Filter on_two;
  on_two.kind = Filter::Kind::kValue;
  on_two.dimension = {Field::kPage, ""};
  on_two.match = {MatchKind::kEquals, {"/1", "/2"}, false};
  Filter by_source = on_two;
  by_source.dimension = {Field::kSource, ""};
  by_source.match = {MatchKind::kEquals, {"s1", ""}, false};
  Filter done;
  done.kind = Filter::Kind::kHasDone;
  done.parts = {on_two};
  Filter not_done;
  not_done.kind = Filter::Kind::kNot;
  not_done.parts = {done};
  const TimeRange narrow{kDay - std::chrono::hours(1), kDay + std::chrono::hours(2)};
  const Dimension page{Field::kPage, ""};
  return {ask(store, {page}, read),
          ask(store, {page}, read, {}, narrow),
          ask(store, {page}, read, by_source),
          ask(store, {page}, read, done),
          ask(store, {page}, read, not_done, narrow),
          ask(store, {{Field::kSource, ""}}, read, on_two),
          ask(store, {}, read, on_two),
          ask(store, {page, {Field::kHour, ""}}, read),
          ask(store, {page, {Field::kEntryPage, ""}}, read, {}, narrow),
          ask(store, {{Field::kExitPage, ""}}, {Metric::kVisits, Metric::kExitRate})};
}

}  // namespace

TEST_CASE("engagement: time and depth of pages equal a recount, sealed or not",
          "[stats][sealing]") {
  const auto seed = GENERATE(range(1U, 9U));
  CAPTURE(seed);
  Store store(seed % 2 == 0 ? Visits::kMaxOpen : 3);
  const auto plan = read_pages(seed, 300);
  for (const auto& planned : plan) (void)store.append(planned);
  store.write();
  const auto expected = recounted(store);
  const auto rows = ask(store, {{Field::kPage, ""}}, {Metric::kTimeOnPage, Metric::kScrollDepth});
  REQUIRE(rows.size() >= expected.size());
  for (const auto& row : rows) {
    const auto found = expected.find(row.substr(0, row.find(' ')));
    CHECK(row == (found == expected.end() ? row.substr(0, row.find(' ')) + " - -" : found->second));
  }
  const auto before = all_of(store);
  store.make_parts();  // engagements stay rows beside the copies
  CHECK(all_of(store) == before);
  store.destroy_salts();
  store.seal();
  CHECK(rows_left(store) == Lines{"0"});
  CHECK(all_of(store) == before);
  store.undo("i");  // new parts have the events that stay
  Store other;
  for (const auto& planned : plan) {
    if (planned.import.empty()) (void)other.append(planned);
  }
  other.write();
  CHECK(ask(store, {{Field::kPage, ""}}, {Metric::kPageviews}) ==
        ask(other, {{Field::kPage, ""}}, {Metric::kPageviews}));
}

TEST_CASE("engagement: times of a visit are added up, and its greatest depth counts", "[stats]") {
  Store store;
  const auto read = [&](int visitor, int minute, const std::string& path, Engagement engagement) {
    auto planned = page(visitor, kDay + std::chrono::minutes(minute), path);
    planned.name = "engagement";
    planned.engagement = engagement;
    return store.append(planned);
  };
  store.append(page(1, kDay, "/a"));
  store.append(page(2, kDay, "/a"));
  store.append(page(3, kDay, "/a"));
  read(1, 1, "/a", {120'000, 20});
  read(1, 2, "/a", {20'000, 90});
  read(1, 3, "/a", {{}, 40});
  read(2, 1, "/a", {60'000, {}});
  read(1, 4, "/b", {1'000, 0});
  store.write();
  const auto pages = [&] {
    return ask(store, {{Field::kPage, ""}},
               {Metric::kVisitors, Metric::kTimeOnPage, Metric::kScrollDepth});
  };
  CHECK(pages() ==
        Lines{"/a 3 100 90"});  // the third engagement has no values, and /b has no pageview
  store.destroy_salts();
  store.seal();
  CHECK(pages() == Lines{"/a 3 100 90"});
}

TEST_CASE("engagement: an exit rate refers to the page's pageviews", "[stats]") {
  Store store;
  const auto at = [](int minute) { return kDay + std::chrono::minutes(minute); };
  for (const auto& [visitor, minute, path] : {std::tuple(1, 0, "/one"),
                                              {1, 10, "/two"},
                                              {3, 0, "/one"},
                                              {3, 1, "/never"},
                                              {3, 10, "/one"}}) {
    store.append(page(visitor, at(minute), path));
  }
  auto event = page(3, at(2), "/one");
  event.name = "a";
  store.append(event);
  store.write();
  // The numbers are those of Plausible's tests.
  CHECK(ask(store, {{Field::kExitPage, ""}}, {Metric::kExitRate}) ==
        Lines{"/one 33.3", "/two 100"});
}

}  // namespace analytics::test::engagement_test
