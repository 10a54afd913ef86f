#include "cli/replay/formats/country_code.h"

#include <algorithm>

#include "tests/cli/replay/formats/read_lines.h"

namespace analytics::test::country_code_test {

using namespace analytics::cli;
using namespace analytics::cli::test;

TEST_CASE("countries: codes, and names as services write them, are recognised", "[replay]") {
  const std::pair<const char*, const char*> kNames[] = {
      {"de", "DE"},
      {"Germany", "DE"},
      {"united states", "US"},
      {"United Kingdom", "GB"},
      {"UK", "UK"},  // a text of two letters counts as a code
      {"South Korea", "KR"},
      {"Republic of Korea", "KR"},
      {"Russia", "RU"},
      {"Russian Federation", "RU"},
      {"Türkiye", "TR"},
      {"Turkey", "TR"},
      {"Czechia", "CZ"},
      {"Viet Nam", "VN"},
      {"Vietnam", "VN"},
      {"Côte d’Ivoire", "CI"},
      {"Cote d'Ivoire", "CI"},
      {"Reunion", "RE"},
      {"Curaçao", "CW"},
      {"Hong Kong", "HK"},
      {"Macao", "MO"},
      {"Taiwan", "TW"},
      {"Myanmar (Burma)", "MM"},
      {"Bosnia & Herzegovina", "BA"},
      {"Bosnia and Herzegovina", "BA"},
      {"Congo - Kinshasa", "CD"},
      {"Democratic Republic of the Congo", "CD"},
      {"Congo - Brazzaville", "CG"},
      {"Republic of the Congo", "CG"},
      {"The Bahamas", "BS"},
      {"Saint Lucia", "LC"},
      {"St. Lucia", "LC"},
      {"U.S. Virgin Islands", "VI"},
      {"British Virgin Islands", "VG"},
      {"Palestine", "PS"},
      {"North Macedonia", "MK"},
      {"Kosovo", "XK"},
      {"Niger", "NE"},
      {"Nigeria", "NG"},
      {"Guinea-Bissau", "GW"},
      {"Dominica", "DM"},
      {"Dominican Republic", "DO"},
  };
  for (const auto& [name, code] : kNames) {
    INFO(name);
    CHECK(country_code(name) == code);
  }
  for (const auto* name : {"", "Atlantis", "Europe", "X", "(not set)", "\xff\xfe\xff"}) {
    INFO(name);
    CHECK_FALSE(country_code(name));
  }
  const auto table = country_name_table();
  CHECK(std::is_sorted(table.begin(), table.end(),
                       [](const auto& a, const auto& b) { return a.name < b.name; }));
}

TEST_CASE("countries: Google Analytics' country names are recognised", "[replay][exports]") {
  const std::string line =
      R"-({"event_name":"page_view","event_timestamp":"1748764800123456","user_pseudo_id":"1",)-"
      R"-("geo":{"country":"South Korea","region":"Seoul","city":"(not set)"},)-"
      R"-("event_params":[{"key":"page_location","value":{"string_value":"https://a.de/"}}]})-";
  auto chosen = open_reader("auto", line, options("a.de"));
  REQUIRE(chosen);
  const auto event = event_of(chosen->reader->read(line));
  CHECK(event.derived.country == "KR");
  CHECK_FALSE(event.derived.region.has_value());
  CHECK_FALSE(event.derived.city.has_value());
}

}  // namespace analytics::test::country_code_test
