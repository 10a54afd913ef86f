#include "common/wire/retention.h"
#include "tests/support/catch.h"

namespace analytics::test::retention_test {

using namespace std::chrono;

TEST_CASE("retention: only forever and whole numbers of days or months are valid", "[common]") {
  for (const auto* text : {"forever", "1d", "90d", "1mo", "25mo"}) {
    CHECK(to_text(parse_retention(text).value()) == text);
  }
  CHECK(to_text(parse_retention(" 25mo ").value()) == "25mo");
  for (const auto* text : {"", "0d", "-1d", "90", "1y", "d", "mo", "1.5d", "1 d", "36501d",
                           "1201mo", "99999999999999999999d", "Forever", "25MO"}) {
    INFO(text);
    CHECK(parse_retention(text).error().fields.front().field == "keep");
  }
}

TEST_CASE("retention: the first kept day follows from the current day", "[common]") {
  const auto first = [](const char* text, Days today) {
    return first_kept(parse_retention(text).value(), today);
  };
  CHECK_FALSE(first("forever", 2026y / 11 / 21));
  CHECK(first("1d", 2026y / 11 / 21) == Days(2026y / 11 / 20));
  CHECK(first("25mo", 2026y / 11 / 21) == Days(2024y / 10 / 21));
  CHECK(first("1mo", 2026y / 3 / 31) == Days(2026y / 2 / 28));
  CHECK(first("12mo", 2024y / 2 / 29) == Days(2023y / 2 / 28));
  CHECK(is_shorter({Retention::Unit::kDays, 30}, {}, 2026y / 11 / 21));
  CHECK(is_shorter({Retention::Unit::kDays, 30}, {Retention::Unit::kMonths, 1}, 2026y / 11 / 21));
  CHECK_FALSE(is_shorter({}, {Retention::Unit::kDays, 30}, 2026y / 11 / 21));
  CHECK_FALSE(is_shorter({}, {}, 2026y / 11 / 21));
}

}  // namespace analytics::test::retention_test
