#include "daemon/model/client.h"

#include "tests/support/catch.h"

namespace analytics::test::client_test {

TEST_CASE("client: the text that the store hashes has the same form as in older files", "[model]") {
  CHECK(to_text(Client{"Mobile", "Safari", "17.1", "iOS", "17"}) ==
        R"(["Mobile","Safari","17.1","iOS","17"])");
  CHECK(to_text(Client{"Mobile", "", "", "", ""}) == R"(["Mobile",null,null,null,null])");
  CHECK(to_text(Client{"", "A \"b\" \\", "", "", "\x7f"}) ==
        "[null,\"A \\\"b\\\" \\\\\",null,null,\"\x7f\"]");
  CHECK(to_text(Client{}).empty());
  CHECK(to_text(Place{"DE", "DE-BY", "M\xc3\xbcnchen"}) == "[\"DE\",\"DE-BY\",\"M\xc3\xbcnchen\"]");
  CHECK(to_text(Place{}).empty());
}

}  // namespace analytics::test::client_test
