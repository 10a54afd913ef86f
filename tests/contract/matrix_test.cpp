// Sends every kind of key to every route that needs one, for the account's own and a foreign site.
#include "daemon/app/route_table.h"
#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::matrix_test {

namespace {

/// Returns the path of a route for a site, with ids that do not exist.
std::string path_of(std::string pattern, const std::string& site) {
  for (const auto& [name, value] : {std::pair<std::string, std::string>{"{site}", site},
                                    {"{goal}", "999"},
                                    {"{exclusion}", "999"},
                                    {"{import}", "none"},
                                    {"{property}", "plan"}}) {
    if (const auto at = pattern.find(name); at != std::string::npos) {
      pattern.replace(at, name.size(), value);
    }
  }
  return pattern;
}

HttpReply ask(const DaemonProcess& daemon, const std::string& key, const api::Route& route,
              const std::string& site) {
  Api api(daemon, key);
  // Wrong keys are slowed down by address, so each route uses another address.
  const Headers from{
      {"X-Forwarded-For", "198.51.100." + std::to_string(&route - route_table().routes.data())}};
  const std::string method(http::method_name(route.method));
  const auto path = path_of(std::string(route.pattern), site);
  const std::string form = "site_id=" + site +
                           "&domain=new.example&name=n&goal_type=event&event_name=e"
                           "&timezone=Europe%2FParis&type=page&value=/x";
  if (route.body == api::BodyLimit::kBulk) {
    return api.send(method, path, "", kNdjson, from);
  }
  if (route.body == api::BodyLimit::kQuery) {
    const auto query = R"({"site_id":")" + site + R"(","metrics":["visitors"],"date_range":"day"})";
    return api.send(method, path, query, "application/json", from);
  }
  if (method == "GET") return api.send(method, path + "?site_id=" + site + "&name=n", "", "", from);
  return api.send(method, path, form, "application/x-www-form-urlencoded", from);
}

bool is_of_account(const api::Route& route) {
  return route.pattern.starts_with("/api/v1/account/");
}

/// Returns true if the route has a site, in its path or as a parameter.
bool names_a_site(const api::Route& route) {
  return route.pattern != "/api/v1/sites" && route.pattern != "/api/v1/events" &&
         route.pattern != "/api/v1/stats/sites" && !is_of_account(route);
}

}  // namespace

TEST_CASE("matrix: every keyed route refuses every key without access", "[contract][matrix]") {
  Service service({.site = "mine.example", .settings = "trusted_proxies = [\"127.0.0.1\"]\n"});
  const auto& daemon = service.daemon;
  service.client("other").form("POST", "/api/v1/sites", "domain=theirs.example");
  const auto revoked = daemon.make_key();
  CHECK(daemon.keys({"revoke", revoked.substr(0, 9)}).exit == 0);
  const auto limited = daemon.make_key("acme", {"--site", "elsewhere.example"});
  std::string unknown = service.key;
  unknown[10] = unknown[10] == 'a' ? 'b' : 'a';
  int keyed = 0;
  for (const auto& route : route_table().routes) {
    if (!route.access) continue;
    ++keyed;
    const auto code = [&](const std::string& key, const std::string& site) {
      return code_of(ask(daemon, key, route, site));
    };
    INFO(http::method_name(route.method) << ' ' << route.pattern);
    for (const auto& key : {std::string(), std::string("nonsense"), unknown, revoked}) {
      CHECK(code(key, "mine.example") == "401 unauthorized");
    }
    std::vector<std::string> others;
    for (const auto* scope : {"sites:read", "sites:write", "links:write", "goals:write",
                              "stats:read", "events:import"}) {
      const auto value = *parse_scope(scope);
      if (value != route.access->scope && value != route.access->or_scope)
        others.insert(others.end(), {"--scope", scope});
    }
    CHECK(code(daemon.make_key("acme", others), "mine.example") == "403 missing_scope");
    if (is_of_account(route)) CHECK(code(limited, "mine.example") == "403 missing_scope");
    if (!names_a_site(route)) continue;
    // The site of another account gets the same answer as a site that does not exist.
    const auto missing = ask(daemon, service.key, route, "nowhere.example");
    const auto foreign = ask(daemon, service.key, route, "theirs.example");
    CHECK(code_of(missing) == "404 site_not_found");
    CHECK(foreign.status == missing.status);
    CHECK(foreign.body == missing.body);
    CHECK(code(limited, "mine.example") == "404 site_not_found");
  }
  CHECK(keyed >= 14);
  CHECK(daemon.query("SELECT count(*) FROM sites") == "2");
}

}  // namespace analytics::test::matrix_test
