#include <csignal>
#include <fstream>

#include "common/text.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"

using namespace analytics::test;

TEST_CASE("keys: made and revoked while the daemon runs, in force at once", "[contract]") {
  DaemonProcess daemon(daemon_program());
  const auto key = daemon.make_key();
  Api api(daemon.url(), key);
  CHECK(api.send("GET", "/api/v1/sites").status == 200);
  const auto list = daemon.keys({"list"});
  CHECK(list.out.find(key.substr(0, 9)) != std::string::npos);
  CHECK(list.out.find(key) == std::string::npos);
  CHECK(daemon.keys({"revoke", key.substr(0, 9)}).exit == 0);
  CHECK(code_of(api.send("GET", "/api/v1/sites")) == "401 unauthorized");
  CHECK(daemon.keys({"revoke", "999"}).exit == 1);
}

TEST_CASE("keys: made and listed while no daemon runs", "[contract]") {
  DaemonProcess daemon(daemon_program());
  CHECK(daemon.stop(SIGTERM) == 0);
  const auto key = daemon.make_key();
  daemon.start();
  CHECK(Api(daemon.url(), key).send("GET", "/api/v1/sites").status == 200);
  CHECK(daemon.query("SELECT count(*) FROM api_keys") == "1");
}

TEST_CASE("keys: a scope that is missing is named, and nothing else is told", "[contract]") {
  DaemonProcess daemon(daemon_program());
  Api owner(daemon.url(), daemon.make_key());
  owner.form("POST", "/api/v1/sites", "domain=a.de");
  Api reader(daemon.url(), daemon.make_key("acme", {"--scope", "sites:read"}));
  const auto refused = reader.form("POST", "/api/v1/sites", "domain=b.de");
  CHECK(code_of(refused) == "403 missing_scope");
  CHECK(refused.body.find("sites:write") != std::string::npos);
  CHECK(reader.send("GET", "/api/v1/sites/a.de").status == 200);
  const auto status = [&](const char* scope, const char* path) {
    return Api(daemon.url(), daemon.make_key("acme", {"--scope", scope})).send("GET", path).status;
  };
  CHECK(status("sites:write", "/api/v1/sites") == 200);  // who may write something may read it
  CHECK(status("sites:write", "/api/v1/sites/a.de") == 200);
  CHECK(status("sites:write", "/api/v1/sites/a.de/exclusions") == 200);
  CHECK(status("sites:write", "/api/v1/sites/goals?site_id=a.de") == 403);
  CHECK(status("goals:write", "/api/v1/sites/goals?site_id=a.de") == 200);
  CHECK(status("goals:write", "/api/v1/sites/a.de") == 403);
  Api stranger(daemon.url(), daemon.make_key("other"));
  CHECK(stranger.send("GET", "/api/v1/sites/a.de").body ==
        stranger.send("GET", "/api/v1/sites/none.de").body);
  CHECK(code_of(stranger.send("DELETE", "/api/v1/sites/a.de")) == "404 site_not_found");
  Api limited(daemon.url(), daemon.make_key("acme", {"--site", "B.de"}));
  CHECK(code_of(limited.send("GET", "/api/v1/sites/a.de")) == "404 site_not_found");
  CHECK(limited.form("POST", "/api/v1/sites", "domain=c.de").status == 403);
  CHECK(limited.form("POST", "/api/v1/sites", "domain=b.de").status == 200);
  CHECK(body_of(limited.send("GET", "/api/v1/sites"))["sites"].size() == 1);
}

TEST_CASE("keys: all failures look the same, and too many are slowed down", "[contract]") {
  DaemonProcess daemon(daemon_program());
  const auto key = daemon.make_key();
  Api none(daemon.url(), "");
  const auto reply = none.send("GET", "/api/v1/sites");
  CHECK(code_of(reply) == "401 unauthorized");
  CHECK(reply.header("WWW-Authenticate") == "Bearer");
  CHECK(none.send("GET", "/api/v1/sites", "", "", {{"Authorization", "Basic x"}}).body ==
        reply.body);
  CHECK(none.send("GET", "/api/v1/sites", "", "", {{"Authorization", "Bearer an_x"}}).body ==
        reply.body);
  int last = 0;
  // A request without a key is no guess at one.
  for (int i = 0; i < 130; ++i) last = none.send("GET", "/api/v1/sites").status;
  CHECK(last == 401);
  for (int i = 0; i < 130; ++i) {
    last = none.send("GET", "/api/v1/sites", "", "", {{"Authorization", "Bearer an_x"}}).status;
  }
  CHECK(last == 429);
  CHECK(Api(daemon.url(), key).send("GET", "/api/v1/sites").status == 200);
  CHECK(none.send("GET", "/api/v1/sites", "", "", {{"Authorization", "bearer " + key}}).status ==
        200);
}

TEST_CASE("keys: a key has its requests an hour, by itself or by the setting", "[contract]") {
  TempFolder folder;
  std::ofstream(folder / "c.toml") << "rate_limit_per_hour = 3\n";
  DaemonProcess daemon(daemon_program(), {"--config", (folder / "c.toml").string()});
  const auto make = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {daemon_program(), "keys", "create", "--account", "me", "--db",
                               daemon.database().string()});
    return std::string(analytics::trim(run(more).out));
  };
  const auto served = [&](const std::string& key) {
    int count = 0;
    for (int i = 0; i < 8; ++i) {
      const auto reply = Api(daemon.url(), key).send("GET", "/api/v1/sites");
      if (reply.status == 200) ++count;
      if (reply.status == 200) continue;
      CHECK(code_of(reply) == "429 rate_limited");
      const auto wait = analytics::parse_int(reply.header("Retry-After")).value_or(0);
      CHECK(wait > 3'000);
      CHECK(wait <= 3'600);
    }
    return count;
  };
  const auto usual = make({});
  CHECK(served(usual) == 3);
  CHECK(served(make({"--rate-limit", "5"})) == 5);
  CHECK(served(make({"--rate-limit", "0"})) == 8);
  // Collecting and importing go on.
  const std::string event = R"({"d":"a.de","n":"x","u":"https://a.de/"})";
  CHECK(Api(daemon.url(), usual).event(event).status == 202);
  CHECK(Api(daemon.url(), usual)
            .send("POST", "/api/v1/events", event + "\n", "application/x-ndjson")
            .status == 200);
  CHECK(run({daemon_program(), "keys", "list", "--db", daemon.database().string()})
            .out.find("\t5\n") != std::string::npos);
  CHECK(run({daemon_program(), "keys", "create", "--account", "me", "--rate-limit", "-1"}).exit ==
        2);
}

TEST_CASE("daemon: a second one on the file is refused, naming the first", "[contract]") {
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
