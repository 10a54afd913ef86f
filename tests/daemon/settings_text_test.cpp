#include "daemon/config/settings_text.h"

#include "common/json/json.h"
#include "tests/support/catch.h"

namespace analytics::test::settings_text_test {

TEST_CASE("settings text: a setting is replaced where it is, or where its comment is",
          "[daemon][config]") {
  CHECK(with_setting("a = 1\nb = 2\n", "b", "3") == "a = 1\nb = 3\n");
  CHECK(with_setting("# b = 1\nb=2\n", "b", "3") == "# b = 1\nb = 3\n");
  CHECK(with_setting("# About b.\n#b = 1\nbc = 2\n", "b", "3") == "# About b.\nb = 3\nbc = 2\n");
  CHECK(with_setting("a = 1\n", "b", "3") == "a = 1\nb = 3\n");
  CHECK(with_setting("a = 1", "b", "3") == "a = 1\nb = 3");
  CHECK(with_setting("", "b", "3") == "b = 3\n");
}

TEST_CASE("settings text: a setting of a table is another one", "[daemon][config]") {
  CHECK(with_setting("a = 1\n[table]\nb = 2\n", "b", "3") == "a = 1\nb = 3\n[table]\nb = 2\n");
}

TEST_CASE("settings text: a string is quoted as TOML", "[daemon][config]") {
  CHECK(json::quote(R"(a"b\c)") == R"("a\"b\\c")");
}

}  // namespace analytics::test::settings_text_test
