#include "common/io/compressed_input.h"

#include <fstream>

#include "common/io/fs.h"
#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::compressed_input_test {

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

TEST_CASE("compressed_input: a plain and a gzip file give the same lines and offsets",
          "[common][input]") {
  const TempFolder folder;
  std::ofstream(folder / "a") << "one\r\n\ntwo\nlast";
  run({"sh", "-c", "gzip -c " + (folder / "a").string() + " >" + (folder / "b").string()});
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

TEST_CASE(
    "compressed_input: every coding is read, with several members, and truncation is detected",
    "[common][input]") {
  const TempFolder folder;
  const auto at = [&](const char* name) { return (folder / name).string(); };
  std::ofstream(folder / "a") << "one\ntwo\n";
  for (const std::string tool : {"gzip", "zstd", "bzip2", "xz"}) {
    INFO(tool);
    run({"sh", "-c",
         tool + " -c " + at("a") + " >" + at("b") + "; cat " + at("b") + " " + at("b") + " >" +
             at("c") + "; { cat " + at("b") + "; echo tail; } >" + at("e")});
    CHECK(read_all(folder / "b").lines.size() == 2);
    const auto both = read_all(folder / "c");
    REQUIRE(both.lines.size() == 4);
    CHECK(both.lines[3].offset == 12);
    CHECK(!both.failed);
    CHECK(read_all(folder / "e").failed);
    const auto whole = read_file(folder / "b").value_or("");
    for (std::size_t cut = 6; cut < whole.size(); ++cut) {
      std::ofstream(folder / "d", std::ios::binary) << whole.substr(0, cut);
      CHECK(read_all(folder / "d").failed);
    }
    auto damaged = whole;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
    std::ofstream(folder / "d", std::ios::binary) << damaged;
    CHECK(read_all(folder / "d").failed);
  }
}

TEST_CASE("compressed_input: a line over the limit is cut and marked", "[common][input]") {
  const TempFolder folder;
  std::ofstream(folder / "a") << std::string(5'000, 'x') << "\nshort\n";
  const auto read = read_all(folder / "a", 100);
  REQUIRE(read.lines.size() == 2);
  CHECK(read.lines[0].too_long);
  CHECK(read.lines[0].text.size() <= 100);
  CHECK(read.lines[1].text == "short");
  CHECK(read.lines[1].offset == 5'001);
}

}  // namespace analytics::test::compressed_input_test
