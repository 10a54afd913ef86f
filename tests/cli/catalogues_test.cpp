#include <set>

#include "cli/frame/exit_code.h"
#include "cli/replay/formats/open_reader.h"
#include "cli/stats/stats_words.h"
#include "common/io/fs.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

namespace analytics::test::catalogues_test {

using namespace analytics::cli;

namespace {

std::string manual(const std::string& page) { return *read_file(in_checkout("man/" + page)); }

/// Returns true if the text contains the word as a whole word.
bool has_word(const std::string& text, std::string_view word) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-';
  };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) {
      return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("catalogues: the manual names every format, and replay accepts each",
          "[cli][catalogues]") {
  const auto page = manual("analytics-replay.1");
  std::set<std::string_view> names;
  for (const auto& [name, about] : input_formats()) {
    CHECK(has_word(page, name));
    CHECK(is_format(name));
    CHECK(!about.empty());
    names.insert(name);
  }
  CHECK(names.size() == input_formats().size());
  CHECK(is_format("iis"));
  CHECK(!is_format("nonsense"));
}

TEST_CASE("catalogues: the manual explains each exit code", "[cli][catalogues]") {
  const auto page = manual("analytics.1");
  for (const auto& [codes, about] : kExitCodes) {
    const auto entry = ".It " + std::string(codes) + "\n" + std::string(about) + "\n";
    CHECK(page.find(entry) != std::string::npos);
  }
}

TEST_CASE("catalogues: each word that stats accepts is in the manual and names a dimension",
          "[cli][catalogues]") {
  const auto page = manual("analytics.1");
  for (const auto& word : stats_words()) {
    INFO(word);
    CHECK(has_word(page, word));
  }
  CHECK(property_of("page") == "event:page");
  CHECK(property_of("source") == "visit:source");
  CHECK(property_of("entry_page") == "visit:entry_page");
  CHECK(property_of("props:plan") == "event:props:plan");
  CHECK(property_of("visit:os") == "visit:os");
  for (const auto& metric : stats_metrics()) CHECK(has_word(page, metric));
}

}  // namespace analytics::test::catalogues_test
