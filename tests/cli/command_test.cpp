#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"

using namespace analytics::test;

namespace {

struct Shell {
  DaemonProcess daemon{ANALYTICSD};
  TempFolder folder;
  std::string key = daemon.make_key();
  std::vector<std::string> environment;

  Shell() {
    std::ofstream(folder / "key") << key << '\n';
    environment = {"ANALYTICS_URL=" + daemon.url(),
                   "ANALYTICS_API_KEY_FILE=" + (folder / "key").string(),
                   "XDG_CONFIG_HOME=" + folder.path().string(), "ANALYTICS_RETRIES=0"};
  }
  Process::Finished analytics(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), ANALYTICS);
    return run(arguments, {environment, input});
  }
};

}  // namespace

TEST_CASE("commands: provisioning twice is safe, and the exit codes tell", "[cli]") {
  Shell shell;
  CHECK(shell.analytics({"sites", "create", "a.de", "--timezone", "Europe/Berlin"}).exit == 0);
  CHECK(shell.analytics({"sites", "create", "a.de"}).exit == 6);
  const auto again = shell.analytics({"sites", "create", "a.de", "--if-not-exists", "-o", "json"});
  CHECK(again.exit == 0);
  CHECK(nlohmann::json::parse(again.out)["outcome"] == "unchanged");
  CHECK(shell.analytics({"sites", "create", "a.de", "--if-not-exists", "--timezone", "UTC"}).exit ==
        6);
  CHECK(shell.analytics({"sites", "create", "a:80"}).exit == 2);
  CHECK(shell.analytics({"sites", "get", "b.de"}).exit == 5);
  CHECK(
      nlohmann::json::parse(shell.analytics({"--json", "sites", "get", "a.de"}).out)["timezone"] ==
      "Europe/Berlin");
  const auto link = nlohmann::json::parse(
      shell.analytics({"links", "ensure", "--site", "a.de", "Team", "--json"}).out);
  CHECK(link["outcome"] == "created");
  CHECK(link["url"].get<std::string>().starts_with(shell.daemon.url() + "/share/a.de?auth="));
  const auto goal = nlohmann::json::parse(
      shell.analytics({"goals", "ensure", "--site", "a.de", "--event", "S", "--json"}).out);
  CHECK(goal["id"].is_string());
  CHECK(shell.analytics({"goals", "delete", "--site", "a.de", goal["id"]}).exit == 0);
  CHECK(shell.analytics({"goals", "delete", "--site", "a.de", goal["id"]}).exit == 5);
  CHECK(shell.analytics({"goals", "delete", "--site", "a.de", goal["id"], "--if-exists"}).exit ==
        0);
  CHECK(shell.analytics({"links", "list", "--site", "a.de"}).out.starts_with("Team\t"));
  CHECK(shell.analytics({"sites", "update", "a.de", "--domain", "b.de"}).exit == 0);
  CHECK(shell.analytics({"sites", "delete", "b.de"}).exit == 2);
  CHECK(shell.analytics({"sites", "delete", "b.de", "--confirm", "a.de"}).exit == 2);
  CHECK(shell.analytics({"sites", "delete", "b.de", "--confirm", "b.de"}).exit == 0);
  CHECK(
      nlohmann::json::parse(shell.analytics({"sites", "list", "-o", "json"}).out)["sites"].empty());
}

TEST_CASE("commands: wrong use is 2, no key 3, a wrong key 4, no server 7", "[cli]") {
  Shell shell;
  const auto typo = shell.analytics({"sites", "craete", "a.de"});
  CHECK(typo.exit == 2);
  CHECK(typo.err.find("Did you mean 'create'") != std::string::npos);
  CHECK(shell.analytics({}).exit == 2);
  CHECK(shell.analytics({"help", "exit-codes"}).exit == 0);
  CHECK(shell.analytics({"health"}).out == "ok 0.1.0\n");
  const auto wrong =
      run({ANALYTICS, "sites", "list", "-o", "json"},
          {{"ANALYTICS_URL=" + shell.daemon.url(), "ANALYTICS_API_KEY=an_wrong"}, ""});
  CHECK(wrong.exit == 4);
  CHECK(nlohmann::json::parse(wrong.err)["code"] == "unauthorized");
  CHECK(nlohmann::json::parse(wrong.err)["exit"] == 4);
  CHECK(run({ANALYTICS, "sites", "list"}, {{"ANALYTICS_URL=" + shell.daemon.url()}, ""}).exit == 3);
  CHECK(run({ANALYTICS, "sites", "list", "--server", "http://198.51.100.1"},
            {{"ANALYTICS_API_KEY=an_x"}, ""})
            .exit == 3);
  CHECK(shell.analytics({"health", "--server", "http://127.0.0.1:1"}).exit == 7);
}

TEST_CASE("commands: the key is in no output", "[cli]") {
  Shell shell;
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"config", "show"},
                                             {"sites", "list", "--debug-http", "-v"},
                                             {"sites", "create", "x.de", "--dry-run"}}) {
    const auto result = shell.analytics(arguments);
    CHECK(result.exit == 0);
    CHECK((result.out + result.err).find(shell.key) == std::string::npos);
  }
  CHECK(nlohmann::json::parse(shell.analytics({"sites", "list", "--json"}).out)["sites"].empty());
}

TEST_CASE("commands: send stores, and explain does not", "[cli]") {
  Shell shell;
  shell.analytics({"sites", "create", "a.de"});
  CHECK(shell
            .analytics({"send", "--site", "a.de", "--url", "https://a.de/x", "--name", "S",
                        "--prop", "k=v"})
            .exit == 0);
  CHECK(shell.daemon.query("SELECT name, path, props FROM event_text") == R"(S|/x|{"k":"v"})");
  const auto explained = shell.analytics(
      {"send", "--site", "a.de", "--url", "https://a.de/", "--ip", "1.2.3.4", "--explain"});
  CHECK(nlohmann::json::parse(explained.out)["client"]["address"] == "1.2.3.4");
  CHECK(shell.daemon.query("SELECT count(*) FROM events") == "1");
  CHECK(shell.analytics({"send", "--site", "none.de", "--url", "https://a.de/"}).exit == 8);
  CHECK(shell.analytics({"send", "--site", "a.de", "--url", "nonsense"}).exit == 2);
}
