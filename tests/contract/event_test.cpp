#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::event_test {

namespace {

const ServiceOptions kExample{.site = "a.example"};
const std::string kView =
    R"({"d":"a.example","n":"pageview","u":"https://www.a.example/x%20y?utm_source=news"})";

}  // namespace

TEST_CASE("event: the answer is 202 with an empty object, and the event is in the database",
          "[contract]") {
  Service service(kExample);
  const auto reply = service.visitor.event(kView);
  CHECK(reply.status == 202);
  CHECK(reply.body == "{}");
  CHECK(reply.header("Access-Control-Allow-Origin") == "*");
  CHECK(reply.header("X-Analytics-Dropped").empty());
  CHECK(service.daemon.query("SELECT site, name, hostname, path, utm_source FROM event_text") ==
        "a.example|pageview|a.example|/x y|news");
  CHECK(service.visitor.send("POST", "/api/event", kView, "text/plain; charset=utf-8").status ==
        202);
}

TEST_CASE("event: other media types are answered 415", "[contract]") {
  Service service(kExample);
  for (const auto* type : {"", "application/x-www-form-urlencoded", "text/html"}) {
    CAPTURE(type);
    const auto reply = service.visitor.send("POST", "/api/event", kView, type);
    CHECK(code_of(reply) == "415 unsupported_media_type");
    CHECK(reply.header("Access-Control-Allow-Origin") == "*");
  }
  CHECK(code_of(service.visitor.event(kView, {{"Content-Encoding", "gzip"}})) ==
        "415 unsupported_media_type");
}

TEST_CASE("event: the answer names the sites that do not count the event", "[contract]") {
  Service service(kExample);
  auto reply = service.visitor.event(
      R"({"d":"a.example, nope.example,A.example","n":"x","u":"https://a.example"})");
  CHECK(reply.status == 202);
  CHECK(reply.header("X-Analytics-Dropped") == "nope.example=unknown_site");
  CHECK(reply.header("X-Plausible-Dropped") == "1");
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "1");
}

TEST_CASE("event: an error names the wrong field", "[contract]") {
  Service service(kExample);
  const auto reply = service.visitor.event(R"({"domain":"a.example","url":"javascript:alert"})");
  CHECK(code_of(reply) == "400 invalid_event");
  CHECK(body_of(reply)["errors"].contains("name"));
  CHECK(body_of(reply)["errors"].contains("url"));
  CHECK(code_of(service.visitor.event("{")) == "400 malformed_body");
  CHECK(code_of(service.visitor.event(std::string(270'000, ' '))) == "413 body_too_large");
}

TEST_CASE("event: an idempotency key counts once for visitors and once for the owner's key",
          "[contract]") {
  Service service(kExample);
  CHECK(service.visitor.event(kView, {{"Idempotency-Key", "k"}})
            .header("X-Analytics-Dropped")
            .empty());
  CHECK(service.visitor.event(kView, {{"Idempotency-Key", "k"}}).header("X-Analytics-Dropped") ==
        "a.example=duplicate");
  CHECK(service.api.event(kView, {{"Idempotency-Key", "k"}}).header("X-Analytics-Dropped").empty());
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "2");
  // A key for other sites, or one that may not import, does not use up the owner's idempotency
  // keys.
  for (const auto& limit :
       std::vector<std::vector<std::string>>{{"--site", "b.example"}, {"--scope", "stats:read"}}) {
    auto other = service.client("acme", limit);
    CHECK(other.event(kView, {{"Idempotency-Key", "order-" + limit.back()}}).status == 202);
    CHECK(service.api.event(kView, {{"Idempotency-Key", "order-" + limit.back()}})
              .header("X-Analytics-Dropped")
              .empty());
  }
  CHECK(code_of(service.visitor.event(kView, {{"Idempotency-Key", std::string(129, 'k')}})) ==
        "400 invalid_parameter");
}

TEST_CASE("event: import fields count with the right to import and are named without it",
          "[contract]") {
  Service service(kExample);
  const std::string old =
      R"({"d":"a.example","n":"pageview","u":"https://a.example/","timestamp":1500000000,"ip":"1.2.3.4","user_agent":"U"})";
  CHECK(service.api.event(old).status == 202);
  CHECK(service.daemon.query("SELECT time FROM event_text") == "2017-07-14T02:40:00Z");
  CHECK(service.visitor.event(old).header("X-Analytics-Ignored") == "timestamp, ip, user_agent");
  CHECK(
      code_of(service.api.event(R"({"d":"a.example","n":"p","u":"https://a","timestamp":"x"})")) ==
      "400 invalid_timestamp");
  CHECK(code_of(service.api.event(R"({"d":"a.example","n":"p","u":"https://a","ip":"x"})")) ==
        "400 invalid_event");
  CHECK(service.visitor.event(kView, {{"Authorization", "Bearer other"}}).status == 202);
  CHECK(code_of(service.visitor.event(kView, {{"Authorization", "Bearer an_unknown"}})) ==
        "401 unauthorized");
  CHECK(service.client("other").event(old).header("X-Analytics-Dropped") ==
        "a.example=unknown_site");
}

TEST_CASE("event: address and User-Agent distinguish visitors, and neither is on disk",
          "[contract]") {
  Service service(kExample);
  for (const auto* address : {"203.0.113.77", "203.0.113.78", "203.0.113.77"}) {
    service.visitor.event(kView, {{"X-Forwarded-For", address}, {"User-Agent", "Canary/9.9"}});
  }
  CHECK(service.daemon.query("SELECT count(DISTINCT visitor) FROM events") == "2");
  const auto file = service.daemon.database().string();
  CHECK(run({"grep", "-c", "-a", "-e", "203.0.113.7", "-e", "Canary", file, file + "-wal"}).exit ==
        1);
}

TEST_CASE("event: X-Debug-Request explains the event without storing it", "[contract]") {
  Service service(kExample);
  const auto reply =
      service.visitor.event(kView, {{"X-Debug-Request", "true"}, {"X-Forwarded-For", "1.2.3.4"}});
  CHECK(reply.status == 200);
  const auto body = body_of(reply);
  CHECK(body["client"]["address"] == "1.2.3.4");
  CHECK(body["events"][0]["page"] == "/x y");
  CHECK(!body["events"][0].contains("goals"));
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "0");
}

TEST_CASE("event: a CORS preflight request is answered", "[contract]") {
  Service service(kExample);
  const auto reply = service.visitor.send("OPTIONS", "/api/event");
  CHECK(reply.status == 204);
  CHECK(reply.header("Access-Control-Allow-Methods") == "POST, OPTIONS");
  CHECK(reply.header("Access-Control-Max-Age") == "86400");
}

}  // namespace analytics::test::event_test
