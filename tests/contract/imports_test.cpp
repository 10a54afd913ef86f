#include <thread>

#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/support/raw_http.h"
#include "tests/support/service.h"

namespace analytics::test::imports_test {

namespace {

struct Fixture : Service {
  HttpReply import(const std::string& body, const std::string& id = "x", const Headers& more = {}) {
    auto headers = import_headers(std::to_string(at) + "-" + std::to_string(at + 10), id);
    at += 10;
    headers.insert(headers.end(), more.begin(), more.end());
    return api.bulk(body, headers);
  }
  HttpReply imports(const std::string& method, const std::string& id) {
    return api.send(method, "/api/v1/sites/a.de/imports/" + id);
  }
  void await_undo(const std::string& id) {
    while (imports("GET", id).status != 404) std::this_thread::yield();
  }
  int at = 0;
};

std::string line(const std::string& path, const std::string& more = "") {
  constexpr char kRest[] =
      R"(,"timestamp":"2026-11-20T10:00:00Z","ip":"1.2.3.4","user_agent":"UA")";
  return pageview("/" + path, kRest + more) + "\n";
}

}  // namespace

TEST_CASE("imports: deleting an import leaves nothing of it and moves the first event",
          "[contract]") {
  Fixture fixture;
  fixture.api.event(pageview("/live"));
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
  // In a cluster, the site's first event changes only after the node has reported it.
  CHECK(eventually([&] { return site() != "2026-11-20T10:00:00Z"; }));
  CHECK(code_of(fixture.imports("DELETE", "x")) == "404 import_not_found");
}

TEST_CASE("imports: an undone import can be stored again, also with the same key", "[contract]") {
  Fixture fixture;
  const Headers key{{"Idempotency-Key", "same"}};
  CHECK(body_of(fixture.import(line("1"), "x", key))["accepted"] == 1);
  fixture.imports("DELETE", "x");
  fixture.await_undo("x");
  fixture.at = 0;
  CHECK(body_of(fixture.import(line("1"), "x", key))["accepted"] == 1);
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "1");
}

TEST_CASE("imports: only the owner's key with the right to import can undo one", "[contract]") {
  Fixture fixture;
  fixture.import(line("1"));
  const auto remove = [&](const std::string& key) {
    return code_of(Api(fixture.daemon, key).send("DELETE", "/api/v1/sites/a.de/imports/x"));
  };
  CHECK(remove("") == "401 unauthorized");
  CHECK(remove(fixture.daemon.make_key("acme", {"--scope", "sites:write"})) == "403 missing_scope");
  CHECK(remove(fixture.daemon.make_key("other")) == "404 site_not_found");
  CHECK(remove(fixture.daemon.make_key("acme", {"--site", "b.de"})) == "404 site_not_found");
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "1");
}

TEST_CASE("imports: a range whose events were all dropped is remembered", "[contract]") {
  Fixture fixture;
  const auto bots = line("1", R"(,"user_agent":"Googlebot/2.1")");
  CHECK(body_of(fixture.import(bots))["dropped"] == 1);
  const auto held = body_of(fixture.imports("GET", "x"));
  CHECK(held["sources"][0]["ranges"].dump() == R"([{"from":0,"to":10}])");
  CHECK(held["events"] == 0);
}

TEST_CASE("imports: ids of records are compared only on request", "[contract]") {
  Fixture fixture;
  const auto both = line("1", R"(,"id":"r1")") + line("2", R"(,"id":"r1")");
  CHECK(body_of(fixture.import(both))["accepted"] == 2);
  const Headers dedupe{{"Import-Dedupe", "id"}};
  CHECK(body_of(fixture.import(both, "y", dedupe))["accepted"] == 1);
  CHECK(body_of(fixture.import(both, "z", dedupe))["duplicate"] == 2);
  CHECK(code_of(fixture.import(both, "z", {{"Import-Dedupe", "ip"}})) == "400 invalid_parameter");
  fixture.imports("DELETE", "y");
  // The record id is free again because the import y was deleted.
  CHECK(body_of(fixture.import(both, "z", dedupe))["accepted"] == 1);
}

TEST_CASE("export: the output can be imported again, and contains no address", "[contract]") {
  Fixture fixture;
  fixture.import(
      line("a b/ü?utm_source=News&utm_campaign=x%26y",
           R"(,"referrer":"https://r.example/p?q","props":{"p l":"v\"1"})") +
      line("a b/ü", R"(,"n":"engagement","e":2500,"sd":80)") +
      line("h", R"(,"name":"Buy","i":false,"revenue":{"amount":"1.50","currency":"EUR"})"));
  fixture.import(line("other"));
  const auto reply = fixture.api.send("GET", "/api/v1/sites/a.de/events?to=2026-11-20");
  CHECK(reply.status == 200);
  CHECK(reply.header("Content-Type") == kNdjson);
  CHECK(std::count(reply.body.begin(), reply.body.end(), '\n') == 4);
  CHECK(reply.body.find("1.2.3.4") == std::string::npos);
  CHECK(reply.body.find("UA") == std::string::npos);
  const auto visitor = fixture.daemon.query("SELECT printf('%x', visitor) FROM events LIMIT 1");
  CHECK(reply.body.find(visitor) == std::string::npos);
  fixture.api.form("POST", "/api/v1/sites", "domain=b.de");
  auto copy = reply.body;
  for (auto at = copy.find("\"a.de\""); at != std::string::npos; at = copy.find("\"a.de\"")) {
    copy.replace(at, 6, "\"b.de\"");
  }
  CHECK(body_of(fixture.api.bulk(copy))["accepted"] == 4);
  const auto rows = [&](const std::string& site) {
    return fixture.daemon.query(
        "SELECT time, name, hostname, path, referrer, source, channel, utm_source, utm_campaign,"
        " device, browser, os, country, props, engaged_millis, scroll_depth FROM event_text WHERE "
        "site = '" +
        site + "' ORDER BY path, name");
  };
  CHECK(rows("a.de") == rows("b.de"));
  CHECK(rows("a.de").find("|2500|80") != std::string::npos);
  CHECK(fixture.daemon.query("SELECT count(DISTINCT revenue_micros || interactive) FROM"
                             " (SELECT revenue_micros, coalesce(passive, 0) AS interactive FROM"
                             " events WHERE revenue_micros IS NOT NULL)") == "1");
  const auto again = fixture.api.send("GET", "/api/v1/sites/a.de/events").body;
  CHECK(again != reply.body);  // the visitor and visit ids differ
}

TEST_CASE("export: ranges, scopes and both versions of HTTP work", "[contract]") {
  Fixture fixture;
  fixture.import(line("1"));
  const auto ask = [&](const std::string& query) {
    return fixture.api.send("GET", "/api/v1/sites/a.de/events" + query);
  };
  CHECK(ask("?from=2026-11-20&to=2026-11-20").body.size() > 10);
  CHECK(ask("?from=2026-11-21").body.empty());
  CHECK(ask("?to=2026-11-20T10:00:00Z").body.empty());
  CHECK(code_of(ask("?from=tomorrow")) == "400 invalid_parameter");
  auto narrow = fixture.client("acme", {"--scope", "sites:read"});
  CHECK(code_of(narrow.send("GET", "/api/v1/sites/a.de/events")) == "403 missing_scope");
  auto other = fixture.client("other");
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

TEST_CASE("export: a client that leaves in the middle harms no other", "[contract][alone]") {
  Fixture fixture;
  for (int request = 0; request < 2; ++request) {
    std::string many;
    for (int i = 0; i < 10'000; ++i) many += line(std::to_string(i));
    CHECK(fixture.import(many).status == 200);
  }
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

TEST_CASE("imports: a repeated range gets the same answer as the first time", "[contract]") {
  Fixture fixture;
  const auto body = line("1") + "{}\n" + line("2", R"(,"user_agent":"Googlebot/2.1")") +
                    line("3", R"(,"user_agent":"Googlebot/2.1")") + line("4");
  const auto first = body_of(fixture.import(body));
  CHECK(first["accepted"] == 2);
  CHECK(first["dropped_by"]["bot"] == 2);
  CHECK(first["rejected_by"]["invalid_event"] == 1);
  CHECK(first["problems"].size() == 2);
  CHECK(first["problems"][1]["line"] == 3);
  CHECK(first["problems"][1]["count"] == 2);
  CHECK(!first.contains("repeated"));
  const auto again = [&](const std::string& id) {
    fixture.at = 0;
    return body_of(fixture.import(body, id));
  };
  auto repeat = again("x");
  CHECK(repeat["repeated"] == true);
  repeat.erase("repeated");
  CHECK(repeat == first);
  // A later exclusion does not change the repeated answer.
  fixture.api.form("PUT", "/api/v1/sites/a.de/exclusions", "type=page&value=/1");
  repeat = again("x");
  CHECK(repeat["accepted"] == 2);
  // A new import name finds the same bytes stored already.
  const auto other = again("y");
  CHECK(other["duplicate"] == 5);
  CHECK(other["accepted"] == 0);
  CHECK(fixture.imports("GET", "y").status == 404);
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "2");
  fixture.at = 0;
  CHECK(code_of(fixture.import(line("other"))) == "409 range_overlap");
}

TEST_CASE("imports: a line whose site is created later is stored by the repeated request",
          "[contract]") {
  Fixture fixture;
  const auto body = line("1") + R"({"d":"b.de","n":"x","u":"https://b.de/","ip":"1.2.3.4"})" + "\n";
  CHECK(body_of(fixture.import(body))["dropped_by"]["unknown_site"] == 1);
  fixture.api.form("POST", "/api/v1/sites", "domain=b.de");
  fixture.at = 0;
  const auto later = body_of(fixture.import(body));
  CHECK(later["accepted"] == 2);
  CHECK(later["duplicate"] == 0);
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "2");
  fixture.at = 0;
  CHECK(body_of(fixture.import(body))["repeated"] == true);
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "2");
}

TEST_CASE("imports: a line whose site is created later is stored by another import, too",
          "[contract]") {
  Fixture fixture;
  const auto body = line("1") + R"({"d":"b.de","n":"x","u":"https://b.de/","ip":"1.2.3.4"})" + "\n";
  fixture.import(body);
  const auto again = [&] {
    fixture.at = 0;
    return body_of(fixture.import(body, "y"));
  };
  const auto before = again();
  CHECK(before["duplicate"] == 1);
  CHECK(before["dropped_by"]["unknown_site"] == 1);
  fixture.api.form("POST", "/api/v1/sites", "domain=b.de");
  const auto after = again();
  CHECK(after["duplicate"] == 1);
  CHECK(after["accepted"] == 1);
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "2");
}

TEST_CASE("imports: drops of a repeated range are counted once, also after a new site",
          "[contract]") {
  Fixture fixture;
  fixture.api.form("POST", "/api/v1/sites", "domain=c.de");
  fixture.api.form("PUT", "/api/v1/sites/c.de/exclusions", "type=page&value=/1");
  const std::string bot = R"(,"user_agent":"Googlebot/2.1")";
  // The event of the second line is a bot's on a.de and excluded on c.de; the third line names the
  // two sites in the other order. Both lines are dropped for the same reason.
  auto both = line("1", bot);
  both.replace(both.find("a.de"), 4, "c.de,a.de");
  auto turned = line("1", bot);
  turned.replace(turned.find("a.de"), 4, "a.de,c.de");
  const auto body = line("1") + both + turned +
                    R"({"d":"b.de,none.de","n":"x","u":"https://b.de/","ip":"1.2.3.4"})" + "\n";
  const auto first = body_of(fixture.import(body));
  CHECK(first["dropped_by"] == nlohmann::json::parse(R"({"bot":2,"unknown_site":1})"));
  fixture.at = 0;
  auto repeat = body_of(fixture.import(body));
  repeat.erase("repeated");
  CHECK(repeat == first);
  fixture.api.form("POST", "/api/v1/sites", "domain=b.de");
  fixture.at = 0;
  CHECK(body_of(fixture.import(body))["accepted"] == 2);
  // Once this import is answered, the drops of all earlier lines have been counted.
  CHECK(fixture.import(line("2", bot)).status == 200);
  const auto drops = [&](const std::string& site, const std::string& reason) {
    const auto all = body_of(fixture.api.send("GET", "/api/v1/sites/" + site + "/drops"))["drops"];
    std::int64_t count = 0;
    for (const auto& row : all) count += row["reason"] == reason ? row["count"].get<int>() : 0;
    return count;
  };
  while (drops("a.de", "bot") < 3) std::this_thread::yield();
  CHECK(drops("a.de", "bot") == 3);
  CHECK(drops("c.de", "excluded") == 2);
  CHECK(fixture.daemon.query("SELECT sum(count) FROM unknown_sites WHERE domain = 'none.de'") ==
        "1");
}

TEST_CASE("imports: ranges are listed one by one with the hash of their bytes", "[contract]") {
  Fixture fixture;
  const auto body = line("1");
  fixture.import(body);
  fixture.import(line("2"));
  CHECK(body_of(fixture.imports("GET", "x"))["sources"][0]["ranges"].size() == 1);
  const auto ranges = body_of(fixture.imports("GET", "x?ranges=1"))["sources"][0]["ranges"];
  REQUIRE(ranges.size() == 2);
  const auto sum = run({"sha256sum", fixture.write("body", body)}).out;  // independent of our code
  CHECK(ranges[0]["hash"] == sum.substr(0, 32));
  CHECK(ranges[0]["hash"] != ranges[1]["hash"]);
}

TEST_CASE("imports: the imports of a log are shown and undone together", "[contract]") {
  Fixture fixture;
  const Headers of_log{{"Import-Log", "access.log.web1"}};
  // The import x names its log only with its second range.
  CHECK(fixture.import(line("1"), "x").status == 200);
  CHECK(fixture.import(line("2"), "x", of_log).status == 200);
  CHECK(fixture.import(line("3") + line("4"), "y", of_log).status == 200);
  CHECK(fixture.import(line("5"), "other").status == 200);
  CHECK(body_of(fixture.imports("GET", "y"))["log"] == "access.log.web1");
  const auto log = body_of(fixture.imports("GET", "access.log.web1"));
  CHECK(log["id"] == "access.log.web1");
  CHECK(log["events"] == 4);
  CHECK(log["sources"].size() == 2);
  CHECK(log["imports"] == nlohmann::json::parse(R"(["x","y"])"));
  CHECK(body_of(fixture.imports("GET", "x?source=" + std::string(32, 'b')))["sources"].empty());
  CHECK(body_of(fixture.imports("GET", "x?source=" + kImportSource))["sources"].size() == 1);
  CHECK(code_of(fixture.imports("GET", "x?source=a")) == "400 invalid_parameter");
  CHECK(code_of(fixture.import(line("6"), "x", {{"Import-Log", "a b"}})) ==
        "400 invalid_parameter");
  CHECK(code_of(fixture.api.send("GET", "/api/v1/sites/a.de/events?import=access.log.web1")) ==
        "400 invalid_parameter");
  CHECK(fixture.imports("DELETE", "access.log.web1").status == 200);
  CHECK(body_of(fixture.api.send("GET", "/api/v1/sites/a.de/imports"))["imports"].size() == 1);
  fixture.await_undo("access.log.web1");
  CHECK(fixture.daemon.query("SELECT group_concat(path) FROM event_text") == "/5");
  CHECK(code_of(fixture.imports("DELETE", "access.log.web1")) == "404 import_not_found");
}

TEST_CASE("imports: a key for some sites cannot collide with imports of other sites",
          "[contract]") {
  Fixture fixture;
  fixture.api.form("POST", "/api/v1/sites", "domain=b.de");
  const auto of_b =
      R"({"d":"b.de","n":"x","u":"https://b.de/","ip":"1.2.3.4"})" + std::string("\n");
  const Headers key{{"Idempotency-Key", "k"}};
  CHECK(body_of(fixture.import(of_b, "load", key))["accepted"] == 1);
  auto overlapping = import_headers("5-20", "load");
  overlapping.emplace_back("Idempotency-Key", "k");
  auto limited = fixture.client("acme", {"--site", "a.de"});
  const auto stored = limited.bulk(line("1"), overlapping);
  CHECK(stored.status == 200);
  CHECK(body_of(stored)["accepted"] == 1);
}

TEST_CASE("bulk: an answer names at most 2,000 problems and counts them all", "[contract]") {
  Fixture fixture;
  std::string body;
  for (int i = 0; i < 5'000; ++i) body += i % 2 == 0 ? "{}\n" : "[]\n";
  const auto answer = fixture.api.bulk(body);
  CHECK(body_of(answer)["rejected"] == 5'000);
  CHECK(body_of(answer)["problems"].size() == 2'000);
  CHECK(body_of(answer)["problems_omitted"] == 3'000);
  std::string same;
  for (int i = 0; i < 10'000; ++i) same += "{}\n";
  const auto run = fixture.api.bulk(same);
  CHECK(body_of(run)["problems"].size() == 1);
  CHECK(body_of(run)["problems"][0]["count"] == 10'000);
  CHECK(run.body.size() < 1'000);
}

}  // namespace analytics::test::imports_test
