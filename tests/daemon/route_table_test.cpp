#include <set>

#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "daemon/app/route_table.h"

#include "daemon/http/router.h"
#include "daemon/web/assets.h"
#include "tests/support/catch.h"

namespace analytics::test::route_table_test {

using api::find_route;

TEST_CASE("routes: literals take precedence over patterns, and a segment is decoded once",
          "[daemon][routes]") {
  const auto goals = find_route(route_table().routes, http::Method::kGet, "/api/v1/sites/goals");
  REQUIRE(goals.route != nullptr);
  CHECK(goals.route->pattern == "/api/v1/sites/goals");
  const auto site =
      find_route(route_table().routes, http::Method::kDelete, "/api/v1/sites/a.de%2Fblog");
  REQUIRE(site.route != nullptr);
  CHECK(site.parameters == std::vector<std::string>{"a.de/blog"});
  CHECK(find_route(route_table().routes, http::Method::kGet, "/api/v1/sites/a.de/blog").route ==
        nullptr);
}

TEST_CASE("routes: HEAD uses the route of GET, and a wrong method gets the allowed ones",
          "[daemon][routes]") {
  CHECK(find_route(route_table().routes, http::Method::kHead, "/api/health").route != nullptr);
  const auto wrong = find_route(route_table().routes, http::Method::kPatch, "/api/v1/sites");
  CHECK(wrong.route == nullptr);
  CHECK(wrong.allow == "POST, GET, HEAD");
  CHECK(find_route(route_table().routes, http::Method::kGet, "/api/v1/nowhere").allow.empty());
}

TEST_CASE("router: an empty segment is not a parameter", "[daemon][routes]") {
  CHECK(!http::match_path("/share/{site}", "/share//").matches);
  CHECK(!http::match_path("/share/{site}", "/share/a/b").matches);
  CHECK(!http::match_path("/share/{site}", "/share").matches);
}

TEST_CASE("router: empty segments are ignored, and encoded slashes end no segment",
          "[daemon][routes]") {
  for (const auto* path :
       {"/api/event", "//api/event", "/api//event", "/api/event/", "///api/event//"}) {
    CAPTURE(path);
    CHECK(http::match_path("/api/event", path).matches);
  }
  CHECK(http::match_path("/", "//").matches);
  CHECK(!http::match_path("/", "//x").matches);
  CHECK(http::match_path("/share/{site}/csv", "//share/a%2F%2Fb//csv").parameters ==
        std::vector<std::string>{"a//b"});
  CHECK(http::first_segment("//api/x") == "api");
  CHECK(http::first_segment("/").empty());
}

TEST_CASE("openapi: the document has exactly the routes and says which need a key",
          "[daemon][routes]") {
  const auto document = nlohmann::json::parse(web::openapi_json());
  std::set<std::string> written;
  for (const auto& [path, operations] : document["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) {
      written.insert(method + " " + path + (operation["security"].empty() ? "" : " keyed"));
    }
  }
  std::set<std::string> known;
  for (const auto& route : route_table().routes) {
    known.insert(ascii_lower(http::method_name(route.method)) + " " + std::string(route.pattern) +
                 (route.access ? " keyed" : ""));
  }
  CHECK(written == known);
}

}  // namespace analytics::test::route_table_test
