#include <csignal>

#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::settings_test {

TEST_CASE("settings: a reload applies the settings that can change and names the others",
          "[contract][alone][settings]") {
  Service service({.settings = "base_url = \"https://old.example\"\nworkers = 2\n"});
  auto& api = service.api;
  const auto link = [&] {
    return body_of(api.form("PUT", "/api/v1/sites/shared-links", "site_id=a.de&name=L"))["url"]
        .get<std::string>();
  };
  const auto open_page = [&] {
    const auto url = link();
    return api.send("GET", url.substr(url.find("/share/")));
  };
  CHECK(link().starts_with("https://old.example/"));
  CHECK(open_page().header("Content-Security-Policy").find("frame-ancestors 'none'") !=
        std::string::npos);
  service.write(
      "settings.toml",
      "base_url = \"https://new.example\"\nframe_ancestors = [\"https://intranet.example\"]\n"
      "workers = 3\nquery_memory_bytes = 1048576\nmax_new_texts_per_day = 1000\n"
      "[http]\nidle_timeout = \"5s\"\nevent_body_bytes = 1024\n");
  service.daemon.signal(SIGHUP);
  while (!link().starts_with("https://new.example/")) {
  }
  CHECK(open_page().header("Content-Security-Policy").find("https://intranet.example") !=
        std::string::npos);
  CHECK(api.event(pageview("/" + std::string(2'000, 'a'))).status == 413);
  // The writer applies the store's limits before later events.
  for (int i = 0; i < 1'010; ++i) service.visitor.event(pageview("/" + std::to_string(i)));
  CHECK(service.daemon.query("SELECT count(*) > 0 FROM event_text WHERE path = '(other)'") == "1");
  const auto log = service.daemon.end();
  CHECK(log.find("settings=workers") != std::string::npos);
}

}  // namespace analytics::test::settings_test
