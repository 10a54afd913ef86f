#include "common/event/revenue.h"

#include "tests/support/catch.h"

namespace analytics::test::revenue_test {

TEST_CASE("revenue: decimals are parsed and formatted exactly", "[common][revenue]") {
  for (const std::string text : {"0", "12", "-1.5", "0.000001", "9000000000000"}) {
    const auto micros = parse_micros(text);
    REQUIRE(micros);
    CHECK(format_micros(*micros) == text);
  }
  CHECK(parse_micros("1.50") == 1'500'000);
  CHECK(parse_micros("1.1234567") == 1'123'456);
}

TEST_CASE("revenue: a text that is not a decimal is refused", "[common][revenue]") {
  for (const std::string text :
       {"", "-", ".5", "1.", "1e3", "--1", "1,5", "NaN", "9000000000001"}) {
    INFO(text);
    CHECK(!parse_micros(text));
  }
}

TEST_CASE("revenue: currencies are those of ISO 4217", "[common][revenue]") {
  CHECK(is_currency("EUR"));
  CHECK(!is_currency("eur"));
  CHECK(!is_currency("EU "));
  CHECK(!is_currency("XXX"));
  CHECK(!is_currency("UR E"));
}

}  // namespace analytics::test::revenue_test
