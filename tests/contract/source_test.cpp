#include <csignal>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"

namespace analytics::test::source_test {

TEST_CASE("source: a visit's source and channel are stored and explained", "[contract][source]") {
  DaemonProcess daemon(daemon_program());
  Api(daemon.url(), daemon.make_key()).form("POST", "/api/v1/sites", "domain=a.de");
  Api api(daemon.url(), "");
  const auto send = [&](const std::string& query, const std::string& referrer,
                        Headers headers = {}) {
    return api.event(R"({"d":"a.de","n":"pageview","u":"https://a.de/)" + query + R"(","r":")" +
                         referrer + "\"}",
                     std::move(headers));
  };
  send("", "");
  send("", "https://www.google.de/search?q=x");
  send("?utm_source=fb&utm_medium=paid", "");
  send("", "https://a.de/other");
  send("", "https://blog.example/post");
  CHECK(daemon.query("SELECT group_concat(coalesce(source, '-') || '=' || channel, '|')"
                     " FROM (SELECT * FROM event_text)") ==
        "-=Direct|Google=Organic Search|Facebook=Paid Social|-=Direct|blog.example=Referral");
  const auto shown = body_of(send("?gclid=x", "", {{"X-Debug-Request", "true"}}))["events"][0];
  CHECK(shown["source"] == "Google");
  CHECK(shown["channel"] == "Paid Search");
}

TEST_CASE("drops: dropped events are counted by hour and reason", "[contract][source]") {
  DaemonProcess daemon(daemon_program());
  const auto key = daemon.make_key();
  Api api(daemon.url(), key);
  api.form("POST", "/api/v1/sites", "domain=a.de");
  for (int i = 0; i < 3; ++i) {
    api.event(R"({"d":"a.de","n":"x","u":"https://a.de/"})", {{"Idempotency-Key", "same"}});
  }
  daemon.stop(SIGTERM);  // counters are written once a second and at the end
  daemon.start();
  Api again(daemon.url(), key);
  const auto drops = body_of(again.send("GET", "/api/v1/sites/a.de/drops"))["drops"];
  REQUIRE(drops.size() == 1);
  CHECK(drops[0]["reason"] == "duplicate");
  CHECK(drops[0]["count"] == 2);
  CHECK(code_of(again.send("GET", "/api/v1/sites/a.de/drops?days=0")) == "400 invalid_parameter");
  const auto shown = run({cli_program(), "sites", "drops", "a.de"},
                         {{"ANALYTICS_URL=" + daemon.url(), "ANALYTICS_API_KEY=" + key}, {}});
  CHECK(shown.exit == 0);
  CHECK(shown.out.find("\tduplicate\t2\n") != std::string::npos);
}

}  // namespace analytics::test::source_test
