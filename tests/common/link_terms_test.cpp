#include "common/wire/provisioned.h"
#include "tests/support/catch.h"

namespace analytics::test::link_terms_test {

TEST_CASE("link terms: times, periods and origins have a single form", "[common]") {
  CHECK(normalise_link_expiry("2030-01-31") == "2030-01-31T00:00:00Z");
  CHECK(normalise_link_expiry(" 2030-01-31T18:00:00.5+02:00 ") == "2030-01-31T16:00:00Z");
  CHECK(normalise_link_expiry(" ") == "");
  for (const auto* wrong :
       {"soon", "2030-02-30", "2030-01-31T18:00:00", "1", "9999-12-31T23:59:59-12:00"}) {
    CHECK(!normalise_link_expiry(wrong));
  }
  CHECK(normalise_link_period("realtime") == "realtime");
  CHECK(!normalise_link_period("5d"));
  CHECK(normalise_frame_ancestors(" https://a.example,https://*.b.example:8443\thttp://[::1] ") ==
        "https://a.example https://*.b.example:8443 http://[::1]");
  CHECK(normalise_frame_ancestors("https://a.example/ https://* http://localhost:*") ==
        "https://a.example https://* http://localhost:*");
  CHECK(normalise_frame_ancestors(", ") == "");
  for (const auto* wrong :
       {"*", "'self'", "a.example", "https://A.example", "https://a.example;x",
        "https://a.example 'none'", "https://", "https://a.example/path", "https://a.example:x",
        "https://a.*.example", "https://[::1", "https:///", "ftp://a.example"}) {
    CHECK(!normalise_frame_ancestors(wrong));
  }
  CHECK(!normalise_frame_ancestors("https://" + std::string(2'000, 'a')));
}

TEST_CASE("link terms: filters are compact JSON, and passwords have 8 to 128 characters",
          "[common]") {
  CHECK(normalise_link_filters(R"( [ ["is", "event:page", ["/a"]] ] )") ==
        R"([["is","event:page",["/a"]]])");
  CHECK(normalise_link_filters("[]") == "");
  CHECK(normalise_link_filters(
      R"([["or",[["not",["has_done",["contains","event:goal",["a"],{"case_sensitive":false}]]]]]])"));
  for (const auto* wrong :
       {"{}", "1", "[", "page==/a", "[1]", R"(["is","event:page",["/a"]])", R"([["is"]])",
        R"([["like","event:page",["/a"]]])", R"([["is","page",["/a"]]])",
        R"([["is","time:day",["2026-01-01"]]])", R"([["is","event:page","/a"]])",
        R"([["is","event:page",[]]])", R"([["not",[["is","event:page",["/a"]]]]])"}) {
    INFO(wrong);
    CHECK(!normalise_link_filters(wrong));
  }
  CHECK(!normalise_link_filters("[\"" + std::string(4'096, 'a') + "\"]"));
  CHECK(check_link_password("correct horse"));
  CHECK(check_link_password(" pässwört "));
  CHECK(check_link_password(std::string(128, 'a')));
  for (const auto& wrong :
       {std::string("1234567"), std::string(129, 'a'), std::string("12345678\n"),
        std::string("\xff\xff\xff\xff\xff\xff\xff\xff")}) {
    CHECK(!check_link_password(wrong));
  }
}

}  // namespace analytics::test::link_terms_test
