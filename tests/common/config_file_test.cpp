#include "common/io/config_file.h"

#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::config_file_test {

namespace {

Result<std::vector<ConfigEntry>> read_text(const std::string& text) {
  const TempFolder folder;
  std::ofstream(folder / "a.toml") << text;
  return read_config_file(folder / "a.toml");
}

}  // namespace

TEST_CASE("config_file: settings are flattened in the file's order", "[common][config]") {
  const auto entries =
      read_text("b = 1\na = [\"x\", \"y\"]\n[http]\ntimeout = \"10s\"\non = true\n");
  REQUIRE(entries);
  REQUIRE(entries->size() == 4);
  CHECK((*entries)[0].key == "b");
  CHECK((*entries)[0].values == std::vector<std::string>{"1"});
  CHECK((*entries)[1].is_list);
  CHECK((*entries)[1].values == std::vector<std::string>{"x", "y"});
  CHECK((*entries)[2].key == "http.timeout");
  CHECK((*entries)[2].line == 4);
  CHECK((*entries)[3].values == std::vector<std::string>{"true"});
}

TEST_CASE("config_file: errors name the file and the line", "[common][config]") {
  const auto broken = read_text("a = 1\nb = \n");
  REQUIRE(!broken);
  CHECK(broken.error().code == ErrorCode::kInvalidParameter);
  CHECK(broken.error().message.find("a.toml: line 2") != std::string::npos);
  const auto table = read_text("a = [1, [2]]\n");
  REQUIRE(!table);
  CHECK(table.error().message.find("line 1: a must be") != std::string::npos);
  CHECK(read_config_file("/nonexistent/a.toml").error().code == ErrorCode::kNotFound);
  CHECK(!read_text("[{a]]\n"));  // this text would fail an assertion of toml++
}

}  // namespace analytics::test::config_file_test
