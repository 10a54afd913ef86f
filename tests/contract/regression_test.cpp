// Faults of the HTTP API that hostile testing found, each with the rule that it broke.
#include <csignal>

#include "tests/support/catch.h"
#include "tests/support/raw_http.h"
#include "tests/support/service.h"

namespace analytics::test::regression_test {

namespace {

struct Fixture : Service {
  std::string event(const std::string& more, Headers headers = {}) {
    const auto reply = visitor.event(event_body("x", "/", more), std::move(headers));
    return reply.status == 202 ? "202" : code_of(reply);
  }
  std::string raw(const std::string& bytes) { return send_raw(daemon.port(), bytes); }
};

constexpr char kEventHead[] =
    "POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nConnection: close\r\n";

}  // namespace

TEST_CASE("regression: many props and long unknown lists do not make a body malformed",
          "[contract]") {
  Fixture fixture;
  std::string props;
  for (int i = 0; i < 2'500; ++i)
    props += (i == 0 ? "" : ",") + ("\"" + std::to_string(i) + "\":1");
  CHECK(fixture.event(R"(,"p":{)" + props + "}") == "202");
  std::string list = "1";
  for (int i = 0; i < 3'000; ++i) list += ",1";
  CHECK(fixture.event(R"(,"unknown":[)" + list + "]") == "202");
}

TEST_CASE("regression: import fields are named when ignored and checked when used", "[contract]") {
  Fixture fixture;
  const std::string body =
      R"({"d":"a.de","n":"x","u":"https://a.de/","visitor":5,"visit":"v","country":"DE","city":"B"})";
  const auto ignored = fixture.visitor.event(body);
  CHECK(ignored.header("X-Analytics-Ignored") == "visitor, visit, country, city");
  const auto judged = fixture.api.event(body);
  CHECK(code_of(judged) == "400 invalid_event");
  CHECK(body_of(judged)["errors"].contains("visitor"));
  const auto both = fixture.api.event(R"({"d":"a.de","n":"","u":"https://a.de/","ip":"nope"})");
  CHECK(body_of(both)["errors"].size() == 2);
}

TEST_CASE("regression: a visitor id of another server identifies one visitor at any address",
          "[contract]") {
  Fixture fixture;
  for (const std::string more : {R"(,"visitor":"v1","ip":"1.1.1.1")",
                                 R"(,"visitor":"v1","ip":"2.2.2.2")", R"(,"visitor":"v2")"}) {
    CHECK(fixture.api.event(event_body("x", "/", more)).status == 202);
  }
  CHECK(fixture.daemon.query("SELECT count(DISTINCT visitor) FROM events") == "2");
}

TEST_CASE("regression: a key has no import rights on sites of other accounts", "[contract]") {
  Fixture fixture;
  auto other = fixture.client("else");
  CHECK(other.event(event_body("x")).header("X-Analytics-Dropped").empty());
  CHECK(other.event(event_body("x", "/", R"(,"timestamp":1700000000)"))
            .header("X-Analytics-Dropped") == "a.de=unknown_site");
}

TEST_CASE("regression: blank names, huge integers and controls in referrers are handled",
          "[contract]") {
  Fixture fixture;
  for (const std::string name : {R"("\u00a0")", R"("\u3000")", R"("\u2003 ")"}) {
    CHECK(fixture.event(R"(,"n":)" + name) == "400 invalid_event");
  }
  CHECK(fixture.event(R"(,"n":18446744073709551616)") == "202");
  CHECK(fixture.daemon.query("SELECT name FROM event_text") == "18446744073709551616");
  CHECK(fixture.event(R"(,"n":"y","r":"https://q.com/a\u0000b")") == "202");
  CHECK(fixture.daemon.query("SELECT count(*) FROM event_text WHERE referrer IS NOT NULL") == "0");
}

TEST_CASE("regression: a renamed site counts once under its two names", "[contract]") {
  Fixture fixture;
  fixture.api.form("PUT", "/api/v1/sites/a.de", "domain=b.de");
  const auto reply = fixture.visitor.event(R"({"d":"a.de,b.de","n":"x","u":"https://a.de/"})");
  CHECK(reply.header("X-Analytics-Dropped").empty());
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "1");
}

TEST_CASE("regression: a host name with a NUL after a punycode label is refused", "[contract]") {
  Fixture fixture;
  CHECK(code_of(fixture.api.form("POST", "/api/v1/sites", "domain=xn--mnchen-3ya%00evil.de")) ==
        "400 invalid_domain");
  CHECK(code_of(fixture.api.form("PUT", "/api/v1/sites/shared-links",
                                 "site_id=a.de&name=a%C2%85b")) == "400 invalid_parameter");
}

TEST_CASE("regression: the Content-Type of a DELETE without a body is ignored", "[contract]") {
  Fixture fixture;
  fixture.api.form("PUT", "/api/v1/sites/shared-links", "site_id=a.de&name=n");
  CHECK(
      fixture.api.send("DELETE", "/api/v1/sites/shared-links?site_id=a.de&name=n", "", "text/plain")
          .status == 200);
  CHECK(fixture.api.send("DELETE", "/api/v1/sites/a.de", "", "multipart/form-data; boundary=x")
            .status == 200);
}

TEST_CASE("regression: a quoted file name does not name the part", "[contract]") {
  Fixture fixture;
  const std::string body =
      "--x\r\nContent-Disposition: form-data; filename=\"f; name=q\"; "
      "name=\"domain\"\r\n\r\nm.de\r\n"
      "--x--\r\n";
  CHECK(fixture.api.send("POST", "/api/v1/sites", body, "multipart/form-data; boundary=x").status ==
        200);
}

TEST_CASE("regression: an empty value in an update counts as absent, and ids match exactly",
          "[contract]") {
  Fixture fixture;
  fixture.api.form("PUT", "/api/v1/sites/a.de", "timezone=Europe/Berlin");
  CHECK(code_of(fixture.api.form("PUT", "/api/v1/sites/a.de", "timezone=")) ==
        "400 missing_parameter");
  const auto goal = fixture.api.form("PUT", "/api/v1/sites/goals",
                                     "site_id=a.de&goal_type=page&page_type=&page_path=/x");
  CHECK(goal.status == 200);
  const auto id = body_of(goal)["id"].get<std::string>();
  CHECK(code_of(fixture.api.form("DELETE", "/api/v1/sites/goals/00" + id, "site_id=a.de")) ==
        "404 goal_not_found");
}

TEST_CASE("regression: TRACE and CONNECT are answered 405 on every path", "[contract]") {
  Fixture fixture;
  for (const std::string start : {"TRACE /nope", "CONNECT a:80", "CONNECT /"}) {
    INFO(start);
    const auto reply = fixture.raw(start + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    CHECK(reply.starts_with("HTTP/1.1 405"));
    CHECK(reply.find("\r\nAllow: ") != std::string::npos);
  }
}

TEST_CASE("regression: framing errors have CORS headers for events and no body for HEAD",
          "[contract]") {
  Fixture fixture;
  for (const std::string more : {"Content-Length: x\r\n", "Expect: the-worst\r\n"}) {
    CHECK(fixture.raw(kEventHead + more + "\r\n").find("Access-Control-Allow-Origin: *") !=
          std::string::npos);
  }
  CHECK(fixture.raw(kEventHead + ("A: " + std::string(20'000, 'x')) + "\r\n\r\n")
            .find("Access-Control-Allow-Origin: *") != std::string::npos);
  CHECK(fixture.raw("HEAD / HTTP/1.1\r\n\r\n").ends_with("\r\n\r\n"));
}

TEST_CASE("regression: chunk extensions and trailers over the limits are refused", "[contract]") {
  Fixture fixture;
  const auto chunked = std::string(kEventHead) + "Transfer-Encoding: chunked\r\n\r\n";
  for (const std::string& body :
       {"2;" + std::string(300, 'a') + "\r\n{}\r\n0\r\n\r\n",
        std::string(300, '0') + "2\r\n{}\r\n0\r\n\r\n",
        std::string("2\r\n{}\r\n0\r\nX-A: b\r\n\r\n"), "5;a=" + std::string(1'000, 'x')}) {
    CHECK(fixture.raw(chunked + body).starts_with("HTTP/1.1 400"));
  }
}

TEST_CASE("regression: a trailer is ignored, whatever its name", "[contract]") {
  Fixture fixture;
  const auto event = pageview();
  std::ostringstream size;
  size << std::hex << event.size();
  for (const std::string trailer :
       {"Content-Length: 5", "Transfer-Encoding: chunked", "X-Sum: 1", "Host: b"}) {
    INFO(trailer);
    CHECK(fixture
              .raw(std::string(kEventHead) + "Transfer-Encoding: chunked\r\n\r\n" + size.str() +
                   "\r\n" + event + "\r\n0\r\n" + trailer + "\r\n\r\n")
              .starts_with("HTTP/1.1 202"));
  }
}

TEST_CASE("regression: 100 Continue is sent only for a wanted body and never to HTTP/1.0",
          "[contract]") {
  Fixture fixture;
  const std::string expect = "Host: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
  CHECK(fixture.raw("POST /nope HTTP/1.1\r\n" + expect).starts_with("HTTP/1.1 404"));
  CHECK(fixture.raw("POST /api/v1/sites HTTP/1.1\r\n" + expect).starts_with("HTTP/1.1 401"));
  CHECK(fixture.raw("POST /api/event HTTP/1.0\r\n" + expect + "{}").starts_with("HTTP/1.1 415"));
}

TEST_CASE("regression: the counters of a deleted site are deleted", "[contract]") {
  Fixture fixture;
  fixture.event("");
  fixture.api.form("DELETE", "/api/v1/sites/a.de", "");
  fixture.daemon.stop(SIGTERM);  // writes the counters
  CHECK(fixture.daemon.query("SELECT count(*) FROM ingest_counters WHERE site != 0") == "0");
}

}  // namespace analytics::test::regression_test
