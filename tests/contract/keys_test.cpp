#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "common/io/fs.h"
#include "common/text/text.h"
#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test::keys_test {

TEST_CASE("keys: a key made or revoked while the daemon runs takes effect at once", "[contract]") {
  Service service({.site = ""});
  CHECK(service.api.send("GET", "/api/v1/sites").status == 200);
  const auto list = service.daemon.keys({"list"});
  CHECK(list.out.find(service.key.substr(0, 9)) != std::string::npos);
  CHECK(list.out.find(service.key) == std::string::npos);
  CHECK(service.daemon.keys({"revoke", service.key.substr(0, 9)}).exit == 0);
  CHECK(code_of(service.api.send("GET", "/api/v1/sites")) == "401 unauthorized");
  CHECK(service.daemon.keys({"revoke", "999"}).exit == 1);
}

TEST_CASE("keys: the log names the author of each change, without secrets", "[contract]") {
  Service service({.site = "a.example"});
  auto& api = service.api;
  service.goal("goal_type=event&event_name=Signup");
  const auto token = service.make_link();
  const std::string moved = "kept-from-another-service";
  api.form("PUT", "/api/v1/sites/shared-links", "site_id=a.example&name=Old&token=" + moved);
  api.form("PUT", "/api/v1/sites/shared-links",
           "site_id=a.example&name=Old&password=correct+horse");
  api.form("PUT", "/api/v1/sites/a.example/exclusions", "type=address&value=203.0.113.9");
  api.form("PUT", "/api/v1/sites/shared-links",
           "site_id=a.example&name=Ada&filters=" +
               percent_encode(R"([["is","event:props:email",["ada@corp.example"]]])"));
  api.send("DELETE", "/api/v1/sites/a.example/events?page=/reset/ada@corp.example");
  api.send("GET", "/api/v1/sites");
  api.form("POST", "/api/v1/sites", "domain=a.example");  // refused, because the name is taken
  api.send("DELETE", "/api/v1/sites/a.example");
  const auto log = service.daemon.end();
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (auto at = log.find(text); at != std::string::npos; at = log.find(text, at + 1)) ++found;
    return found;
  };
  CHECK(count("msg=change key=1 account=acme") == 9);
  CHECK(count(R"(request="PUT /api/v1/sites/goals" parameters="site_id=a.example )") == 1);
  CHECK(count("outcome=created") == 6);
  CHECK(count(R"(request="DELETE /api/v1/sites/a.example")") == 1);
  CHECK(count(R"(msg=operator command="keys create acme")") == 1);
  CHECK(count("203.0.113.9") == 0);
  CHECK(count(service.key) == 0);
  CHECK(count(token) == 0);
  CHECK(count(moved) == 0);
  CHECK(count("correct horse") == 0);
  CHECK(count("ada@corp") == 0);
  CHECK(count("password=***") == 1);
}

TEST_CASE("keys: keys can be made and listed while no daemon runs", "[contract][alone]") {
  DaemonProcess daemon(daemon_program());
  CHECK(daemon.stop(SIGTERM) == 0);
  const auto key = daemon.make_key();
  daemon.start();
  CHECK(Api(daemon.url(), key).send("GET", "/api/v1/sites").status == 200);
  CHECK(daemon.query("SELECT count(*) FROM api_keys") == "1");
}

TEST_CASE("keys: a rotated key works until it expires, and the new one has the same rights",
          "[contract]") {
  Service service;
  auto& daemon = service.daemon;
  const auto old = daemon.make_key(
      "acme", {"--scope", "sites:read", "--site", "a.de", "--label", "CI", "--rate-limit", "77"});
  const auto id = old.substr(0, 9);
  const auto file = (service.folder / "key").string();
  const auto rotated = daemon.keys({"rotate", id, "--overlap", "1h", "--out", file});
  REQUIRE(rotated.exit == 0);
  CHECK(rotated.out.empty());
  const auto fresh = std::string(trim(*read_file(file)));
  for (const auto& key : {old, fresh}) {
    Api api(daemon, key);
    CHECK(api.send("GET", "/api/v1/sites/a.de").status == 200);
    CHECK(code_of(api.form("POST", "/api/v1/sites", "domain=b.de")) == "403 missing_scope");
  }
  const auto list = nlohmann::json::parse(daemon.keys({"list", "-o", "json"}).out);
  REQUIRE(list.size() == 3);
  CHECK(list[1]["expires_at"].is_string());
  CHECK(list[2]["expires_at"].is_null());
  for (const auto* field : {"account", "label", "scopes", "sites", "rate_limit"}) {
    CHECK(list[1][field] == list[2][field]);
  }
  CHECK(list[2]["scopes"] == nlohmann::json{"sites:read"});
  CHECK(list.dump().find(fresh) == std::string::npos);
  CHECK(daemon.keys({"rotate", fresh.substr(0, 9), "--overlap", "0s"}).exit == 0);
  CHECK(Api(daemon, fresh).send("GET", "/api/v1/sites").status == 401);
  CHECK(daemon.keys({"rotate", "99"}).exit == 1);
  CHECK(daemon.keys({"rotate", id, "--overlap", "soon"}).exit == 2);
}

TEST_CASE("accounts: they can be listed, renamed and, once they have no sites, deleted",
          "[contract]") {
  Service service;
  const auto accounts = [&](std::vector<std::string> more) {
    more.insert(more.begin(), "accounts");
    return service.operate(std::move(more));
  };
  auto other = service.client("other");
  auto list = nlohmann::json::parse(accounts({"list", "-o", "json"}).out);
  REQUIRE(list.size() == 2);
  CHECK(list[0]["name"] == "acme");
  CHECK(list[0]["sites"] == 1);
  CHECK(list[0]["keys"] == 1);
  CHECK(accounts({"rename", "acme", "other"}).exit == 2);
  CHECK(accounts({"rename", "none", "x"}).exit == 1);
  CHECK(accounts({"rename", "acme", "Acme Ltd"}).exit == 0);
  CHECK(service.api.send("GET", "/api/v1/sites/a.de").status == 200);
  CHECK(accounts({"delete", "other", "--confirm", "othr"}).exit == 2);
  CHECK(other.send("GET", "/api/v1/sites").status == 200);
  CHECK(accounts({"delete", "other", "--confirm", "other"}).exit == 0);
  CHECK(other.send("GET", "/api/v1/sites").status == 401);
  const auto refused = accounts({"delete", "Acme Ltd", "--confirm", "Acme Ltd"});
  CHECK(refused.exit == 2);
  CHECK(refused.err.find("1 sites") != std::string::npos);
}

TEST_CASE("keys: no subcommand creates a database by mistake", "[contract]") {
  TempFolder folder;
  const auto file = (folder / "typo.db").string();
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"keys", "list"},
                                             {"keys", "create", "--account", "x"},
                                             {"accounts", "list"},
                                             {"compact"}}) {
    const auto done = operate(file, words);
    CHECK(done.exit == 5);
    CHECK(done.err.find(file) != std::string::npos);
    CHECK(std::filesystem::is_empty(folder.path()));
  }
  const auto made = operate(file, {"keys", "create", "--init", "--account", "x"});
  CHECK(made.exit == 0);
  CHECK(made.err.find("database " + file) != std::string::npos);
}

TEST_CASE("keys: root acts as the user who owns the database", "[contract]") {
  if (geteuid() != 0) return;  // only root can change the owner of a file
  TempFolder folder;
  const auto file = (folder / "a.db").string();
  constexpr uid_t kNobody = 65'534;
  REQUIRE(chmod(folder.path().c_str(), 0755) == 0);
  REQUIRE(chown(folder.path().c_str(), kNobody, kNobody) == 0);
  const auto out = (folder / "key").string();
  const auto made = operate(file, {"keys", "create", "--init", "--account", "x", "--out", out});
  INFO(made.err);
  CHECK(made.exit == 0);
  const auto owner_of = [](const std::string& name) {
    struct stat info {};
    return stat(name.c_str(), &info) == 0 ? info.st_uid : 0;
  };
  CHECK(owner_of(file) == kNobody);
  CHECK(owner_of(file + ".lock") == kNobody);
  CHECK(operate(file, {"keys", "list"}).out.find("x") != std::string::npos);
}

TEST_CASE("keys: a refusal names the missing scope, and foreign sites look absent", "[contract]") {
  Service service;
  auto reader = service.client("acme", {"--scope", "sites:read"});
  const auto refused = reader.form("POST", "/api/v1/sites", "domain=b.de");
  CHECK(code_of(refused) == "403 missing_scope");
  CHECK(refused.body.find("sites:write") != std::string::npos);
  CHECK(reader.send("GET", "/api/v1/sites/a.de").status == 200);
  const auto status = [&](const char* scope, const char* path) {
    return service.client("acme", {"--scope", scope}).send("GET", path).status;
  };
  CHECK(status("sites:write", "/api/v1/sites") == 200);  // a scope for writing includes reading
  CHECK(status("sites:write", "/api/v1/sites/a.de") == 200);
  CHECK(status("sites:write", "/api/v1/sites/a.de/exclusions") == 200);
  CHECK(status("sites:write", "/api/v1/sites/goals?site_id=a.de") == 403);
  CHECK(status("goals:write", "/api/v1/sites/goals?site_id=a.de") == 200);
  CHECK(status("goals:write", "/api/v1/sites/a.de") == 403);
  auto stranger = service.client("other");
  CHECK(stranger.send("GET", "/api/v1/sites/a.de").body ==
        stranger.send("GET", "/api/v1/sites/none.de").body);
  CHECK(code_of(stranger.send("DELETE", "/api/v1/sites/a.de")) == "404 site_not_found");
  auto limited = service.client("acme", {"--site", "B.de"});
  CHECK(code_of(limited.send("GET", "/api/v1/sites/a.de")) == "404 site_not_found");
  CHECK(limited.form("POST", "/api/v1/sites", "domain=c.de").status == 403);
  CHECK(limited.form("POST", "/api/v1/sites", "domain=b.de").status == 200);
  CHECK(body_of(limited.send("GET", "/api/v1/sites"))["sites"].size() == 1);
}

TEST_CASE("keys: all failures look the same, and repeated failures are slowed down", "[contract]") {
  Service service({.site = ""});
  auto& none = service.visitor;
  const auto reply = none.send("GET", "/api/v1/sites");
  CHECK(code_of(reply) == "401 unauthorized");
  CHECK(reply.header("WWW-Authenticate") == "Bearer");
  CHECK(none.send("GET", "/api/v1/sites", "", "", {{"Authorization", "Basic x"}}).body ==
        reply.body);
  CHECK(none.send("GET", "/api/v1/sites", "", "", {{"Authorization", "Bearer an_x"}}).body ==
        reply.body);
  int last = 0;
  // A request without a key does not count as a wrong key.
  for (int i = 0; i < 130; ++i) last = none.send("GET", "/api/v1/sites").status;
  CHECK(last == 401);
  for (int i = 0; i < 130; ++i) {
    last = none.send("GET", "/api/v1/sites", "", "", {{"Authorization", "Bearer an_x"}}).status;
  }
  CHECK(last == 429);
  CHECK(service.api.send("GET", "/api/v1/sites").status == 200);
  CHECK(none.send("GET", "/api/v1/sites", "", "", {{"Authorization", "bearer " + service.key}})
            .status == 200);
}

TEST_CASE("keys: the key's own limit, or the setting, bounds its requests per hour", "[contract]") {
  Service service({.site = "", .settings = "rate_limit_per_hour = 3\n"});
  const auto make = [&](std::vector<std::string> more) {
    return service.daemon.make_key("me", std::move(more));
  };
  const auto served = [&](const std::string& key) {
    int count = 0;
    for (int i = 0; i < 8; ++i) {
      const auto reply = Api(service.daemon, key).send("GET", "/api/v1/sites");
      if (reply.status == 200) ++count;
      if (reply.status == 200) continue;
      CHECK(code_of(reply) == "429 rate_limited");
      const auto wait = parse_int(reply.header("Retry-After")).value_or(0);
      CHECK(wait > 3'000);
      CHECK(wait <= 3'600);
    }
    return count;
  };
  const auto usual = make({});
  CHECK(served(usual) == 3);
  CHECK(served(make({"--rate-limit", "5"})) == 5);
  CHECK(served(make({"--rate-limit", "0"})) == 8);
  // Collection and imports still work.
  const auto event = event_body("x");
  CHECK(Api(service.daemon, usual).event(event).status == 202);
  CHECK(Api(service.daemon, usual).bulk(event + "\n").status == 200);
  CHECK(service.daemon.keys({"list"}).out.find("\t5\n") != std::string::npos);
  CHECK(run({daemon_program(), "keys", "create", "--account", "me", "--rate-limit", "-1"}).exit ==
        2);
}

TEST_CASE("daemon: a second daemon on the file is refused, and the error names the first",
          "[contract]") {
  DaemonProcess daemon(daemon_program());
  const auto second =
      run({daemon_program(), "--db", daemon.database().string(), "--listen", "127.0.0.1:0"});
  CHECK(second.exit == 4);
  CHECK(second.err.find("pid") != std::string::npos);
  TempFolder other;
  const auto port = std::to_string(daemon.port());
  CHECK(run({daemon_program(), "--db", (other / "a.db").string(), "--listen", "127.0.0.1:" + port})
            .exit == 6);
  CHECK(run({daemon_program(), "--nonsense"}).exit == 2);
  CHECK(run({daemon_program(), "--config", "/nonexistent.toml"}).exit == 3);
}

}  // namespace analytics::test::keys_test
