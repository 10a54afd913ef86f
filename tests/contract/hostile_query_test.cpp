// Queries of hostile clients stay within their memory limit and end when their client leaves.
#include "tests/contract/hostile_fixture.h"

namespace analytics::test::hostile_query_test {

using Fixture = HostileFixture;

TEST_CASE("hostile: a query with many conditions stays within its memory and frees it",
          "[contract][alone]") {
  Fixture fixture;
  auto& api = fixture.api;
  send_long_pages(api);
  const auto token = fixture.make_link();
  const auto page_of = [&](int leaves) {
    std::string parts;
    for (int i = 0; i < leaves; ++i) {
      parts += std::string(i == 0 ? "" : ",") + R"(["is","event:page",["/"]])";
    }
    const auto filters = R"([["or",[)" + parts + "]]]";
    return api.send("GET", "/share/a.de?auth=" + token + "&period=day&filters=" + filters);
  };
  CHECK(page_of(1).status == 200);
  const auto before = fixture.daemon.resident_bytes();
  const auto query = [&](int leaves) {
    std::string parts;
    for (int i = 0; i < leaves; ++i) {
      parts += std::string(i == 0 ? "" : ",") + R"(["is","event:page",["/)" + std::to_string(i) +
               R"("]])";
    }
    const auto body = R"({"site_id":"a.de","metrics":["visitors"],"date_range":"all",)"
                      R"("filters":[["or",[)" +
                      parts + "]]]}";
    return api.json("POST", "/api/v2/query", body);
  };
  CHECK(query(200).status == 200);
  CHECK(code_of(query(201)) == "400 limit_reached");
  CHECK(page_of(290).body.find("200 conditions") != std::string::npos);
  // Each page is stored once (8 MB); a copy for each condition would take 1.6 GB.
  CHECK(fixture.daemon.resident_bytes() < before + 96 * 1'048'576 * memory_factor());
}

TEST_CASE("hostile: a query ends when its client leaves, and a waiting one does not begin",
          "[contract][alone]") {
  const std::string body = R"({"site_id":"a.de","metrics":["visitors"],"date_range":"all"})";
  const auto query = [&](const std::string& key) {
    return "POST /api/v2/query HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + key +
           "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
  };
  const std::string of_queries =
      R"(analytics_http_requests_total{method="POST",route="/api/v2/query",code="499"})";
  SECTION("clients that leave") {
    Fixture fixture("query_timeout = \"10h\"\n");
    fixture.restart("endless_query=on");
    constexpr int kClients = 40;  // more than there are threads for queries
    for (int i = 0; i < kClients; ++i) {
      const RawConnection client(fixture.daemon.port());
      REQUIRE(client.send(query(fixture.key)));
    }
    fixture.await(of_queries, [](auto count) { return count == kClients; });
    fixture.await_connections(1);
  }
  SECTION("a client that leaves after more bytes") {
    Fixture fixture("query_timeout = \"10h\"\n[http]\nthreads = 1\n");
    fixture.restart("endless_query=on");
    {
      const RawConnection client(fixture.daemon.port());
      // When the only HTTP thread answers the probe, it has read all that was sent before.
      REQUIRE(client.send(query(fixture.key)));
      REQUIRE(fixture.probe());
      REQUIRE(client.send("G"));
      REQUIRE(fixture.probe());
    }
    fixture.await(of_queries, [](auto count) { return count == 1; });
  }
  SECTION("clients of a page that leave") {
    Fixture fixture("query_timeout = \"10h\"\n");
    const auto page =
        "GET /share/a.de?auth=" + fixture.make_link() + " HTTP/1.1\r\nHost: a\r\n\r\n";
    fixture.restart("endless_query=on");
    for (int i = 0; i < 40; ++i) {
      const RawConnection client(fixture.daemon.port());
      REQUIRE(client.send(page));
      REQUIRE(client.receive("\r\n\r\n").starts_with("HTTP/1.1 200"));
    }
    fixture.await_connections(1);
  }
  SECTION("a client that sends its next request has not left") {
    Fixture fixture("query_timeout = \"1s\"\n");
    fixture.restart("endless_query=on");
    const auto answers = send_raw(fixture.daemon.port(), query(fixture.key) + kHealth, "200 OK");
    CHECK(answers.find("503 Service Unavailable") != std::string::npos);
    CHECK(answers.find("200 OK") != std::string::npos);
  }
}

}  // namespace analytics::test::hostile_query_test
