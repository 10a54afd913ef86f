#include "common/text/address.h"

#include <regex>

#include <arpa/inet.h>

#include "tests/support/catch.h"

namespace analytics::test::address_test {

namespace {

/// Removes the leading zeros of numbers with up to three digits, which inet_pton(3) rejects.
std::string without_zeros(const std::string& text) {
  static const std::regex kZeros(R"((^|\.)(?:00(?=\d(?!\d))|0(?=\d{1,2}(?!\d))))");
  return std::regex_replace(text, kZeros, "$1");
}

}  // namespace

TEST_CASE("addresses: IPv4 is read as by inet_pton(3), but leading zeros are allowed", "[common]") {
  const auto agrees = [](const std::string& text) {
    in_addr expected{};
    const bool is_address = inet_pton(AF_INET, without_zeros(text).c_str(), &expected) == 1;
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
  CHECK(parse_address("203.0.113.005") == parse_address("203.0.113.5"));
  CHECK_FALSE(parse_address("203.0.113.0005"));
  CHECK(parse_address("64:ff9b::203.0.113.5") == parse_address("203.0.113.5"));
  CHECK(parse_address("64:ff9b::cb00:7105") == parse_address("203.0.113.5"));
  CHECK_FALSE(is_v4(*parse_address("64:ff9b:1::cb00:7105")));
  CHECK_FALSE(parse_network("64:ff9b::/96"));
  CHECK(parse_network("64:ff9b::203.0.113.0/120")->contains(*parse_address("203.0.113.9")));
  CHECK_FALSE(parse_address(std::string_view("1.2.3.4\0", 8)));
  CHECK(parse_address("[::1]:80") == parse_address("::1"));
  CHECK(parse_address("\"1.2.3.4:80\"") == parse_address("1.2.3.4"));
}

}  // namespace analytics::test::address_test
