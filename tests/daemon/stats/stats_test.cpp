#include "common/text/local_time.h"
#include "daemon/call/representation.h"
#include "daemon/stats/buckets.h"
#include "daemon/stats/comparison.h"
#include "daemon/stats/formulas.h"
#include "daemon/stats/money.h"
#include "daemon/stats/period.h"
#include "tests/support/catch.h"

namespace analytics::test::stats_test {

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

TEST_CASE("stats: periods are whole days as in the Stats API", "[stats]") {
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
  CHECK(shown(Result<Period>(period_before({kToday - std::chrono::days(6), kToday}, kToday))) ==
        "2026-11-08..2026-11-14");
  CHECK(shown(Result<Period>(period_before(*parse_period("month", "", kToday), kToday))) ==
        "2026-10-11..2026-10-31");
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
  CHECK(range_text("2018-11-04", "2018-11-04", "America/Sao_Paulo") ==  // the day begins at 01:00
        "2018-11-04T03:00:00Z 2018-11-05T02:00:00Z");
  CHECK(shown(local_day(UnixSeconds(kToday) + std::chrono::hours(23), "Pacific/Auckland")) ==
        "2026-11-22");
}

TEST_CASE("stats: metrics are computed from sums", "[stats]") {
  const Sums sums{7, 12, 20, 9, {4, 1'004}, {}};
  const auto is = [](const Value& value, double number) { return value == Value(number); };
  CHECK(is(value_of(Metric::kVisitors, sums), 7));
  CHECK(is(value_of(Metric::kVisits, sums), 9));
  CHECK(is(value_of(Metric::kPageviews, sums), 12));
  CHECK(is(value_of(Metric::kEvents, sums), 20));
  CHECK(is(value_of(Metric::kViewsPerVisit, sums), 1.33));
  CHECK(is(value_of(Metric::kBounceRate, sums), 44));
  CHECK(is(value_of(Metric::kVisitDuration, sums), 112));
  // 57.5 and 12.5 are rounded to even.
  CHECK(is(value_of(Metric::kBounceRate, {0, 0, 0, 40, {23, 0}, {}}), 58));
  CHECK(is(value_of(Metric::kBounceRate, {0, 0, 0, 8, {1, 0}, {}}), 12));
  CHECK(is(value_of(Metric::kPercentage, sums, {21, 0, 0}), 33.3));
  CHECK(is(value_of(Metric::kConversionRate, sums, {0, 21, 0}), 33.33));
  CHECK(is(value_of(Metric::kGroupConversionRate, sums, {0, 0, 0}), 0));
  CHECK(is(value_of(Metric::kBounceRate, {}), 0));
  CHECK(value_of(Metric::kVisitDuration, {}) == Value());
  Sums paid;
  paid.revenue = {{"EUR", {10'000'001, 3}}, {"USD", {5, 1}}};
  CHECK(value_of(Metric::kTotalRevenue, paid) ==
        Value(std::vector<Money>{{"EUR", 10'000'001}, {"USD", 5}}));
  CHECK(value_of(Metric::kAverageRevenue, paid) ==
        Value(std::vector<Money>{{"EUR", 3'333'000}, {"USD", 0}}));
  CHECK(is(change_of(Metric::kVisits, 15.0, 10.0), 50));
  CHECK(is(change_of(Metric::kVisits, 5.0, 0.0), 100));
  CHECK(is(change_of(Metric::kVisits, 0.0, 0.0), 0));
  CHECK(is(change_of(Metric::kBounceRate, 40.0, 50.0), -10));
  CHECK(change_of(Metric::kBounceRate, 40.0, 0.0) == Value());
  CHECK(is(change_of(Metric::kConversionRate, 50.0, 33.33), 16.7));
  CHECK(change_of(Metric::kVisitDuration, Value(), 10.0) == Value());
  const auto money = [](std::vector<Money> amounts) { return Value(std::move(amounts)); };
  const auto revenue_change = [&](std::vector<Money> now, std::vector<Money> then) {
    return change_of(Metric::kTotalRevenue, money(std::move(now)), money(std::move(then)));
  };
  CHECK(is(revenue_change({{"EUR", 15}}, {{"EUR", 10}}), 50));
  CHECK(is(revenue_change({{"EUR", 15}}, {}), 100));
  CHECK(revenue_change({}, {}) == Value());
  CHECK(revenue_change({{"EUR", 15}}, {{"USD", 10}}) == Value());
  CHECK(revenue_change({{"EUR", 1}, {"USD", 1}}, {{"EUR", 1}}) == Value());
}

TEST_CASE("comparison: each mode gives its range", "[unit]") {
  const auto compared = [](Comparison::Mode mode, const char* first, const char* last,
                           bool match = false, const char* zone = "Europe/Berlin") {
    const UnixSeconds now = Days(kToday) + std::chrono::hours(12);
    const auto range = range_of({*parse_day(first), *parse_day(last)}, zone);
    const auto then = compared_range({mode, match}, range, zone, now);
    return format_local(then.from, zone).substr(0, 10) + ".." +
           format_local(then.to - std::chrono::seconds(1), zone).substr(0, 10);
  };
  using enum Comparison::Mode;
  CHECK(compared(kPreviousPeriod, "2026-11-08", "2026-11-10") == "2026-11-05..2026-11-07");
  CHECK(compared(kPreviousPeriod, "2026-11-01", "2026-11-30") == "2026-10-11..2026-10-31");
  CHECK(compared(kPreviousPeriod, "2026-10-20", "2026-10-31") == "2026-10-08..2026-10-19");
  CHECK(compared(kPreviousPeriod, "2026-11-08", "2026-11-10", true) == "2026-11-01..2026-11-03");
  CHECK(compared(kYearOverYear, "2026-11-08", "2026-11-10") == "2025-11-08..2025-11-10");
  CHECK(compared(kYearOverYear, "2026-11-01", "2026-11-30") == "2025-11-01..2025-11-21");
  CHECK(compared(kYearOverYear, "2024-02-29", "2024-02-29") == "2023-02-28..2023-02-28");
  CHECK(compared(kYearOverYear, "2024-02-01", "2024-02-29") == "2023-02-01..2023-02-28");
  CHECK(compared(kYearOverYear, "2025-02-01", "2025-03-01") == "2024-02-01..2024-03-01");
  CHECK(compared(kYearOverYear, "2024-01-01", "2024-12-31") == "2023-01-01..2023-12-31");
  CHECK(compared(kYearOverYear, "2025-01-01", "2025-12-31") == "2024-01-01..2024-12-31");
  CHECK(compared(kYearOverYear, "2026-11-08", "2026-11-10", true) == "2025-11-09..2025-11-11");
  // Two days are not a whole number of weeks, so the weekday does not match.
  CHECK(compared(kPreviousPeriod, "2026-11-09", "2026-11-10", true) == "2026-11-02..2026-11-03");
  const TimeRange hours{Days(kToday), Days(kToday) + std::chrono::hours(5)};
  CHECK(compared_range({}, hours, "Etc/UTC", hours.to).to == hours.from);
  // After a leap day, the same hours of the previous year are more than 365 days earlier.
  const TimeRange morning{*parse_day("2024-03-05"),
                          *parse_day("2024-03-05") + std::chrono::hours(12)};
  const auto year_before = compared_range({kYearOverYear}, morning, "Europe/Berlin", morning.to);
  CHECK(year_before.from == UnixSeconds(*parse_day("2023-03-05")));
  CHECK(year_before.to == UnixSeconds(*parse_day("2023-03-05")) + std::chrono::hours(12));
}

TEST_CASE("comparison: an unfinished range is compared with the same part of the other", "[unit]") {
  constexpr char kZone[] = "America/New_York";
  // `now` is the local time in the zone.
  const auto compared = [&](const char* now, const char* first, const char* last, int calendar,
                            Comparison::Mode mode = Comparison::Mode::kPreviousPeriod) {
    const auto shown = std::chrono::floor<std::chrono::seconds>(*parse_rfc3339(now));
    const auto range = range_of({*parse_day(first), *parse_day(last)}, kZone);
    Comparison comparison{mode};
    comparison.same_part = true;
    comparison.calendar = std::chrono::months(calendar);
    const auto then = compared_range(comparison, range, kZone, from_local(shown, kZone));
    return format_local(then.from, kZone) + ".." + format_local(then.to, kZone);
  };
  using enum Comparison::Mode;
  CHECK(compared("2026-11-20T10:00:00Z", "2026-11-20", "2026-11-20", 0) ==
        "2026-11-19 00:00:00..2026-11-19 10:00:00");
  // The local time counts, even on a day of 25 hours.
  CHECK(compared("2026-11-02T10:00:00Z", "2026-11-02", "2026-11-02", 0) ==
        "2026-11-01 00:00:00..2026-11-01 10:00:00");
  CHECK(compared("2026-11-20T10:00:00Z", "2026-11-01", "2026-11-30", 1) ==
        "2026-10-01 00:00:00..2026-10-20 10:00:00");
  CHECK(compared("2026-11-20T10:00:00Z", "2026-01-01", "2026-12-31", 12) ==
        "2025-01-01 00:00:00..2025-11-20 10:00:00");
  CHECK(compared("2026-11-20T10:00:00Z", "2026-11-01", "2026-11-30", 1, kYearOverYear) ==
        "2025-11-01 00:00:00..2025-11-20 10:00:00");
  // February has no such day, so it counts in full.
  CHECK(compared("2026-03-30T10:00:00Z", "2026-03-01", "2026-03-31", 1) ==
        "2026-02-01 00:00:00..2026-03-01 00:00:00");
  CHECK(compared("2024-02-29T10:00:00Z", "2024-02-01", "2024-02-29", 1, kYearOverYear) ==
        "2023-02-01 00:00:00..2023-03-01 00:00:00");
  // A range in the past is compared in full.
  CHECK(compared("2026-11-20T10:00:00Z", "2026-11-18", "2026-11-19", 0) ==
        "2026-11-16 00:00:00..2026-11-18 00:00:00");
}

TEST_CASE("formulas: amounts of money are written as in English", "[unit]") {
  const auto texts = [](const std::string& currency, std::int64_t micros) {
    return long_text({currency, micros}) + " " + short_text({currency, micros});
  };
  CHECK(texts("EUR", 0) == "€0.00 €0.0");
  CHECK(texts("USD", 1'659'500'000) == "$1,659.50 $1.7K");
  CHECK(texts("EUR", 166'733'566'748'000) == "€166,733,566.75 €166.7M");
  CHECK(texts("JPY", 1'234'000'000) == "¥1,234 ¥1.2K");
  CHECK(texts("KWD", 1'500'000) == "KWD 1.500 KWD 1.5");
  CHECK(texts("SEK", -999'960'000) == "-SEK 999.96 -SEK 1.0K");
  CHECK(texts("USD", 31'895'000) == "$31.90 $31.9");  // halves round to even
  CHECK(texts("USD", 31'885'000) == "$31.88 $31.9");
  CHECK(texts("USD", 250'000) == "$0.25 $0.2");
  CHECK(texts("GBP", 9'000'000'000'000'000'000) == "£9,000,000,000,000.00 £9.0T");
}

namespace {

/// Returns the number of buckets and their first and last label.
std::string buckets_text(Field field, const char* first, const char* last, const char* zone) {
  const auto buckets =
      make_buckets(field, range_of({*parse_day(first), *parse_day(last)}, zone), zone);
  return std::to_string(buckets.size()) + " " + buckets.front().label + " " + buckets.back().label;
}

}  // namespace

TEST_CASE("stats: a range is divided into hours, days, weeks and months", "[stats]") {
  CHECK(buckets_text(Field::kHour, "2026-11-21", "2026-11-21", "Etc/UTC") ==
        "24 2026-11-21 00:00:00 2026-11-21 23:00:00");
  CHECK(buckets_text(Field::kHour, "2026-03-29", "2026-03-29", "Europe/Berlin") ==
        "23 2026-03-29 00:00:00 2026-03-29 23:00:00");
  CHECK(buckets_text(Field::kHour, "2026-10-25", "2026-10-25", "Europe/Berlin") ==
        "25 2026-10-25 00:00:00 2026-10-25 23:00:00");
  CHECK(buckets_text(Field::kHour, "2026-11-21", "2026-11-21", "Asia/Kathmandu") ==
        "24 2026-11-21 00:00:00 2026-11-21 23:00:00");
  CHECK(buckets_text(Field::kDay, "2026-03-01", "2026-03-31", "Europe/Berlin") ==
        "31 2026-03-01 2026-03-31");
  CHECK(buckets_text(Field::kWeek, "2020-12-20", "2021-01-05",
                     "Etc/UTC") ==  // the range begins on a Sunday
        "4 2020-12-20 2021-01-04");
  CHECK(buckets_text(Field::kMonth, "2026-01-17", "2026-03-01", "America/New_York") ==
        "3 2026-01-01 2026-03-01");
  const auto hours = make_buckets(
      Field::kHour, range_of({*parse_day("2026-10-25"), *parse_day("2026-10-25")}, "Europe/Berlin"),
      "Europe/Berlin");
  CHECK(hours[2].label == "2026-10-25 02:00:00");
  CHECK(hours[3].label == "2026-10-25 02:00:00+01:00");
  CHECK(hours[3].from - hours[2].from == std::chrono::hours(1));
  const UnixSeconds long_ago = Days(std::chrono::year(-1) / 12 / 31);
  CHECK(make_buckets(Field::kHour, {long_ago, long_ago + std::chrono::hours(24)}, "Europe/Berlin")
            .size() == 25);
}

TEST_CASE("stats: if midnight occurs twice, a day begins when the previous day is over",
          "[stats]") {
  CHECK(range_text("2010-11-07", "2010-11-07", "America/St_Johns") ==  // clocks moved back at 00:01
        "2010-11-07T03:30:00Z 2010-11-08T03:30:00Z");
  CHECK(range_text("2025-11-02", "2025-11-02", "America/Havana") ==  // clocks moved back at 01:00
        "2025-11-02T04:00:00Z 2025-11-03T05:00:00Z");
  CHECK(format_with_offset(UnixSeconds(kToday), "America/St_Johns") == "2026-11-20T20:30:00-03:30");
  CHECK(format_with_offset(UnixSeconds(Days(std::chrono::year(1800) / 1 / 1)), "Europe/Berlin") ==
        "1800-01-01T00:00:00Z");
}

TEST_CASE("representation: headers tell the coding a client accepts and the version it has",
          "[api]") {
  for (const auto* takes : {"gzip", "GZIP", "br, gzip;q=0.5", "*", "*;q=0, gzip", "gzip;level=9"}) {
    CHECK(api::accepts_gzip(takes));
  }
  for (const auto* refuses : {"", "br", "gzip;q=0", "gzip ; q = 0.0", "*, gzip;q=0", "*;q=0",
                              "gzip;level=9;q=0", "gzip;q=x"}) {
    CHECK_FALSE(api::accepts_gzip(refuses));
  }
  CHECK(api::names_tag("W/\"a\", \"b\"", "W/\"b\""));
  CHECK(api::names_tag("*", "W/\"b\""));
  CHECK_FALSE(api::names_tag("\"bb\", b", "W/\"b\""));
  CHECK_FALSE(api::names_tag("", "W/\"b\""));
}

}  // namespace analytics::test::stats_test
