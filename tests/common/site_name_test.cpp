#include "common/text/site_name.h"

#include "tests/support/catch.h"

namespace analytics::test::site_name_test {

TEST_CASE("domain: all spellings have the same normal form", "[site]") {
  for (const auto* spelling :
       {"m\xC3\xBCnchen.de", "M\xC3\x9CNCHEN.de", " https://www.m\xC3\xBCnchen.de/ ",
        "m\xC3\xBCnchen.de.", "xn--mnchen-3ya.de", "XN--MNCHEN-3YA.DE", "mu\xCC\x88nchen.de"}) {
    CAPTURE(spelling);
    REQUIRE(normalise_domain(spelling));
    CHECK(*normalise_domain(spelling) == "m\xC3\xBCnchen.de");
  }
}

TEST_CASE("domain: a name need not be a real domain", "[site]") {
  for (const auto* name :
       {"my-mobile-app", "com.example.my_app", "my app", "example.com/blog", "a"}) {
    CAPTURE(name);
    REQUIRE(normalise_domain(name));
    CHECK(*normalise_domain(name) == name);
  }
  CHECK(*normalise_domain("My App") == "my app");
}

TEST_CASE("domain: malformed and reserved names are refused", "[site]") {
  const std::string long_name(254, 'a');
  for (const std::string bad :
       {"", " ", "/", "www.", "a:80", "a?b", "a#b", "a,b", "a//b", "a\tb", "a  b", "---", "goals",
        "shared-links", "a/b//", "\xff", "a\x01", "(other)"}) {
    CAPTURE(bad);
    CHECK(!normalise_domain(bad));
  }
  CHECK(!normalise_domain(long_name));
}

TEST_CASE("domain: a name in normal form stays unchanged", "[site]") {
  for (const auto* text :
       {"www.www.a.de", "https://http://a.de", "A.de/Blog/", "\xC4\xB0.example"}) {
    const auto once = normalise_domain(text);
    if (once) CHECK(*normalise_domain(*once) == *once);
  }
}

}  // namespace analytics::test::site_name_test
