#include "cli/frame/output.h"

#include <sstream>

#include "tests/support/catch.h"

namespace analytics::test::output_test {

using namespace analytics::cli;

namespace {

std::string show(const Table& table, TableStyle style) {
  std::ostringstream out;
  print_table(out, table, style);
  return out.str();
}

}  // namespace

TEST_CASE(
    "output: programs get tabs, people get aligned columns, and control characters are escaped",
    "[output]") {
  const Table table{{"name", "url"}, {{"a\x1b[2J", "u"}, {"long name", "v"}}};
  CHECK(show(table, TableStyle::kTabs) == "a\\x1b[2J\tu\nlong name\tv\n");
  CHECK(show(table, TableStyle::kAligned) == "name       url\na\\x1b[2J   u\nlong name  v\n");
  CHECK(show(table, TableStyle::kAlignedBold).starts_with("\x1b[1mname"));
}

TEST_CASE("output: a spreadsheet does not read a CSV cell as a formula", "[output]") {
  std::ostringstream out;
  print_csv(out, {{"a", "b"}, {{"=1+1", "x,\"y\""}}});
  CHECK(out.str() == "a,b\r\n'=1+1,\"x,\"\"y\"\"\"\r\n");
}

}  // namespace analytics::test::output_test
