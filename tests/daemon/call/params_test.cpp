#include "daemon/call/params.h"

#include "tests/support/catch.h"

namespace analytics::test::params_test {

using namespace analytics::api;

TEST_CASE("multipart: parts are parsed as curl sends them", "[params]") {
  const auto parts = parse_multipart(
      "--B\r\nContent-Disposition: form-data; name=\"site_id\"\r\n\r\na.example\r\n"
      "--B\r\ncontent-disposition: form-data; name=name\r\n\r\n\r\n--B--\r\n",
      "B");
  REQUIRE(parts);
  CHECK(*parts == analytics::Parameters{{"site_id", "a.example"}, {"name", ""}});
}

TEST_CASE("multipart: a body that is cut at any byte is an error", "[params]") {
  const std::string whole = "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n--B--";
  REQUIRE(parse_multipart(whole, "B"));
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK(!parse_multipart(whole.substr(0, size), "B"));
}

TEST_CASE("cursor: only encoded cursors are accepted", "[params]") {
  CHECK(decode_cursor(encode_cursor(123'456'789)) == 123'456'789);
  CHECK(!decode_cursor("123"));
  CHECK(!decode_cursor(""));
}

}  // namespace analytics::test::params_test
