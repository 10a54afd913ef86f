#include <algorithm>

#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::routing_test {

namespace {

constexpr char kGoals[] = "/api/v1/sites/goals";
constexpr char kProperties[] = "/api/v1/sites/custom-props";

std::string ignored_of(const HttpReply& reply) {
  return std::string(reply.header("X-Analytics-Ignored"));
}

bool is_open(const HttpReply& reply) {
  return reply.header("Access-Control-Allow-Origin") == "*" &&
         reply.header("Access-Control-Allow-Credentials").empty();
}

}  // namespace

TEST_CASE("routing: empty segments of a path are ignored", "[contract]") {
  Service service;
  for (const auto* path : {"//api/event", "/api//event", "/api/event/", "//api//event//"}) {
    CAPTURE(path);
    const auto reply = service.visitor.json("POST", path, pageview());
    CHECK(reply.status == 202);
    CHECK(reply.header("X-Analytics-Dropped").empty());
    CHECK(service.visitor.send("OPTIONS", path).header("Access-Control-Allow-Methods") ==
          "POST, OPTIONS");
  }
  CHECK(service.rows() == "4");
  const auto page = "/share/a.de/?auth=" + service.make_link();
  for (const std::string path :
       {std::string("//js/script.js"), std::string("/js//script.js"), std::string("/api/health/"),
        std::string("//assets//share.css"), page, "/" + page}) {
    CAPTURE(path);
    CHECK(service.visitor.send("GET", path).status == 200);
  }
  CHECK(body_of(service.api.send("GET", "/api/v1/sites/"))["sites"].size() == 1);
  CHECK(service.api.send("GET", "//api/v1/sites/a.de/").status == 200);
  CHECK(service.visitor.send("GET", "//share/none").header("Content-Type") ==
        "text/html; charset=utf-8");
  // This path names no site, so nothing is deleted.
  CHECK(code_of(service.api.send("DELETE", "/api/v1/sites/")) == "405 method_not_allowed");
  CHECK(service.api.send("GET", "/api/v1/sites/a.de").status == 200);
}

TEST_CASE("routing: pages of any origin may read every answer of the API", "[contract]") {
  Service service;
  const std::string stats = "/api/v1/stats/aggregate?site_id=";
  const HttpReply replies[] = {
      service.api.send("GET", stats + "a.de"),
      service.api.send("GET", stats + "none.de"),
      service.api.send("GET", stats + "a.de&metrics=none"),
      service.visitor.send("GET", stats + "a.de"),
      service.api.json("POST", "/api/v2/query", "{"),
      service.api.send("GET", "/api/v1/sites"),
      service.api.send("POST", "/api/v1/sites", "x", "text/csv"),
      service.api.send("DELETE", "/api/health"),
      service.visitor.send("GET", "/api/nope"),
      service.visitor.send("GET", "/js/nope.js"),
      service.visitor.send("GET", "/js"),
      service.visitor.send("GET", "/js/script.js"),
      service.visitor.send("GET", "/assets/map.svg"),
      service.visitor.send("GET", "/api/pixel.gif?d=a.de&u=https://a.de/"),
      service.visitor.event("{"),
      service.visitor.event(std::string(270'000, ' ')),
  };
  for (const auto& reply : replies) {
    CAPTURE(reply.status, reply.body);
    CHECK(is_open(reply));
  }
  CHECK(replies[0].status == 200);
  CHECK(replies[3].status == 401);
  CHECK_FALSE(is_open(service.visitor.send("GET", "/nope")));
  CHECK_FALSE(is_open(service.visitor.send("GET", "/share/none")));
}

TEST_CASE("routing: a preflight request names the methods and headers that a page may send",
          "[contract]") {
  Service service;
  const auto methods = [&](const std::string& path) {
    const auto reply = service.visitor.send("OPTIONS", path);
    CHECK(reply.status == 204);
    CHECK(is_open(reply));
    for (const auto* header : {"Authorization", "Content-Type", "X-Requested-With"}) {
      CHECK(reply.header("Access-Control-Allow-Headers").find(header) != std::string::npos);
    }
    return std::string(reply.header("Access-Control-Allow-Methods"));
  };
  CHECK(methods("/api/event") == "POST, OPTIONS");
  CHECK(methods("/api/v1/stats/aggregate") == "GET, HEAD, OPTIONS");
  CHECK(methods("/api/v2/query") == "POST, OPTIONS");
  CHECK(methods("/api/v1/sites/a.de").find("DELETE") != std::string::npos);
  // Otherwise a browser would not show the page that the path does not exist.
  CHECK(methods("/api/nope").find("POST") != std::string::npos);
}

TEST_CASE("routing: paths of Plausible that do not exist here say what to do instead",
          "[contract]") {
  Service service;
  for (const auto* method : {"GET", "PUT", "POST", "PATCH", "DELETE"}) {
    for (const auto* path : {"/api/v1/sites/guests", "/api/v1/sites/teams?site_id=a.de",
                             "/api/v1/sites/guests/ada%40a.de", "/api/plugins/v1/goals",
                             "/api/stats/a.de/main-graph", "/api/system/health/ready"}) {
      CAPTURE(method, path);
      const auto reply = service.api.send(method, path);
      CHECK(code_of(reply) == "404 not_supported");
      CHECK(body_of(reply)["error"].get<std::string>().size() > 20);
      CHECK(is_open(reply));
    }
  }
  const auto list = service.api.send("GET", std::string(kProperties) + "?site_id=a.de");
  CHECK(code_of(list) == "404 not_supported");
  CHECK(list.body.find("Properties need no declaration here") != std::string::npos);
  CHECK(code_of(service.api.send("GET", "/api/v1/sites/none.de")) == "404 site_not_found");
  CHECK(code_of(service.api.send("GET", "/api/v1/none")) == "404 not_found");
}

TEST_CASE("properties: allowing and forbidding one succeeds and changes nothing", "[contract]") {
  Service service;
  const auto made = service.api.form("PUT", kProperties, "site_id=a.de&property=plan");
  CHECK(made.status == 200);
  CHECK(made.body == R"({"created":true})");
  const std::string plan = std::string(kProperties) + "/plan";
  const auto gone = service.api.form("DELETE", plan, "site_id=a.de");
  CHECK(gone.status == 200);
  CHECK(gone.body == R"({"deleted":true})");
  CHECK(code_of(service.api.form("PUT", kProperties, "site_id=a.de")) == "400 missing_parameter");
  CHECK(code_of(service.api.form("PUT", kProperties, "site_id=b.de&property=plan")) ==
        "404 site_not_found");
  CHECK(code_of(service.api.form("DELETE", plan, "site_id=b.de")) == "404 site_not_found");
  CHECK(code_of(service.visitor.form("PUT", kProperties, "site_id=a.de&property=plan")) ==
        "401 unauthorized");
}

TEST_CASE("event: unknown fields of any type are ignored and named", "[contract]") {
  Service service;
  const auto sent = [&](const std::string& more, const Headers& headers = {}) {
    const auto reply = service.visitor.event(pageview("/", more), headers);
    CHECK(reply.status == (headers.empty() ? 202 : 200));
    CHECK(reply.header("X-Analytics-Dropped").empty());
    return ignored_of(reply);
  };
  CHECK(sent(R"(,"a":{"b":[1]},"c":[{}],"e2":5,"v":27,"f":null,"a%b":true)") == "a, c, e2, a%25b");
  CHECK(sent(R"(,"a":{"b":[1]},"country":"DE")") == "country, a");
  CHECK(sent(R"(,"a":1)", {{"X-Debug-Request", "true"}}) == "a");
  CHECK(sent(R"(,"p":{"unknown":"x"},"w":1200,"h":1,"i":true,"r":null)").empty());
  std::string many;
  for (int i = 0; i < 100; ++i) many += ",\"" + std::string(100, 'x') + std::to_string(i) + "\":1";
  CHECK(sent(many) == std::string(40, 'x'));  // names are cut, and each is named once
  many.clear();
  for (int i = 0; i < 100; ++i) many += ",\"x" + std::to_string(i) + "\":1";
  const auto names = sent(many);
  CHECK(std::count(names.begin(), names.end(), ',') == 19);
}

TEST_CASE("provisioning: unknown fields are ignored and named in every encoding", "[contract]") {
  Service service;
  auto& api = service.api;
  const auto json =
      api.json("POST", "/api/v1/sites",
               R"({"domain":"b.de","tracker_script_configuration":{"outbound_links":true},)"
               R"("team_id":"t","list":[1],"none":null})");
  CHECK(json.status == 200);
  CHECK(ignored_of(json) == "tracker_script_configuration, team_id, list");
  const auto form =
      api.form("POST", "/api/v1/sites",
               "domain=c.de&tracker_script_configuration%5Binstallation_type%5D=manual"
               "&tracker_script_configuration%5Boutbound_links%5D=true&team_id=t");
  CHECK(form.status == 200);
  CHECK(ignored_of(form) == "tracker_script_configuration, team_id");
  const std::string multipart =
      "--B\r\nContent-Disposition: form-data; name=\"domain\"\r\n\r\nd.de\r\n--B\r\n"
      "Content-Disposition: form-data; name=\"team_id\"\r\n\r\nt\r\n--B--\r\n";
  CHECK(ignored_of(api.send("POST", "/api/v1/sites", multipart,
                            "multipart/form-data; boundary=B")) == "team_id");
  CHECK(ignored_of(api.form("POST", "/api/v1/sites", "domain=e.de&timezone=Etc/UTC")).empty());
  const auto goal =
      R"({"site_id":"a.de","goal_type":"event","event_name":"Buy","custom_props":{}})";
  CHECK(api.json("PUT", kGoals, goal).status == 200);
  // Errors name them, too.
  const auto refused = api.form("PUT", kGoals, "site_id=a.de&team_id=t");
  CHECK(refused.status == 400);
  CHECK(ignored_of(refused) == "team_id");
}

TEST_CASE("provisioning: a list or an object in a known field is refused in every encoding",
          "[contract]") {
  Service service;
  for (const auto* body : {R"({"domain":["b.de"]})", R"({"domain":"b.de","timezone":{}})"}) {
    CHECK(code_of(service.api.json("POST", "/api/v1/sites", body)) == "400 malformed_body");
  }
  CHECK(code_of(service.api.form("POST", "/api/v1/sites", "domain%5B%5D=b.de")) ==
        "400 malformed_body");
  // A goal that ignored its properties would count too many visitors.
  CHECK(code_of(service.api.form("PUT", kGoals,
                                 "site_id=a.de&goal_type=event&event_name=Buy"
                                 "&custom_props%5Bplan%5D=pro")) == "400 invalid_parameter");
}

TEST_CASE("metrics: requests for unknown paths are counted, and doctor names the last ones",
          "[contract][metrics]") {
  Service service({.arguments = {"--admin-listen", "127.0.0.1:0"}});
  service.visitor.send("GET", "/nope");
  service.visitor.send("GET", "/api/first");
  for (int i = 0; i < 4; ++i)
    service.visitor.send("GET", "/api/path" + std::to_string(i) + "?q=secret");
  service.visitor.send("DELETE", "/api/v1/sites/guests/ada@corp.example");
  service.visitor.send("GET", "/api/path0");
  service.visitor.send("OPTIONS", "/api/path9");
  const auto text = service.metrics();
  CHECK(text.find("\nanalytics_unknown_paths_total 7\n") != std::string::npos);
  CHECK(text.find("# unknown path: /api/path0\n") != std::string::npos);
  for (const auto* absent : {"/api/first", "secret", "ada@corp", "path9"}) {
    CAPTURE(absent);
    CHECK(text.find(absent) == std::string::npos);
  }
  const auto doctor = service.operate({"doctor"});
  CAPTURE(doctor.out);
  CHECK(doctor.out.find("note     paths: 7 requests asked for a path below /api") !=
        std::string::npos);
  CHECK(doctor.out.find("/api/path3") != std::string::npos);
}

}  // namespace analytics::test::routing_test
