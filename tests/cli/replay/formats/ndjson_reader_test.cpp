#include "cli/replay/formats/ndjson_reader.h"

#include "tests/support/catch.h"

namespace analytics::test::ndjson_reader_test {

using namespace analytics::cli;

namespace {

ReaderOptions options() {
  ReaderOptions made;
  made.site = "a.de";
  made.now = UnixMillis(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1));
  return made;
}

}  // namespace

TEST_CASE("ndjson: the site is filled in or replaced", "[replay]") {
  const std::string bare = R"({"n":"x","u":"https://a.de/","timestamp":1500000000})";
  const auto filled = NdjsonReader(options()).read(bare);
  CHECK(std::get<ReplayEvent>(filled).payload.domains.front() == "a.de");
  auto other = options();
  other.site_override = "b.de";
  const auto replaced_site =
      NdjsonReader(other).read(R"({"d":"c.de","n":"x","u":"https://a.de/"})");
  CHECK(std::get<ReplayEvent>(replaced_site).payload.domains.front() == "b.de");
  CHECK(std::holds_alternative<Error>(NdjsonReader(options()).read("{")));
}

}  // namespace analytics::test::ndjson_reader_test
