#include "daemon/enrich/referrer.h"

#include "daemon/enrich/utm.h"
#include "tests/support/catch.h"

namespace analytics::test::referrer_test {

TEST_CASE("referrer: host and path are kept, and all else is removed", "[daemon][referrer]") {
  CHECK(stored_referrer("https://www.Google.com/", "a.de") == "google.com");
  CHECK(stored_referrer("https://news.example/item/%C3%BC?id=1#x", "a.de") ==
        "news.example/item/ü");
  CHECK(stored_referrer("android-app://com.example/screen", "a.de") == "com.example/screen");
}

TEST_CASE("referrer: the page's own host, localhost and junk count as none", "[daemon][referrer]") {
  for (const std::string text : {"https://a.de/x", "https://www.a.de/", "http://localhost:3000/",
                                 "", "direct", "https://", "://x"}) {
    INFO(text);
    CHECK(stored_referrer(text, "a.de").empty());
  }
}

TEST_CASE("utm: tags are decoded, and the source falls back", "[daemon][utm]") {
  const auto utm = extract_utm("utm_source=news+letter&utm_medium=e%2Dmail&utm_term=");
  CHECK(utm[0] == "news letter");
  CHECK(utm[1] == "e-mail");
  CHECK(utm[4].empty());
  CHECK(extract_utm("ref=partner")[0] == "partner");
  CHECK(extract_utm("ref=partner&source=other")[0] == "other");
  CHECK(extract_utm("ref=partner&utm_source=first")[0] == "first");
}

}  // namespace analytics::test::referrer_test
