#include <csignal>
#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::settings_test {

namespace {

std::string page(const std::string& path) {
  return R"({"d":"a.de","n":"pageview","u":"https://a.de)" + path + "\"}";
}

}  // namespace

TEST_CASE("settings: a reload applies the settings that can change and names the others",
          "[contract][alone][settings]") {
  TempFolder folder;
  const auto config = folder / "a.toml";
  const auto write_config = [&](const std::string& text) { std::ofstream(config) << text; };
  write_config("base_url = \"https://old.example\"\nworkers = 2\n");
  DaemonProcess daemon(daemon_program(), {"--config", config.string()});
  Api api(daemon.url(), daemon.make_key());
  api.form("POST", "/api/v1/sites", "domain=a.de");
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
  write_config(
      "base_url = \"https://new.example\"\nframe_ancestors = [\"https://intranet.example\"]\n"
      "workers = 3\nquery_memory_bytes = 1048576\nmax_new_texts_per_day = 1000\n"
      "[http]\nidle_timeout = \"5s\"\nevent_body_bytes = 1024\n");
  daemon.signal(SIGHUP);
  while (!link().starts_with("https://new.example/")) {
  }
  CHECK(open_page().header("Content-Security-Policy").find("https://intranet.example") !=
        std::string::npos);
  CHECK(api.event(page("/" + std::string(2'000, 'a'))).status == 413);
  // The writer applies the store's limits before later events.
  Api visitors(daemon.url(), "");
  for (int i = 0; i < 1'010; ++i) visitors.event(page("/" + std::to_string(i)));
  CHECK(daemon.query("SELECT count(*) > 0 FROM event_text WHERE path = '(other)'") == "1");
  const auto log = daemon.end();
  CHECK(log.find("settings=workers") != std::string::npos);
}

}  // namespace analytics::test::settings_test
