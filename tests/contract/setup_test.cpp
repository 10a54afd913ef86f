#include <fstream>

#include <sys/stat.h>

#include "common/io/fs.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"

namespace analytics::test::setup_test {

namespace {

/// Runs `analyticsd setup` for the site shop.example, with further arguments.
Process::Finished set_up(const TempFolder& folder, const std::filesystem::path& database,
                         std::vector<std::string> more) {
  more.insert(more.begin(),
              {"setup", "--config", (folder / "a.toml").string(), "--out", folder.path().string()});
  return operate(database, std::move(more));
}

}  // namespace

TEST_CASE("setup: a key and a site work at once, and a second run changes nothing",
          "[contract][setup]") {
  const TempFolder folder;
  std::ofstream(folder / "a.toml")
      << "# Ours.\n# base_url = \"https://stats.example.com\"\nworkers = 3\n";
  chmod((folder / "a.toml").c_str(), 0640);
  DaemonProcess daemon(daemon_program());
  const std::vector<std::string> answers{"--url",      "https://stats.shop.example/",
                                         "--proxy",    "none",
                                         "--site",     "shop.example",
                                         "--timezone", "Europe/Paris"};
  const auto done = set_up(folder, daemon.database(), answers);
  INFO(done.out << done.err);
  REQUIRE(done.exit == 0);
  CHECK(*read_file(folder / "a.toml") ==
        "# Ours.\nbase_url = \"https://stats.shop.example\"\nworkers = 3\n");
  struct stat status {};
  REQUIRE(stat((folder / "a.toml").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
  REQUIRE(stat((folder / "analytics.key").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  auto key = *read_file(folder / "analytics.key");
  key.pop_back();
  Api api(daemon.url(), key);
  const auto site = body_of(api.send("GET", "/api/v1/sites/shop.example"));
  CHECK(site["timezone"] == "Europe/Paris");
  CHECK(done.out.find(
            "data-domain=\"shop.example\" src=\"https://stats.shop.example/js/script.js\"") !=
        std::string::npos);
  const auto again = set_up(folder, daemon.database(), answers);
  CHECK(again.exit == 0);
  CHECK(again.out.find("created") == std::string::npos);
  CHECK(again.out.find("unchanged " + (folder / "a.toml").string()) != std::string::npos);
  CHECK(*read_file(folder / "analytics.key") == key + "\n");
}

TEST_CASE("setup: a proxy's file has the service's name, and the settings trust the proxy",
          "[contract][setup]") {
  const TempFolder folder;
  std::ofstream(folder / "a.toml") << "\n";
  DaemonProcess daemon(daemon_program());
  const auto done = set_up(folder, daemon.database(),
                           {"--url", "https://stats.shop.example", "--proxy", "caddy", "--site",
                            "shop.example", "--geoip", "none"});
  INFO(done.out << done.err);
  REQUIRE(done.exit == 0);
  CHECK(read_file(folder / "a.toml")->find("trusted_proxies = [\"loopback\"]\n") !=
        std::string::npos);
  if (const auto file = read_file(folder / "Caddyfile")) {  // the examples may not be installed
    CHECK(file->find("stats.shop.example {") != std::string::npos);
    CHECK(file->find("stats.example.com") == std::string::npos);
    CHECK(file->find("www.example.com") == std::string::npos);
  } else {
    CHECK(done.err.find("examples for proxies are not installed") != std::string::npos);
  }
}

TEST_CASE("setup: settings that the operator has made stay", "[contract][setup]") {
  const TempFolder folder;
  const std::string settings =
      "base_url = \"https://stats.shop.example\"\ntrusted_proxies = [\n  \"private\",\n]\n";
  std::ofstream(folder / "a.toml") << settings;
  DaemonProcess daemon(daemon_program());
  const auto done = set_up(folder, daemon.database(), {"--site", "shop.example"});
  INFO(done.out << done.err);
  CHECK(done.exit == 0);
  CHECK(*read_file(folder / "a.toml") == settings);
  CHECK(done.out.find("https://stats.shop.example/js/script.js") != std::string::npos);
}

TEST_CASE("setup: wrong answers change nothing", "[contract][setup]") {
  const TempFolder folder;
  std::ofstream(folder / "a.toml") << "workers = 3\n";
  DaemonProcess daemon(daemon_program());
  const auto database = daemon.database();
  const auto refused = [&](std::vector<std::string> answers, const std::string& reason) {
    const auto done = set_up(folder, database, std::move(answers));
    INFO(reason << done.err);
    CHECK(done.exit != 0);
    CHECK(done.err.find(reason) != std::string::npos);
    CHECK(*read_file(folder / "a.toml") == "workers = 3\n");
    CHECK(!std::filesystem::exists(folder / "analytics.key"));
  };
  refused({"--site", "shop//example"}, "--site: ");
  refused({}, "--site: ");
  refused({"--site", "a.example", "--url", "stats"}, "is not an address such as https://");
  refused({"--site", "a.example", "--proxy", "apache"}, "is not nginx, caddy, haproxy or none");
  refused({"--site", "a.example", "--timezone", "Mars"}, "is not a time zone");
  refused({"--site", "a.example", "--geoip", "/nonexistent.mmdb"}, "/nonexistent.mmdb");
  refused({"--site", "a.example", "--account", " "}, "is not the name of an account");
  Api(daemon.url(), daemon.make_key("another"))
      .form("POST", "/api/v1/sites", "domain=taken.example");
  refused({"--site", "taken.example"}, "taken.example");
  CHECK(daemon.query("SELECT count(*) FROM api_keys") == "1");
  CHECK(operate(database, {"setup", "--config", (folder / "b.toml").string()}).exit == 3);
  const auto missing = set_up(folder, folder / "none.db", {"--site", "a.example"});
  CHECK(missing.exit == 5);
  CHECK(!std::filesystem::exists(folder / "none.db"));
}

}  // namespace analytics::test::setup_test
