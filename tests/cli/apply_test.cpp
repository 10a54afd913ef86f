#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <nlohmann/json.hpp>

#include "cli/commands/site_spec.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"

using namespace analytics;
using namespace analytics::test;

namespace {

constexpr char kSites[] = R"([[site]]
domain = "Example.com"
timezone = "Europe/Berlin"
[[site.goal]]
event = "Signup"
display_name = "Signed up"
[[site.goal]]
page = "blog/*"
[[site.link]]
name = "Team"
[[site.exclude]]
page = "/internal/**"
[[site.exclude]]
address = "192.0.2.0/24"
[[site.exclude]]
only_hostname = "www.example.com"

[[site]]
domain = "other.example"
)";

/// A server, and a shell with a key for it.
struct Server {
  explicit Server(
      std::vector<std::string> key_options = {},
      std::shared_ptr<DaemonProcess> of = std::make_shared<DaemonProcess>(daemon_program()))
      : daemon(std::move(of)) {
    write("key", daemon->make_key("acme", std::move(key_options)));
    std::filesystem::permissions(folder / "key", std::filesystem::perms::owner_read);
    write("sites.toml", kSites);
  }
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  [[nodiscard]] std::string file(const char* name) const { return (folder / name).string(); }
  Process::Finished run_command(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), cli_program());
    return run(arguments,
               {{"ANALYTICS_URL=" + daemon->url(), "ANALYTICS_API_KEY_FILE=" + file("key"),
                 "XDG_CONFIG_HOME=" + folder.path().string(), "ANALYTICS_RETRIES=0"},
                input});
  }
  Process::Finished apply(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"apply", "-f", file("sites.toml")});
    return run_command(more);
  }
  nlohmann::json json(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    return nlohmann::json::parse(run_command(std::move(arguments)).out, nullptr, false);
  }

  std::shared_ptr<DaemonProcess> daemon;
  TempFolder folder;
};

}  // namespace

TEST_CASE("apply: gives a server what a file says, and does nothing the second time", "[cli]") {
  Server server;
  const auto planned = server.apply({"--dry-run"});
  CHECK(planned.exit == 9);
  CHECK(planned.out.starts_with("create site example.com\ncreate goal event Signup of"));
  CHECK(server.json({"sites", "list"})["sites"].empty());

  const auto first = server.apply({"--json"});
  CHECK(first.exit == 0);
  CHECK(nlohmann::json::parse(first.out)["created"] == 8);
  const auto second = server.apply();
  CHECK(second.exit == 0);
  CHECK(second.out == "0 created, 0 updated, 0 deleted, 8 unchanged\n");
  CHECK(server.run_command({"diff", "-f", server.file("sites.toml")}).exit == 0);
  CHECK(server.apply({"--dry-run"}).exit == 0);
  CHECK(server.json({"sites", "get", "example.com"})["timezone"] == "Europe/Berlin");
  const auto goals = server.json({"goals", "list", "--site", "example.com"})["goals"];
  REQUIRE(goals.size() == 2);
  CHECK(goals[0]["display_name"] == "Signed up");
  CHECK(goals[1]["page_path"] == "/blog/*");
}

TEST_CASE("apply: what the file does not name stays unless it is pruned, and sites always stay",
          "[cli]") {
  Server server;
  REQUIRE(server.apply().exit == 0);
  REQUIRE(server.run_command({"goals", "ensure", "--site", "example.com", "--event", "X"}).exit ==
          0);
  REQUIRE(server.run_command({"links", "ensure", "--site", "other.example", "Old"}).exit == 0);
  REQUIRE(server.run_command({"sites", "exclude", "add", "example.com", "--address", "192.0.2.7"})
              .exit == 0);
  REQUIRE(server.run_command({"sites", "create", "third.example"}).exit == 0);
  REQUIRE(server.run_command({"goals", "ensure", "--site", "third.example", "--event", "X"}).exit ==
          0);

  CHECK(server.apply({"--json"}).exit == 0);
  const auto difference = server.run_command({"diff", "-f", server.file("sites.toml"), "--json"});
  CHECK(difference.exit == 9);
  const auto listed = nlohmann::json::parse(difference.out);
  CHECK(listed["deleted"] == 3);
  CHECK(listed["sites_not_in_file"] == nlohmann::json::array({"third.example"}));

  const auto pruned = nlohmann::json::parse(server.apply({"--prune", "--json"}).out);
  CHECK(pruned["deleted"] == 3);
  CHECK(pruned["created"] == 0);
  CHECK(server.json({"goals", "list", "--site", "example.com"})["goals"].size() == 2);
  CHECK(server.json({"links", "list", "--site", "other.example"})["shared_links"].empty());
  CHECK(server.json({"goals", "list", "--site", "third.example"})["goals"].size() == 1);
  const auto after = server.run_command({"diff", "-f", server.file("sites.toml")});
  CHECK(after.exit == 9);
  CHECK(after.out == "not in the file: third.example\n");
}

TEST_CASE("apply: a file that is wrong changes nothing, and all that is wrong is said", "[cli]") {
  Server server;
  server.write("sites.toml", R"([[site]]
domain = "good.example"
[[site]]
domain = "exa mple?.com"
timezone = "Mars/X"
typo = 1
[[site.goal]]
event = "A"
page = "b"
[[site.goal]]
event = "A"
[[site.goal]]
event = "A"
[[site.exclude]]
address = "0.0.0.0/0"
[[site.link]]
name = 3
)");
  const auto refused = server.apply();
  CHECK(refused.exit == 3);
  for (const auto* line :
       {"line 4:", "line 5:", "line 6:", "line 7:", "line 12:", "line 15:", "line 17:"}) {
    CAPTURE(line, refused.err);
    CHECK(refused.err.find(line) != std::string::npos);
  }
  for (const auto* text : {"", "# nothing\n", "[[site", "site = 3\n", "sites = []\n"}) {
    CAPTURE(text);
    server.write("sites.toml", text);
    CHECK(server.apply().exit == 3);
    CHECK(server.run_command({"diff", "-f", "-"}, text).exit == 3);
  }
  CHECK(server.run_command({"apply", "-f", server.file("missing")}).exit == 3);
  CHECK(server.json({"sites", "list"})["sites"].empty());
}

TEST_CASE("apply: after a failure the same command continues", "[cli]") {
  Server server;
  Server stranger({}, server.daemon);
  stranger.write("key", server.daemon->make_key("rival"));
  REQUIRE(stranger.run_command({"sites", "create", "other.example"}).exit == 0);
  const auto failed = server.apply();
  CHECK(failed.exit == 6);
  CHECK(failed.err.find("create site other.example: ") != std::string::npos);
  CHECK(failed.err.find("(7 of 8 changes were made; the same command continues)") !=
        std::string::npos);
  REQUIRE(stranger.run_command({"sites", "delete", "other.example", "--confirm", "other.example"})
              .exit == 0);
  CHECK(server.apply().out.ends_with("1 created, 0 updated, 0 deleted, 7 unchanged\n"));
}

TEST_CASE("apply: keys that may write suffice, for several runs at once", "[cli]") {
  Server server({"--scope", "sites:write", "--scope", "goals:write", "--scope", "links:write"});
  {
    std::vector<std::jthread> runs;
    for (int i = 0; i < 4; ++i) {
      runs.emplace_back([&] {
        const auto done = server.apply();
        if (done.exit != 0) WARN(done.err);
      });
    }
  }
  CHECK(server.apply({"--prune"}).out == "0 created, 0 updated, 0 deleted, 8 unchanged\n");
  CHECK(server.run_command({"diff", "-f", server.file("sites.toml")}).exit == 0);
}

TEST_CASE("apply: an export makes another server the same, links and their secrets too", "[cli]") {
  Server server;
  REQUIRE(server.apply().exit == 0);
  const auto plain = server.run_command({"export", "sites"});
  CHECK(plain.out.find("token") == std::string::npos);
  const auto moved = server.file("moved.toml");
  REQUIRE(server.run_command({"export", "sites", "--with-secrets", "--out", moved}).exit == 0);
  using std::filesystem::perms;
  CHECK(std::filesystem::status(moved).permissions() == (perms::owner_read | perms::owner_write));
  CHECK(server.run_command({"export", "sites", "--out", moved}).exit == 10);  // never replaced

  Server other;
  REQUIRE(other.run_command({"apply", "-f", moved}).exit == 0);
  CHECK(other.run_command({"diff", "-f", moved}).exit == 0);
  CHECK(other.run_command({"export", "sites"}).out == plain.out);
  const auto token = [](Server& of) {
    const auto links = of.json({"links", "list", "--site", "example.com"})["shared_links"];
    const auto url = links.at(0)["url"].get<std::string>();
    return url.substr(url.find("auth="));
  };
  CHECK(token(other) == token(server));

  // A link that is there keeps its secret: nothing of such a file is applied.
  Server third;
  REQUIRE(third.apply().exit == 0);
  REQUIRE(third.run_command({"goals", "ensure", "--site", "example.com", "--event", "X"}).exit ==
          0);
  const auto refused = third.run_command({"apply", "--prune", "-f", moved});
  CHECK(refused.exit == 6);
  CHECK(refused.err.find("has another token") != std::string::npos);
  CHECK(third.json({"goals", "list", "--site", "example.com"})["goals"].size() == 3);
}

TEST_CASE("apply: what is written is read again as it was", "[cli]") {
  std::mt19937 random(20);
  const std::vector<std::string> pieces = {"a", "B", "\"", "\\",       "#",
                                           "[", "]", "=",  "\xC3\xBC", "'",
                                           " ", ".", "{",  ",",        "\xF0\x9F\x98\x80",
                                           "%"};
  const auto text = [&] {
    std::string made = "x";
    for (auto n = random() % 12; n > 0; --n) made += pieces[random() % pieces.size()];
    return made + "x";
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<cli::SiteSpec> sites(1 + random() % 3);
    int number = 0;
    const auto unique = [&] { return text() + std::to_string(number++); };
    for (auto& site : sites) {
      site.domain = "site" + std::to_string(number++) + ".example";
      if (random() % 2 == 0) site.timezone = "Europe/Paris";
      if (random() % 2 == 0) site.keep = "25mo";
      if (random() % 2 == 0) site.keep_totals = random() % 2 == 0;
      for (auto n = random() % 3; n > 0; --n) {
        site.goals.push_back({GoalType::kEvent, unique()});
        if (random() % 2 == 0) site.goals.back().display_name = text();
        site.goals.push_back({GoalType::kPage, "/" + unique()});
        site.links.push_back({unique()});
        site.exclusions.push_back({ExclusionKind::kAddress, "192.0.2." + std::to_string(number++)});
      }
    }
    const auto written = cli::format_sites(sites);
    CAPTURE(written);
    const auto read = cli::parse_sites(written, "a file");
    REQUIRE(read);
    REQUIRE(read->size() == sites.size());
    CHECK(cli::format_sites(*read) == written);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      REQUIRE((*read)[i].goals.size() == sites[i].goals.size());
      for (std::size_t g = 0; g < sites[i].goals.size(); ++g) {
        CHECK((*read)[i].goals[g].value == sites[i].goals[g].value);
        CHECK((*read)[i].goals[g].display_name == sites[i].goals[g].display_name);
      }
    }
  }
}
