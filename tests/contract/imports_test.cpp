#include <thread>

#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/raw_http.h"

using namespace analytics;
using namespace analytics::test;

namespace {

constexpr char kNdjson[] = "application/x-ndjson";

struct Fixture {
  Fixture() { api.form("POST", "/api/v1/sites", "domain=a.de"); }
  HttpReply import(const std::string& body, const std::string& id = "x", Headers more = {}) {
    Headers headers{{"Import-Id", id},
                    {"Import-Source", std::string(32, 'a')},
                    {"Import-Range", std::to_string(at) + "-" + std::to_string(at + 10)}};
    at += 10;
    headers.insert(headers.end(), more.begin(), more.end());
    return api.send("POST", "/api/v1/events", body, kNdjson, headers);
  }
  HttpReply imports(const std::string& method, const std::string& id) {
    return api.send(method, "/api/v1/sites/a.de/imports/" + id);
  }
  void await_undo(const std::string& id) {
    while (imports("GET", id).status != 404) std::this_thread::yield();
  }
  DaemonProcess daemon{ANALYTICSD};
  std::string key = daemon.make_key();
  Api api{daemon.url(), key};
  int at = 0;
};

std::string line(const std::string& path, const std::string& more = "") {
  return R"({"d":"a.de","n":"pageview","u":"https://a.de/)" + path +
         R"(","timestamp":"2026-11-20T10:00:00Z","ip":"1.2.3.4","user_agent":"UA")" + more + "}\n";
}

}  // namespace

TEST_CASE("imports: one that is deleted leaves nothing, and moves the first event", "[contract]") {
  Fixture fixture;
  fixture.api.event(R"({"d":"a.de","n":"pageview","u":"https://a.de/live"})");
  CHECK(fixture.import(line("1") + line("2")).status == 200);
  const auto site = [&] {
    return body_of(fixture.api.send("GET", "/api/v1/sites/a.de"))["first_event_at"]
        .get<std::string>();
  };
  CHECK(site() == "2026-11-20T10:00:00Z");
  CHECK(body_of(fixture.imports("GET", "x"))["state"] == "stored");
  const auto deleted = fixture.imports("DELETE", "x");
  CHECK(deleted.status == 200);
  CHECK(body_of(deleted)["deleted"] == "true");
  CHECK(body_of(fixture.api.send("GET", "/api/v1/sites/a.de/imports"))["imports"].empty());
  fixture.await_undo("x");
  CHECK(fixture.daemon.query("SELECT group_concat(path) FROM event_text") == "/live");
  CHECK(fixture.daemon.query("SELECT count(*) FROM visit_text") == "1");
  CHECK(site() != "2026-11-20T10:00:00Z");
  CHECK(code_of(fixture.imports("DELETE", "x")) == "404 import_not_found");
}

TEST_CASE("imports: what was taken back is stored again, under the same key too", "[contract]") {
  Fixture fixture;
  const Headers key{{"Idempotency-Key", "same"}};
  CHECK(body_of(fixture.import(line("1"), "x", key))["accepted"] == 1);
  fixture.imports("DELETE", "x");
  fixture.await_undo("x");
  fixture.at = 0;
  CHECK(body_of(fixture.import(line("1"), "x", key))["accepted"] == 1);
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "1");
}

TEST_CASE("imports: only a key that may import, of the site's owner, takes one back",
          "[contract]") {
  Fixture fixture;
  fixture.import(line("1"));
  const auto remove = [&](const std::string& key) {
    Api other(fixture.daemon.url(), key);
    return code_of(other.send("DELETE", "/api/v1/sites/a.de/imports/x"));
  };
  CHECK(remove("") == "401 unauthorized");
  CHECK(remove(fixture.daemon.make_key("acme", {"--scope", "sites:write"})) == "403 missing_scope");
  CHECK(remove(fixture.daemon.make_key("other")) == "404 site_not_found");
  CHECK(remove(fixture.daemon.make_key("acme", {"--site", "b.de"})) == "404 site_not_found");
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "1");
}

TEST_CASE("imports: a range is held by a site whose lines were all dropped", "[contract]") {
  Fixture fixture;
  const auto bots = line("1", R"(,"user_agent":"Googlebot/2.1")");
  CHECK(body_of(fixture.import(bots))["dropped"] == 1);
  const auto held = body_of(fixture.imports("GET", "x"));
  CHECK(held["sources"][0]["ranges"].dump() == R"([{"from":0,"to":10}])");
  CHECK(held["events"] == 0);
}

TEST_CASE("imports: ids of records count only when they are asked for", "[contract]") {
  Fixture fixture;
  const auto both = line("1", R"(,"id":"r1")") + line("2", R"(,"id":"r1")");
  CHECK(body_of(fixture.import(both))["accepted"] == 2);
  const Headers dedupe{{"Import-Dedupe", "id"}};
  CHECK(body_of(fixture.import(both, "y", dedupe))["accepted"] == 1);
  CHECK(body_of(fixture.import(both, "z", dedupe))["duplicate"] == 2);
  CHECK(code_of(fixture.import(both, "z", {{"Import-Dedupe", "ip"}})) == "400 invalid_parameter");
  fixture.imports("DELETE", "y");
  CHECK(body_of(fixture.import(both, "z", dedupe))["accepted"] == 1);  // of one that is gone
}

TEST_CASE("export: what comes out goes in again, and tells no address", "[contract]") {
  Fixture fixture;
  fixture.import(
      line("a b/ü?utm_source=News&utm_campaign=x%26y",
           R"(,"referrer":"https://r.example/p?q","props":{"p l":"v\"1"})") +
      line("h", R"(,"name":"Buy","i":false,"revenue":{"amount":"1.50","currency":"EUR"})"));
  fixture.import(line("other"));
  const auto reply = fixture.api.send("GET", "/api/v1/sites/a.de/events?to=2026-11-20");
  CHECK(reply.status == 200);
  CHECK(reply.header("Content-Type") == kNdjson);
  CHECK(std::count(reply.body.begin(), reply.body.end(), '\n') == 3);
  CHECK(reply.body.find("1.2.3.4") == std::string::npos);
  CHECK(reply.body.find("UA") == std::string::npos);
  const auto visitor = fixture.daemon.query("SELECT printf('%x', visitor) FROM events LIMIT 1");
  CHECK(reply.body.find(visitor) == std::string::npos);
  fixture.api.form("POST", "/api/v1/sites", "domain=b.de");
  auto copy = reply.body;
  for (auto at = copy.find("\"a.de\""); at != std::string::npos; at = copy.find("\"a.de\"")) {
    copy.replace(at, 6, "\"b.de\"");
  }
  CHECK(body_of(fixture.api.send("POST", "/api/v1/events", copy, kNdjson))["accepted"] == 3);
  const auto rows = [&](const std::string& site) {
    return fixture.daemon.query(
        "SELECT time, name, hostname, path, referrer, source, channel, utm_source, utm_campaign,"
        " device, browser, os, country, props FROM event_text WHERE site = '" +
        site + "' ORDER BY path, name");
  };
  CHECK(rows("a.de") == rows("b.de"));
  CHECK(fixture.daemon.query("SELECT count(DISTINCT revenue_micros || interactive) FROM"
                             " (SELECT revenue_micros, coalesce(passive, 0) AS interactive FROM"
                             " events WHERE revenue_micros IS NOT NULL)") == "1");
  const auto again = fixture.api.send("GET", "/api/v1/sites/a.de/events").body;
  CHECK(again != reply.body);  // other numbers
}

TEST_CASE("export: ranges, rights and forms of HTTP", "[contract]") {
  Fixture fixture;
  fixture.import(line("1"));
  const auto ask = [&](const std::string& query) {
    return fixture.api.send("GET", "/api/v1/sites/a.de/events" + query);
  };
  CHECK(ask("?from=2026-11-20&to=2026-11-20").body.size() > 10);
  CHECK(ask("?from=2026-11-21").body.empty());
  CHECK(ask("?to=2026-11-20T10:00:00Z").body.empty());
  CHECK(code_of(ask("?from=tomorrow")) == "400 invalid_parameter");
  Api narrow(fixture.daemon.url(), fixture.daemon.make_key("acme", {"--scope", "sites:read"}));
  CHECK(code_of(narrow.send("GET", "/api/v1/sites/a.de/events")) == "403 missing_scope");
  Api other(fixture.daemon.url(), fixture.daemon.make_key("other"));
  CHECK(code_of(other.send("GET", "/api/v1/sites/a.de/events")) == "404 site_not_found");
  const auto raw = [&](const std::string& method, const std::string& version) {
    return send_raw(fixture.daemon.port(),
                    method + " /api/v1/sites/a.de/events HTTP/" + version +
                        "\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + fixture.key +
                        "\r\n\r\n");
  };
  const auto chunked = raw("GET", "1.1");
  CHECK(chunked.find("Transfer-Encoding: chunked") != std::string::npos);
  CHECK(chunked.ends_with("\r\n0\r\n\r\n"));
  const auto plain = raw("GET", "1.0");
  CHECK(plain.find("Transfer-Encoding") == std::string::npos);
  CHECK(plain.ends_with("}\n"));
  CHECK(raw("HEAD", "1.1").ends_with("\r\n\r\n"));
  CHECK(raw("HEAD", "1.1").find("pageview") == std::string::npos);
}

TEST_CASE("export: who goes away in the middle harms nobody", "[contract]") {
  Fixture fixture;
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += line(std::to_string(i));
  CHECK(fixture.import(many).status == 200);
  for (int i = 0; i < 5; ++i) {
    RawConnection client(fixture.daemon.port(), 4'096);
    client.send("GET /api/v1/sites/a.de/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " +
                fixture.key + "\r\n\r\n");
    (void)client.receive("pageview");
    client.reset();
  }
  const auto all = fixture.api.send("GET", "/api/v1/sites/a.de/events").body;
  CHECK(std::count(all.begin(), all.end(), '\n') == 20'000);
}
