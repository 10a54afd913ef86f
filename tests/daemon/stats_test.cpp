#include "common/local_time.h"
#include "daemon/stats/formulas.h"
#include "daemon/stats/period.h"
#include "tests/support/catch.h"

using namespace analytics;

namespace {

constexpr Days kToday = std::chrono::year(2026) / 11 / 21;

std::string shown(Days day) { return format_rfc3339(UnixSeconds(day)).substr(0, 10); }
std::string shown(const Result<Period>& period) {
  return period ? shown(period->first) + ".." + shown(period->last)
                : period.error().fields.front().field;
}
std::string range_text(const char* first, const char* last, const char* zone) {
  const auto range = range_of({*parse_day(first), *parse_day(last)}, zone);
  return format_rfc3339(range.from) + " " + format_rfc3339(range.to);
}

}  // namespace

TEST_CASE("stats: periods are whole days, as the Stats API has them", "[stats]") {
  CHECK(shown(parse_period("day", "", kToday)) == "2026-11-21..2026-11-21");
  CHECK(shown(parse_period("day", "2026-02-28", kToday)) == "2026-02-28..2026-02-28");
  CHECK(shown(parse_period("7d", "", kToday)) == "2026-11-14..2026-11-20");
  CHECK(shown(parse_period("30d", "2026-03-01", kToday)) == "2026-01-30..2026-02-28");
  CHECK(shown(parse_period("", "", kToday)) == "2026-10-22..2026-11-20");
  CHECK(shown(parse_period("month", "2024-02-10", kToday)) == "2024-02-01..2024-02-29");
  CHECK(shown(parse_period("6mo", "", kToday)) == "2026-06-01..2026-11-30");
  CHECK(shown(parse_period("12mo", "", kToday)) == "2025-12-01..2026-11-30");
  CHECK(shown(parse_period("custom", "2026-01-01, 2026-01-31", kToday)) ==
        "2026-01-01..2026-01-31");
  CHECK(shown(Result<Period>(period_before({kToday - std::chrono::days(6), kToday}))) ==
        "2026-11-08..2026-11-14");
  for (const auto* date : {"", "2026-01-31", "2026-01-31,2026-01-01", "2026-01-01,x"}) {
    CHECK(shown(parse_period("custom", date, kToday)) == "date");
  }
  for (const auto* date : {"today", "2026-02-29", "2026-2-1", "21.11.2026"}) {
    CHECK(shown(parse_period("day", date, kToday)) == "date");
  }
  CHECK(shown(parse_period("week", "", kToday)) == "period");
}

TEST_CASE("stats: days begin at local midnight, also when clocks change", "[stats]") {
  CHECK(range_text("2026-11-21", "2026-11-21", "Etc/UTC") ==
        "2026-11-21T00:00:00Z 2026-11-22T00:00:00Z");
  CHECK(range_text("2026-03-29", "2026-03-29", "Europe/Berlin") ==  // 23 hours
        "2026-03-28T23:00:00Z 2026-03-29T22:00:00Z");
  CHECK(range_text("2026-10-25", "2026-10-25", "Europe/Berlin") ==  // 25 hours
        "2026-10-24T22:00:00Z 2026-10-25T23:00:00Z");
  CHECK(range_text("2018-11-04", "2018-11-04", "America/Sao_Paulo") ==  // begins at one o'clock
        "2018-11-04T03:00:00Z 2018-11-05T02:00:00Z");
  CHECK(shown(local_day(UnixSeconds(kToday) + std::chrono::hours(23), "Pacific/Auckland")) ==
        "2026-11-22");
}

TEST_CASE("stats: metrics of sums", "[stats]") {
  const Sums sums{7, 12, 20, 9, 4, 1'004};
  CHECK(value_of(Metric::kVisitors, sums) == 7);
  CHECK(value_of(Metric::kVisits, sums) == 9);
  CHECK(value_of(Metric::kPageviews, sums) == 12);
  CHECK(value_of(Metric::kEvents, sums) == 20);
  CHECK(value_of(Metric::kViewsPerVisit, sums) == 1.33);
  CHECK(value_of(Metric::kBounceRate, sums) == 44);
  CHECK(value_of(Metric::kVisitDuration, sums) == 112);
  CHECK(value_of(Metric::kBounceRate, {0, 0, 0, 40, 23, 0}) == 58);
  CHECK(value_of(Metric::kViewsPerVisit, {0, 41, 0, 40, 0, 0}) == 1.03);
  CHECK(value_of(Metric::kBounceRate, {}) == 0);
  CHECK(value_of(Metric::kVisitDuration, {}) == std::nullopt);
  CHECK(change_of(Metric::kVisits, 15, 10) == 50);
  CHECK(change_of(Metric::kVisits, 5, 0) == 100);
  CHECK(change_of(Metric::kVisits, 0, 0) == 0);
  CHECK(change_of(Metric::kBounceRate, 40, 50) == -10);
  CHECK(change_of(Metric::kVisitDuration, std::nullopt, 10) == std::nullopt);
}
