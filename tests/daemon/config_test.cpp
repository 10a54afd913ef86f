#include "daemon/config/config.h"

#include <fstream>

#include "common/io/fs.h"
#include "common/text/text.h"
#include "daemon/config/exit_code.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::config_test {

namespace {

Result<Config> load(const TempFolder& folder, const std::string& text) {
  std::ofstream(folder / "c.toml") << text;
  ConfigOverrides overrides;
  overrides.file = folder / "c.toml";
  return load_config(overrides);
}

}  // namespace

TEST_CASE("config: the command line stands above the file", "[daemon][config]") {
  const TempFolder folder;
  std::ofstream(folder / "c.toml") << "db = \"/from/file.db\"\nlisten = [\"127.0.0.1:1\"]\n"
                                      "base_url = \"https://a.example/\"\n";
  ConfigOverrides overrides;
  overrides.file = folder / "c.toml";
  overrides.database = "/from/line.db";
  overrides.admin_listen = {"9100"};
  const auto config = load_config(overrides);
  REQUIRE(config);
  CHECK(config->database == "/from/line.db");
  CHECK(config->http.listen == std::vector<std::string>{"127.0.0.1:1"});
  CHECK(config->settings.base_url == "https://a.example");
  CHECK(config->admin_listen == std::vector<std::string>{"127.0.0.1:9100"});
}

TEST_CASE("config: the environment stands between the command line and the file",
          "[daemon][config]") {
  const TempFolder folder;
  const auto with = [&](const std::string& name, const std::string& value) {
    setenv(name.c_str(), value.c_str(), 1);
    auto config = load(folder, "base_url = \"https://file.example\"\nlisten = [\"127.0.0.1:1\"]\n");
    unsetenv(name.c_str());
    return config;
  };
  CHECK(with("ANALYTICSD_BASE_URL", "https://environment.example")->settings.base_url ==
        "https://environment.example");
  CHECK(with("ANALYTICSD_BASE_URL", "")->settings.base_url == "https://file.example");
  CHECK(with("ANALYTICSD_LISTEN", "127.0.0.1:2, [::1]:2")->http.listen ==
        std::vector<std::string>{"127.0.0.1:2", "[::1]:2"});
  CHECK(with("ANALYTICSD_TRUSTED_PROXIES", "loopback")->settings.trusted_proxies.size() == 2);
  // Kubernetes sets such variables for a service with this name.
  CHECK(with("ANALYTICSD_PORT_8000_TCP", "tcp://10.0.0.1:8000").has_value());
  CHECK(with("ANALYTICSD_BASEURL", "x").error().message == "ANALYTICSD_BASEURL names no setting");
  const auto wrong = with("ANALYTICSD_HTTP_HEADER_TIMEOUT", "soon");
  REQUIRE(!wrong);
  CHECK(wrong.error().message.find("ANALYTICSD_HTTP_HEADER_TIMEOUT: http.header_timeout must be") ==
        0);
}

TEST_CASE("config: every problem is named with its line", "[daemon][config]") {
  const TempFolder folder;
  const auto config =
      load(folder, "nonsense = 1\nworkers = 1000\n[http]\nheader_timeout = \"soon\"\n");
  REQUIRE(!config);
  const auto& message = config.error().message;
  CHECK(message.find("c.toml:1: unknown setting nonsense") != std::string::npos);
  CHECK(message.find("c.toml:2: workers must be") != std::string::npos);
  CHECK(message.find("c.toml:4: http.header_timeout must be") != std::string::npos);
}

TEST_CASE("config: trusted proxies by preset, network and file", "[daemon][config]") {
  const TempFolder folder;
  std::ofstream(folder / "networks") << "# published\n198.51.100.0/24\n\n2001:db8::/32 # six\n";
  const auto config = load(folder, "trusted_proxies = [\"loopback\", \"203.0.113.1\", \"" +
                                       (folder / "networks").string() + "\"]\n");
  REQUIRE(config);
  CHECK(config->settings.trusted_proxies.size() == 5);
  CHECK(!load(folder, "trusted_proxies = [\"nowhere\"]\n"));
  CHECK(!load(folder, "trusted_proxies = [\"/nonexistent\"]\n"));
}

TEST_CASE("config: only a node of a cluster may forget days", "[daemon][config]") {
  const TempFolder folder;
  std::ofstream(folder / "key") << std::string(32, 'k');
  const auto events = std::string("[cluster]\nevents = \"http://127.0.0.1:8123/a\"\n");
  const auto registry =
      "registry = \"postgresql://127.0.0.1/a\"\nkey_file = \"" + (folder / "key").string() + "\"\n";
  const auto config = load(folder, events + registry + "journal_keep = \"30d\"\n");
  REQUIRE(config);
  CHECK(config->store.events.journal_keep == std::chrono::days(30));
  const auto early = load(folder, events + registry + "journal_keep = \"6d\"\n");
  REQUIRE(!early);
  CHECK(early.error().message.find("cluster.journal_keep must be a time of 7d or more") !=
        std::string::npos);
  // A libpq service file can name any host.
  const auto by_service = "registry = \"postgresql:///a?service=x\"\nkey_file = \"" +
                          (folder / "key").string() + "\"\n";
  CHECK(!load(folder, events + by_service));
  CHECK(load(folder, events + by_service + "allow_plain = true\n"));
  const auto alone = load(folder, events + "journal_keep = \"30d\"\n");
  REQUIRE(!alone);
  CHECK(alone.error().message.find("needs cluster.registry") != std::string::npos);
}

TEST_CASE("config: frame ancestors cannot add other directives to the policy", "[daemon][config]") {
  const TempFolder folder;
  const auto config =
      load(folder, "frame_ancestors = [\"https://a.example\", \"http://*.b.example:8080\"]\n");
  REQUIRE(config);
  CHECK(config->settings.frame_ancestors == "https://a.example http://*.b.example:8080");
  for (const auto* wrong : {"a.example", "https://a.example; script-src *", "https://a.example x",
                            "https://\u00e4.example", "javascript:x"}) {
    CHECK_FALSE(load(folder, "frame_ancestors = [\"" + std::string(wrong) + "\"]\n"));
  }
}

TEST_CASE("config: the manual has every setting in this order, and says which require a restart",
          "[daemon][config]") {
  const auto manual = *read_file(in_checkout("man/analyticsd.toml.5"));
  std::vector<std::pair<std::string, bool>> documented;
  std::size_t entry = 0;  // index of the first key in the current manual entry
  for (const auto line : split(manual, '\n')) {
    constexpr std::string_view kItem = ".It Li ";
    if (line.starts_with(kItem)) {
      entry = documented.size();
      for (const auto key : split(line.substr(kItem.size()), ',')) {
        documented.emplace_back(std::string(trim(key)), true);
      }
    } else if (line.ends_with("(restart).")) {
      for (auto at = entry; at < documented.size(); ++at) documented[at].second = false;
    }
  }
  std::vector<std::pair<std::string, bool>> all;
  for (const auto& setting : all_settings()) {
    all.emplace_back(std::string(setting.key), setting.reloads);
  }
  CHECK(documented == all);
}

TEST_CASE("config: what a reload cannot take over is named", "[daemon][config]") {
  const TempFolder folder;
  const auto before = load(folder, "workers = 3\nmax_events_per_minute = 5\n");
  const auto after =
      load(folder, "listen = [\"127.0.0.1:1\"]\nworkers = 4\nmax_events_per_minute = 6\n");
  REQUIRE(before);
  REQUIRE(after);
  CHECK(changed_fixed(*before, *after) == std::vector<std::string>{"listen", "workers"});
  CHECK(changed_fixed(*before, *before).empty());
}

TEST_CASE("exit codes: the manual says what each means", "[daemon][config]") {
  const auto manual = *read_file(in_checkout("man/analyticsd.8"));
  for (std::size_t code = 0; code < kExitCodes.size(); ++code) {
    const auto entry = ".It " + std::to_string(code) + "\n" + std::string(kExitCodes[code]) + "\n";
    CHECK(manual.find(entry) != std::string::npos);
  }
}

}  // namespace analytics::test::config_test
