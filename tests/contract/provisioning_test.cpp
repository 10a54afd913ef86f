#include <csignal>
#include <set>
#include <thread>
#include <tuple>

#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::provisioning_test {

TEST_CASE("sites: they can be created, listed, read, updated and deleted", "[contract]") {
  Service service({.site = ""});
  auto& api = service.api;
  auto made = api.form("POST", "/api/v1/sites",
                       "domain=https%3A%2F%2Fwww.Example.com%2F&timezone=Europe/Berlin");
  CHECK(made.status == 200);
  CHECK(made.body == R"({"domain":"example.com","timezone":"Europe/Berlin"})");
  CHECK(made.header("X-Analytics-Outcome") == "created");
  CHECK(code_of(api.form("POST", "/api/v1/sites", "domain=example.com")) == "409 domain_taken");
  CHECK(code_of(api.form("POST", "/api/v1/sites", "domain=a:80")) == "400 invalid_domain");
  CHECK(code_of(api.form("POST", "/api/v1/sites", "domain=b.de&timezone=Mars/X")) ==
        "400 invalid_timezone");
  CHECK(code_of(api.form("POST", "/api/v1/sites", "")) == "400 missing_parameter");
  CHECK(body_of(api.form("POST", "/api/v1/sites", "domain=b.de&timezone="))["timezone"] ==
        "Etc/UTC");
  CHECK(body_of(api.send("GET", "/api/v1/sites"))["sites"].size() == 2);
  const auto got = body_of(api.send("GET", "/api/v1/sites/example.com"));
  CHECK(got["first_event_at"].is_null());
  CHECK(got["created_at"].is_string());
  CHECK(code_of(api.form("PUT", "/api/v1/sites/example.com", "")) == "400 missing_parameter");
  auto renamed = api.form("PATCH", "/api/v1/sites/example.com", "domain=new.example");
  CHECK(renamed.header("X-Analytics-Outcome") == "updated");
  CHECK(code_of(api.send("GET", "/api/v1/sites/example.com")) == "404 site_not_found");
  CHECK(code_of(api.form("POST", "/api/v1/sites", "domain=example.com")) == "409 domain_taken");
  CHECK(api.event(R"({"d":"example.com","n":"x","u":"https://a"})")
            .header("X-Analytics-Dropped")
            .empty());
  const auto rename = [&](const std::string& from, const std::string& to) {
    return code_of(api.form("PATCH", "/api/v1/sites/" + from, "domain=" + to));
  };
  for (int i = 1; i < 10; ++i) {
    REQUIRE(rename(i == 1 ? "new.example" : std::to_string(i) + ".example",
                   std::to_string(i + 1) + ".example") == "200 -");
  }
  CHECK(rename("10.example", "11.example") == "400 limit_reached");
  CHECK(rename("10.example", "new.example") == "200 -");  // a former name becomes free
  CHECK(api.send("DELETE", "/api/v1/sites/new.example").body == R"({"deleted":"true"})");
  CHECK(code_of(api.send("DELETE", "/api/v1/sites/new.example")) == "404 site_not_found");
}

TEST_CASE("sites: a path segment is decoded once", "[contract]") {
  Service service;
  REQUIRE(service.api.form("POST", "/api/v1/sites", "domain=example.com/blog").status == 200);
  CHECK(service.api.send("GET", "/api/v1/sites/example.com%2Fblog").status == 200);
  CHECK(code_of(service.api.send("GET", "/api/v1/sites/example.com/blog")) == "404 not_found");
}

TEST_CASE("sites: consecutive pages of a list are linked in both directions", "[contract]") {
  Service service({.site = ""});
  for (int i = 0; i < 5; ++i)
    service.api.form("POST", "/api/v1/sites", "domain=s" + std::to_string(i) + ".de");
  auto first = body_of(service.api.send("GET", "/api/v1/sites?limit=2"));
  CHECK(first["meta"]["before"].is_null());
  auto second = body_of(service.api.send(
      "GET", "/api/v1/sites?limit=2&after=" + first["meta"]["after"].get<std::string>()));
  CHECK(second["sites"][0]["domain"] == "s2.de");
  auto last = body_of(service.api.send(
      "GET", "/api/v1/sites?limit=2&after=" + second["meta"]["after"].get<std::string>()));
  CHECK(last["sites"].size() == 1);
  CHECK(last["meta"]["after"].is_null());
  auto back = body_of(service.api.send(
      "GET", "/api/v1/sites?limit=2&before=" + second["meta"]["before"].get<std::string>()));
  CHECK(back["sites"] == first["sites"]);
  CHECK(code_of(service.api.send("GET", "/api/v1/sites?limit=0")) == "400 invalid_parameter");
  CHECK(code_of(service.api.send("GET", "/api/v1/sites?after=a&before=b")) ==
        "400 invalid_parameter");
}

TEST_CASE("links and goals: a second call finds the first call's result, in every encoding",
          "[contract]") {
  Service service;
  auto& api = service.api;
  const auto link = api.form("PUT", "/api/v1/sites/shared-links", "site_id=a.de&name=Team");
  CHECK(link.header("X-Analytics-Outcome") == "created");
  const auto again =
      api.json("PUT", "/api/v1/sites/shared-links", R"({"site_id":"A.de","name":" Team "})");
  CHECK(again.header("X-Analytics-Outcome") == "unchanged");
  CHECK(again.body == link.body);
  const std::string multipart =
      "--B\r\nContent-Disposition: form-data; name=\"site_id\"\r\n\r\na.de\r\n--B\r\n"
      "Content-Disposition: form-data; name=\"name\"\r\n\r\nTeam\r\n--B--\r\n";
  CHECK(api.send("PUT", "/api/v1/sites/shared-links", multipart, "multipart/form-data; boundary=B")
            .body == link.body);
  const auto goal =
      api.form("PUT", "/api/v1/sites/goals", "site_id=a.de&goal_type=page&page_type=blog/**");
  CHECK(goal.body ==
        R"({"domain":"a.de","id":"1","goal_type":"page","event_name":null,"page_path":"/blog/**",)"
        R"("display_name":"Visit /blog/**"})");
  CHECK(api.form("PUT", "/api/v1/sites/goals", "site_id=a.de&goal_type=page&page_path=/blog/**")
            .body == goal.body);
  CHECK(code_of(api.form("PUT", "/api/v1/sites/goals", "site_id=a.de&goal_type=x")) ==
        "400 invalid_goal_type");
  CHECK(code_of(api.form("PUT", "/api/v1/sites/goals", "site_id=a.de&goal_type=event")) ==
        "400 missing_parameter");
  CHECK(code_of(api.form("PUT", "/api/v1/sites/goals",
                         "site_id=b.de&goal_type=event&event_name=x")) == "404 site_not_found");
  CHECK(code_of(api.send("PUT", "/api/v1/sites/goals", "{}", "text/csv")) ==
        "415 unsupported_media_type");
  CHECK(code_of(api.json("PUT", "/api/v1/sites/goals", R"({"site_id":["a"]})")) ==
        "400 malformed_body");
  for (const auto* body :
       {R"({"site_id":"a.de","name":["x"]})", R"({"site_id":"a.de","name":{}})"}) {
    CHECK(code_of(api.json("PUT", "/api/v1/sites/shared-links", body)) == "400 malformed_body");
  }
  CHECK(body_of(api.send("GET", "/api/v1/sites/goals?site_id=a.de"))["goals"].size() == 1);
  CHECK(body_of(api.send("GET", "/api/v1/sites/shared-links?site_id=a.de"))["shared_links"][0] ==
        body_of(link));
  CHECK(api.form("DELETE", "/api/v1/sites/goals/1", "site_id=a.de").body ==
        R"({"deleted":"true"})");
  CHECK(code_of(api.send("DELETE", "/api/v1/sites/goals/1?site_id=a.de")) == "404 goal_not_found");
  CHECK(api.send("DELETE", "/api/v1/sites/shared-links?site_id=a.de&name=Team").status == 200);
  CHECK(code_of(api.send("DELETE", "/api/v1/sites/shared-links?site_id=a.de&name=Team")) ==
        "404 link_not_found");
}

TEST_CASE("goals: display names are shown, must differ, and can be changed by a repeated call",
          "[contract]") {
  Service service;
  auto& api = service.api;
  const auto ensure = [&](const std::string& form) {
    return api.form("PUT", "/api/v1/sites/goals", "site_id=a.de&" + form);
  };
  const auto made = ensure("goal_type=event&event_name=Buy&display_name=Orders");
  CHECK(body_of(made)["display_name"] == "Orders");
  CHECK(made.header("X-Analytics-Outcome") == "created");
  const auto again = ensure("goal_type=event&event_name=Buy");
  CHECK(body_of(again)["display_name"] == "Orders");
  CHECK(again.header("X-Analytics-Outcome") == "unchanged");
  CHECK(code_of(ensure("goal_type=event&event_name=Pay&display_name=Orders")) ==
        "409 display_name_taken");
  const auto renamed = ensure("goal_type=event&event_name=Buy&display_name=Sales");
  CHECK(renamed.header("X-Analytics-Outcome") == "updated");
  CHECK(body_of(renamed)["id"] == body_of(made)["id"]);
  // A default display name may equal the display name of another goal.
  CHECK(ensure("goal_type=event&event_name=Sales").status == 200);
  CHECK(code_of(ensure("goal_type=event&event_name=engagement")) == "400 invalid_parameter");
  CHECK(code_of(ensure("goal_type=page&page_type=/*a*b*c*d*e*f*g*h*")) == "400 limit_reached");
  CHECK(code_of(ensure("goal_type=page&page_type=/*" + std::string(500, 'x'))) ==
        "400 limit_reached");
}

TEST_CASE("limits: an owner at a limit can create no more but still finds what exists",
          "[contract][alone]") {
  Service service({.site = ""});
  auto& api = service.api;
  const std::string goals = "site_id=0.de&goal_type=event&event_name=";
  const std::string links = "site_id=0.de&name=";
  CHECK(api.form("POST", "/api/v1/sites", "domain=0.de").status == 200);
  CHECK(api.form("PUT", "/api/v1/sites/goals", goals + "0").status == 200);
  CHECK(api.form("PUT", "/api/v1/sites/shared-links", links + "0").status == 200);
  CHECK(api.form("PUT", "/api/v1/account/shared-links", "name=0").status == 200);
  service.daemon.stop(SIGTERM);
  // After this statement, the account and the site have one object of each kind fewer than the
  // limit allows.
  const std::string numbers =
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n"
      " WHERE i < ";
  const auto fill = numbers +
                    "9998) INSERT INTO sites(account, domain, timezone, created_at)"
                    " SELECT 1, i || '.de', 'UTC', 0 FROM n; " +
                    numbers +
                    "998) INSERT INTO goals(site, type, value, created_at, display_name)"
                    " SELECT 1, 0, i, 0, '' FROM n; " +
                    numbers +
                    "998) INSERT INTO shared_links(site, name, token, created_at)"
                    " SELECT 1, i, 's' || i, 0 FROM n; " +
                    numbers +
                    "998) INSERT INTO account_links(account, name, token, created_at)"
                    " SELECT 1, i, 'a' || i, 0 FROM n;";
  service.change(fill);
  service.daemon.start();
  const std::tuple<const char*, const char*, std::string> kinds[] = {
      {"POST", "/api/v1/sites", "domain=n"},
      {"PUT", "/api/v1/sites/goals", goals},
      {"PUT", "/api/v1/sites/shared-links", links},
      {"PUT", "/api/v1/account/shared-links", "name="}};
  for (const auto& [method, path, form] : kinds) {
    INFO(path);
    CHECK(api.form(method, path, form + "last.de").status == 200);
    const auto refused = api.form(method, path, form + "more.de");
    INFO(refused.body);
    CHECK(code_of(refused) == "400 limit_reached");
    if (std::string(method) == "PUT") {
      CHECK(api.form(method, path, form + "last.de").header("X-Analytics-Outcome") == "unchanged");
    }
  }
  CHECK(service.client("other").form("POST", "/api/v1/sites", "domain=other.de").status == 200);
}

TEST_CASE("goals: fifty simultaneous ensure calls create one row", "[contract]") {
  Service service;
  std::vector<std::string> bodies(50);
  std::vector<std::thread> threads;
  for (auto& body : bodies) {
    threads.emplace_back([&service, &body] {
      Api api(service.daemon, service.key);
      const auto reply =
          api.form("PUT", "/api/v1/sites/goals", "site_id=a.de&goal_type=event&event_name=Signup");
      body = std::to_string(reply.status) + reply.body;
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(std::set<std::string>(bodies.begin(), bodies.end()).size() == 1);
  CHECK(bodies.front().starts_with("200"));
  CHECK(service.daemon.query("SELECT count(*) FROM goals") == "1");
}

}  // namespace analytics::test::provisioning_test
