#include "daemon/model/names/language.h"

#include <set>

#include "daemon/model/names/iso_name.h"
#include "daemon/model/names/iso_name_table.h"
#include "tests/support/catch.h"

namespace analytics::test::language_test {

TEST_CASE("language: the first language of the header counts, by its first subtag", "[model]") {
  const auto first = [](const char* header) { return language_code(first_language(header)); };
  CHECK(first("de") == "de");
  CHECK(first("en-US,en;q=0.9") == "en");
  CHECK(first("zh-Hant-TW;q=0.8, de") == "zh");
  CHECK(first("EN_gb") == "en");
  CHECK(first(" fil-PH , en") == "fil");
  for (const auto* none : {"", "*", "x", "xx", "english", "d1", "\xC3\xA4", "DE\xFF", ",de"}) {
    CAPTURE(none);
    CHECK(first(none).empty());
  }
}

TEST_CASE("language: numbers and codes convert to each other", "[model]") {
  std::set<LanguageNumber> numbers;
  for (const auto& [code, name] : iso_name_table()) {
    const bool is_language = code[0] >= 'a' && code[0] <= 'z';
    if (!is_language) continue;
    CHECK(language_code(parse_language(code)) == code);
    CHECK(numbers.insert(parse_language(code)).second);
  }
  CHECK(numbers.size() > 180);
  for (std::int64_t number = -5; number < 70'000; ++number) {
    const auto code = language_code(number);
    if (!code.empty()) CHECK(parse_language(code) == number);
  }
  CHECK(iso_name("de") == "German");
  CHECK(iso_name("DE") == "Germany");
  CHECK(iso_name("GB-LND") == "City of London");
  CHECK(iso_name("GB-BCP") == "Bournemouth, Christchurch and Poole");
  CHECK(iso_name("VG") == "British Virgin Islands");
}

}  // namespace analytics::test::language_test
