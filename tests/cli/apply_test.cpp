#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <nlohmann/json.hpp>

#include "cli/site_file/site_spec.h"
#include "tests/cli/apply_fixture.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"

namespace analytics::test::apply_test {

TEST_CASE("apply: the first run creates everything in the file, and the second run changes nothing",
          "[cli]") {
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

TEST_CASE("apply: objects that the file lacks stay unless they are pruned, and sites always stay",
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

TEST_CASE("apply: an invalid file changes nothing, and all its errors are reported", "[cli]") {
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

TEST_CASE("apply: the same command continues after a failure", "[cli]") {
  Server server;
  Server stranger({}, server.daemon);
  stranger.use_key(server.daemon->make_key("rival"));
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

TEST_CASE("apply: keys with write scopes suffice, and several runs may work at once", "[cli]") {
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

TEST_CASE("apply: an export makes another server equal, including links and their secrets",
          "[cli]") {
  Server server;
  REQUIRE(server.apply().exit == 0);
  const auto plain = server.run_command({"export", "sites"});
  CHECK(plain.out.find("token") == std::string::npos);
  const auto moved = server.file("moved.toml");
  REQUIRE(server.run_command({"export", "sites", "--with-secrets", "--out", moved}).exit == 0);
  using std::filesystem::perms;
  CHECK(std::filesystem::status(moved).permissions() == (perms::owner_read | perms::owner_write));
  // `export sites --out` never replaces an existing file.
  CHECK(server.run_command({"export", "sites", "--out", moved}).exit == 10);

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

  // A link cannot change its secret, so the server refuses the whole file.
  Server third;
  REQUIRE(third.apply().exit == 0);
  REQUIRE(third.run_command({"goals", "ensure", "--site", "example.com", "--event", "X"}).exit ==
          0);
  const auto refused = third.run_command({"apply", "--prune", "-f", moved});
  CHECK(refused.exit == 6);
  CHECK(refused.err.find("has another token") != std::string::npos);
  CHECK(third.json({"goals", "list", "--site", "example.com"})["goals"].size() == 3);
}

TEST_CASE("apply: links to all sites are separate from the sites in the file", "[cli]") {
  Server server;
  const auto both = std::string("[[link]]\nname = \"Me\"\n[[link]]\nname = \"Boss\"\n") + kSites;
  server.write("sites.toml", both);
  CHECK(server.apply().out.find("created link Me of all sites") != std::string::npos);
  CHECK(server.apply().out.ends_with("0 created, 0 updated, 0 deleted, 10 unchanged\n"));
  const auto moved = server.file("moved.toml");
  REQUIRE(server.run_command({"export", "sites", "--with-secrets", "--out", moved}).exit == 0);
  Server other;
  REQUIRE(other.run_command({"apply", "-f", moved}).exit == 0);
  CHECK(other.run_command({"diff", "-f", moved}).exit == 0);
  // Links to all sites are pruned only if the file names at least one.
  server.write("sites.toml", kSites);
  CHECK(server.apply({"--prune"}).out.ends_with("0 deleted, 8 unchanged\n"));
  server.write("sites.toml", "[[link]]\nname = \"Me\"\n");
  CHECK(server.apply({"--prune"}).out.find("deleted link Boss of all sites") != std::string::npos);
  CHECK(server.json({"links", "list", "--all-sites"})["shared_links"].size() == 1);
  // A key limited to some sites cannot list links to all sites, but can export its own sites.
  Server limited({"--site", "example.com"}, server.daemon);
  CHECK(limited.run_command({"links", "list", "--all-sites"}).exit != 0);
  const auto of_one = limited.run_command({"export", "sites"});
  CHECK(of_one.exit == 0);
  CHECK(of_one.out.find("[[link]]") == std::string::npos);
  CHECK(of_one.out.find("example.com") != std::string::npos);
}

TEST_CASE("apply: a file that is written and read again is unchanged", "[cli]") {
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
    cli::AccountSpec account;
    auto& sites = account.sites;
    sites.resize(1 + random() % 3);
    int number = 0;
    const auto unique = [&] { return text() + std::to_string(number++); };
    for (auto n = random() % 3; n > 0; --n) account.links.push_back({unique()});
    for (auto& site : sites) {
      site.domain = "site" + std::to_string(number++) + ".example";
      if (random() % 2 == 0) site.timezone = "Europe/Paris";
      if (random() % 2 == 0) site.keep = "25mo";
      if (random() % 2 == 0) site.keep_totals = random() % 2 == 0;
      if (random() % 2 == 0) site.languages = random() % 2 == 0;
      for (auto n = random() % 3; n > 0; --n) {
        site.goals.push_back({GoalType::kEvent, unique()});
        if (random() % 2 == 0) site.goals.back().display_name = text();
        site.goals.push_back({GoalType::kPage, "/" + unique()});
        site.funnels.push_back({unique(),
                                FunnelWithin::kDay,
                                {{GoalType::kEvent, text()}, {GoalType::kPage, "/" + text()}}});
        site.links.push_back({unique()});
        site.exclusions.push_back({ExclusionKind::kAddress, "192.0.2." + std::to_string(number++)});
      }
    }
    const auto written = cli::format_sites(account);
    CAPTURE(written);
    const auto read = cli::parse_sites(written, "a file");
    REQUIRE(read);
    REQUIRE(read->sites.size() == sites.size());
    CHECK(read->links.size() == account.links.size());
    CHECK(cli::format_sites(*read) == written);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      REQUIRE(read->sites[i].goals.size() == sites[i].goals.size());
      for (std::size_t g = 0; g < sites[i].goals.size(); ++g) {
        CHECK(read->sites[i].goals[g].value == sites[i].goals[g].value);
        CHECK(read->sites[i].goals[g].display_name == sites[i].goals[g].display_name);
      }
    }
  }
}

TEST_CASE("funnels: the command line and a file of sites manage the same funnels", "[cli]") {
  Server server;
  server.write("sites.toml",
               "[[site]]\ndomain = \"example.com\"\nlanguages = true\n[[site.funnel]]\n"
               "name = \"Trial\"\nsteps = [\"page=pricing\", \"event=Signup\"]\n");
  CHECK(server.apply().out.find("created funnel Trial of example.com") != std::string::npos);
  CHECK(server.apply().out.ends_with("0 created, 0 updated, 0 deleted, 2 unchanged\n"));
  CHECK(server.json({"sites", "get", "example.com"})["languages"] == true);
  const std::vector<std::string> of_site{"--site", "example.com"};
  const auto funnels = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "funnels");
    words.insert(words.end(), of_site.begin(), of_site.end());
    return server.run_command(words);
  };
  CHECK(funnels({"list"}).out == "Trial\tvisit\tpage=/pricing > event=Signup\n");
  const std::vector<std::string> ensure{"ensure", "Trial",  "--step",   "event=A=B",
                                        "--step", "page=/", "--within", "day"};
  CHECK(funnels(ensure).out == "updated funnel Trial\n");
  CHECK(funnels(ensure).out == "unchanged funnel Trial\n");
  CHECK(server.run_command({"diff", "-f", server.file("sites.toml")}).exit == 9);
  CHECK(funnels({"show", "Trial", "--period", "day"}).out ==
        "A=B\t0\t0.0\t0\nVisit /\t0\t0.0\t0\n");
  const auto exported = server.file("exported.toml");
  REQUIRE(server.run_command({"export", "sites", "--out", exported}).exit == 0);
  CHECK(server.run_command({"diff", "-f", exported}).exit == 0);
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"ensure", "x", "--step", "event=A"},
           {"ensure", "x", "--step", "A", "--step", "B"},
           {"ensure", "x", "--step", "event=A", "--step", "event="}}) {
    CHECK(funnels(wrong).exit == 2);
  }
  CHECK(funnels({"delete", "Trial"}).exit == 0);
  CHECK(funnels({"delete", "Trial"}).exit == 5);
  CHECK(funnels({"delete", "Trial", "--if-exists"}).exit == 0);
  server.write("sites.toml",
               "[[site]]\ndomain = \"example.com\"\n[[site.funnel]]\nname = \"x\"\n"
               "steps = [\"page=/\"]\n[[site.funnel]]\nsteps = [\"event=a\", \"b\"]\n");
  const auto refused = server.apply();
  CHECK(refused.exit == 3);
  CHECK(refused.err.find("line 3: steps must be 2 to 8") != std::string::npos);
  CHECK(refused.err.find("line 6: a funnel needs a name") != std::string::npos);
}

}  // namespace analytics::test::apply_test
