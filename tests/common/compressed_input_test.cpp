#include "common/compressed_input.h"

#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

using namespace analytics;

namespace {

struct Read {
  std::vector<CompressedInput::Line> lines;
  bool failed = false;
};

Read read_all(const std::filesystem::path& file, std::size_t max_line = 1'000) {
  auto input = CompressedInput::open(file, max_line);
  REQUIRE(input);
  Read all;
  for (CompressedInput::Line line; (*input)->next(line);) all.lines.push_back(line);
  all.failed = (*input)->error().has_value();
  return all;
}

}  // namespace

TEST_CASE("compressed_input: plain and gzip give the same lines and offsets", "[common][input]") {
  const test::TempFolder folder;
  std::ofstream(folder / "a") << "one\r\n\ntwo\nlast";
  test::run({"sh", "-c", "gzip -c " + (folder / "a").string() + " >" + (folder / "b").string()});
  for (const auto* name : {"a", "b"}) {
    const auto read = read_all(folder / name);
    REQUIRE(read.lines.size() == 4);
    CHECK(read.lines[0].text == "one");
    CHECK(read.lines[1].text.empty());
    CHECK(read.lines[2].offset == 6);
    CHECK(read.lines[3].text == "last");
    CHECK(!read.failed);
  }
}

TEST_CASE("compressed_input: several gzip members are one text, a cut one is an error",
          "[common][input]") {
  const test::TempFolder folder;
  const auto at = [&](const char* name) { return (folder / name).string(); };
  std::ofstream(folder / "a") << "one\n";
  test::run({"sh", "-c",
             "gzip -c " + at("a") + " >" + at("b") + "; cat " + at("b") + " " + at("b") + " >" +
                 at("c") + "; head -c 22 " + at("b") + " >" + at("d")});
  CHECK(read_all(folder / "c").lines.size() == 2);
  CHECK(read_all(folder / "d").failed);
}

TEST_CASE("compressed_input: a line over the limit is cut and told", "[common][input]") {
  const test::TempFolder folder;
  std::ofstream(folder / "a") << std::string(5'000, 'x') << "\nshort\n";
  const auto read = read_all(folder / "a", 100);
  REQUIRE(read.lines.size() == 2);
  CHECK(read.lines[0].too_long);
  CHECK(read.lines[0].text.size() <= 100);
  CHECK(read.lines[1].text == "short");
  CHECK(read.lines[1].offset == 5'001);
}
