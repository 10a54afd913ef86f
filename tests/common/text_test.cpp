#include "common/text/text.h"

#include "common/run/secret.h"
#include "common/text/time.h"
#include "tests/support/catch.h"

namespace analytics::test::text_test {

TEST_CASE("text: control characters are made visible", "[text]") {
  CHECK(visible("a\x1b[2Jb\n") == "a\\x1b[2Jb\\x0a");
  CHECK(visible("\xC2\x9B") == "\\u{9b}");
  CHECK(visible("/\u202Eexe.txt") == "/\\u{202e}exe.txt");
  CHECK(count_columns("a\u0301\u6F22\xff") == 4);
  CHECK(visible("gr\xC3\xBC\xC3\x9F") == "gr\xC3\xBC\xC3\x9F");
}

TEST_CASE("text: cutting never splits a character", "[text]") {
  CHECK(cut_utf8("a\xC3\xBC", 2) == "a");
  CHECK(cut_utf8("a\xC3\xBC", 3) == "a\xC3\xBC");
}

TEST_CASE("time: only RFC 3339 with an offset is accepted", "[time]") {
  CHECK(format_rfc3339(std::chrono::floor<std::chrono::seconds>(
            *parse_rfc3339("2024-02-29T23:59:60Z"))) == "2024-02-29T23:59:59Z");
  for (const auto* bad :
       {"2023-02-29T00:00:00Z", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T25:00:00Z",
        "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00Zx", ""}) {
    CAPTURE(bad);
    CHECK(!parse_rfc3339(bad));
  }
}

TEST_CASE("time: durations and names of zones are recognised", "[time]") {
  CHECK(parse_duration("90d") == std::chrono::hours(24 * 90));
  CHECK(parse_duration("250ms") == std::chrono::milliseconds(250));
  CHECK(!parse_duration("-1s"));
  CHECK(!parse_duration("x"));
  CHECK(is_time_zone("Europe/Berlin"));
  CHECK(!is_time_zone("localtime"));
  CHECK(!is_time_zone("Mars/Olympus"));
}

TEST_CASE("secret: a key with a wrong character fails its check digits", "[secret]") {
  auto key = make_api_key();
  CHECK(key.size() == 52);
  CHECK(is_api_key(key));
  key[10] = key[10] == 'a' ? 'b' : 'a';
  CHECK(!is_api_key(key));
}

}  // namespace analytics::test::text_test
