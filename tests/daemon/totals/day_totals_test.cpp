#include "daemon/totals/day_totals.h"

#include <random>

#include "daemon/parts/packed.h"
#include "tests/support/catch.h"

namespace analytics::test::day_totals_test {

using totals::ValueSums;

namespace {

std::vector<ValueSums> random_day(std::mt19937_64& random, std::size_t size, unsigned bits) {
  std::vector<ValueSums> day;
  std::uint32_t value = 0;
  const auto sum = [&] { return static_cast<std::int64_t>(random() >> (64 - bits)); };
  for (std::size_t i = 0; i < size; ++i) {
    day.push_back({value, {sum(), sum(), sum(), sum(), sum(), sum()}});
    value += 1 + static_cast<std::uint32_t>(random() % 9);
  }
  return day;
}

}  // namespace

TEST_CASE("day totals: any totals are read back unchanged", "[totals]") {
  std::mt19937_64 random(1);
  for (const std::size_t size : {0U, 1U, 2U, 100U, 1'024U, 3'000U}) {
    for (const unsigned bits : {1U, 7U, 31U, 32U, 33U, 48U, 63U}) {
      CAPTURE(size, bits);
      const auto day = random_day(random, size, bits);
      CHECK(totals::from_bytes(totals::to_bytes(day)) == day);
    }
  }
}

TEST_CASE("day totals: only an overlap may be negative", "[totals]") {
  const std::vector<ValueSums> day{{3, {-1, 2, 0, -4, 5, -6'000'000'000}}, {7, {1, 1, 1, 1, 1, 1}}};
  const auto bytes = totals::to_bytes(day);
  CHECK(totals::from_bytes(bytes, true) == day);
  CHECK_THROWS_AS(totals::from_bytes(bytes), parts::Damaged);
}

TEST_CASE("day totals: truncated or longer bytes are refused", "[totals]") {
  std::mt19937_64 random(2);
  const auto bytes = totals::to_bytes(random_day(random, 50, 20));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_THROWS_AS(totals::from_bytes(bytes.substr(0, size)), parts::Damaged);
  }
  CHECK_THROWS_AS(totals::from_bytes(bytes + "x"), parts::Damaged);
}

TEST_CASE("day totals: each dimension has its own name", "[totals]") {
  std::set<std::string> names{std::string(kTotalDimension)};
  for (const auto& info : all_fields()) {
    const auto name = totals::stored_name({info.field, info.field == Field::kProp ? "plan" : ""});
    CHECK(name.has_value() == !is_time(info.field));
    const bool is_same = info.field == Field::kCityName;  // the same name as for the city
    if (name) CHECK(names.insert(*name).second != is_same);
  }
}

}  // namespace analytics::test::day_totals_test
