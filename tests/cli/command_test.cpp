#include <filesystem>

#include <nlohmann/json.hpp>

#include "common/run/version.h"
#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::command_test {

namespace {

struct Shell : Service {
  Shell() : Service({.site = ""}) {
    write("key", key + "\n");
    std::filesystem::permissions(folder / "key", std::filesystem::perms::owner_read);
    environment = {"ANALYTICS_URL=" + daemon.url(),
                   "ANALYTICS_API_KEY_FILE=" + (folder / "key").string(),
                   "XDG_CONFIG_HOME=" + folder.path().string(), "ANALYTICS_RETRIES=0"};
  }
  Process::Finished analytics(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), cli_program());
    return run(arguments, {environment, input});
  }

  std::vector<std::string> environment;
};

}  // namespace

TEST_CASE("commands: provisioning can be repeated, and exit codes tell its outcome", "[cli]") {
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

TEST_CASE("commands: exit codes tell apart wrong use, no key, a wrong key and no server", "[cli]") {
  Shell shell;
  const auto said = [&](std::vector<std::string> words) {
    const auto done = shell.analytics(std::move(words));
    CHECK(done.exit == 2);
    CHECK(done.out.empty());
    return done.err.substr(0, done.err.find('\n'));
  };
  CHECK(said({"sites", "craete", "a.de"}) ==
        "analytics: unknown command \"craete\". Did you mean 'create'?");
  CHECK(said({"version"}) == "analytics: unknown command \"version\"");
  CHECK(said({"repaly", "--site", "a.de", "x.log"}) ==
        "analytics: unknown command \"repaly\". Did you mean 'replay'?");
  CHECK(said({"--sever", "x", "sites", "list"}) ==
        "analytics: unknown option \"--sever\". Did you mean '--server'?");
  CHECK(said({"imports"}) == "analytics: imports requires one of list, undo");
  CHECK(nlohmann::json::parse(said({"--json", "help", "nope"}))["code"] == "usage");
  for (const auto& words : std::vector<std::vector<std::string>>{{}, {"help"}, {"--json"}}) {
    const auto help = shell.analytics(words);
    CHECK(help.exit == 0);
    CHECK(help.out.find("Send the events of files") != std::string::npos);
  }
  CHECK(shell.analytics({"help", "exit-codes"}).exit == 0);
  CHECK(shell.analytics({"health"}).out == std::string("ok ") + analytics::kVersion + "\n");
  const auto wrong =
      run({cli_program(), "sites", "list", "-o", "json"},
          {{"ANALYTICS_URL=" + shell.daemon.url(), "ANALYTICS_API_KEY=an_wrong"}, ""});
  CHECK(wrong.exit == 4);
  CHECK(nlohmann::json::parse(wrong.err)["code"] == "unauthorized");
  CHECK(nlohmann::json::parse(wrong.err)["exit"] == 4);
  CHECK(run({cli_program(), "sites", "list"}, {{"ANALYTICS_URL=" + shell.daemon.url()}, ""}).exit ==
        3);
  CHECK(run({cli_program(), "sites", "list", "--server", "http://198.51.100.1"},
            {{"ANALYTICS_API_KEY=an_x"}, ""})
            .exit == 3);
  CHECK(shell.analytics({"health", "--server", "http://127.0.0.1:1"}).exit == 7);
}

TEST_CASE("commands: no output contains the key", "[cli]") {
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

TEST_CASE("commands: send stores the event, and with --explain it does not", "[cli]") {
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

TEST_CASE("commands: completion lists the possible next words, including names from the server",
          "[cli]") {
  Shell shell;
  const auto next = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"__complete", "words"});
    return shell.analytics(words).out;
  };
  CHECK(shell.analytics({"sites", "create", "a.de"}).exit == 0);
  CHECK(shell.analytics({"sites", "create", "b.de", "--timezone", "Europe/Berlin"}).exit == 0);
  const auto goal = nlohmann::json::parse(
      shell.analytics({"goals", "ensure", "--site", "b.de", "--event", "Buy", "-o", "json"}).out);
  CHECK(next({"sites", "get", ""}) == "a.de\tEtc/UTC\nb.de\tEurope/Berlin\n");
  CHECK(next({"stats", "--site", "b"}) == "b.de\tEurope/Berlin\n");
  CHECK(next({"stats", "--site=b"}) == "--site=b.de\tEurope/Berlin\n");
  CHECK(next({"goals", "delete", "--site", "b.de", ""}) ==
        goal["id"].get<std::string>() + "\tBuy\n");
  CHECK(next({"goals", "delete", "--site", "a.de", ""}).empty());
  // A new name cannot be completed.
  CHECK(next({"sites", "create", ""}).empty());
  // A confirmation must be typed by hand.
  CHECK(next({"sites", "delete", "a.de", "--confirm", ""}).empty());
  CHECK(next({"sites", "get", "--server", "http://127.0.0.1:1", ""}).empty());
  CHECK(next({"sites", "create", "--if"}).starts_with("--if-not-exists\t"));
  CHECK(next({"sites", "create", "--sp"}).empty());  // --speed belongs to replay
  CHECK(next({"replay", ""}).ends_with(":files\n"));
  CHECK(next({"replay", "--rejects", ""}) == ":files\n");
  CHECK(next({"nonsense", ""}).empty());
}

TEST_CASE("commands: a retry is reported at once in text output, but not in JSON output", "[cli]") {
  const auto run_without_server = [](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {cli_program(), "--server", "http://127.0.0.1:1", "--retries", "1"});
    return run(words, {{"ANALYTICS_API_KEY=an_x"}, ""});
  };
  const auto told = run_without_server({"sites", "list"});
  CHECK(told.exit == 7);
  CHECK(told.err.find("retrying in ") < told.err.find('\n'));
  CHECK(told.err.find("(retry 1 of 1)") != std::string::npos);
  CHECK(run_without_server({"-q", "sites", "list"}).err.find("again") == std::string::npos);
  const auto error = run_without_server({"--json", "sites", "list"}).err;
  CHECK(nlohmann::json::parse(error)["code"] == "unreachable");
}

TEST_CASE("commands: a key file that others can read causes a warning, and is used", "[cli]") {
  Shell shell;
  const std::filesystem::path file = shell.write("other.key", shell.daemon.make_key());
  const auto list = [&](const std::string& form) {
    return run({cli_program(), "sites", "list", "--api-key-file", file.string(), "-o", form},
               {{"ANALYTICS_URL=" + shell.daemon.url()}, ""});
  };
  using std::filesystem::perms;
  const auto private_file = perms::owner_read | perms::owner_write;
  std::filesystem::permissions(file, private_file | perms::others_read);
  CHECK(list("text").exit == 0);
  CHECK(list("text").err.find("warning: every user of this machine can read the API key") !=
        std::string::npos);
  CHECK(list("json").err.empty());
  std::filesystem::permissions(file, private_file);
  CHECK(list("text").err.empty());
}

}  // namespace analytics::test::command_test
