#include "common/address.h"

#include <arpa/inet.h>

#include "tests/support/catch.h"

namespace analytics::test::address_test {

TEST_CASE("addresses: IPv4 is read as inet_pton(3) reads it", "[common]") {
  const auto agrees = [](const std::string& text) {
    in_addr expected{};
    const bool is_address = inet_pton(AF_INET, text.c_str(), &expected) == 1;
    const auto read = parse_address(text);
    if (read.has_value() != is_address) return false;
    return !read || std::equal(read->begin() + 12, read->end(),
                               reinterpret_cast<const std::uint8_t*>(&expected));
  };
  for (const std::string text :
       {"0.0.0.0",  "1.2.3.4",  "255.255.255.255", "256.1.1.1",  "1.2.3.256",
        "01.2.3.4", "1.2.3.04", "1.2.3",           "1.2.3.4.",   "1.2.3.4.5",
        ".1.2.3.4", "1..3.4",   "+1.2.3.4",        "-1.2.3.4",   "1.2.3.4x",
        "1.2.3.x",  "1 .2.3.4", "0x1.2.3.4",       "1000.2.3.4", "99999999999.2.3.4",
        "",         "."}) {
    INFO(text);
    CHECK(agrees(text));
  }
  std::uint32_t state = 1;
  constexpr std::string_view kCharacters = "0123456789...";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (int length = 7 + i % 9; length > 0; --length) {
      state = state * 1'664'525 + 1'013'904'223;
      text += kCharacters[(state >> 16) % kCharacters.size()];
    }
    INFO(text);
    REQUIRE(agrees(text));
  }
  CHECK_FALSE(parse_address(std::string_view("1.2.3.4\0", 8)));
  CHECK(parse_address("[::1]:80") == parse_address("::1"));
  CHECK(parse_address("\"1.2.3.4:80\"") == parse_address("1.2.3.4"));
}

}  // namespace analytics::test::address_test
