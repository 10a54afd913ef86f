// Damage that strangers and accidents must not cause: hiding a site's data, filling the disk,
// keeping deleted bytes, or removing the database unnoticed.
#include <csignal>
#include <fstream>

#include <sys/stat.h>

#include "common/io/fs.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/support/raw_http.h"
#include "tests/support/service.h"

namespace analytics::test::safety_test {

namespace {

struct Fixture : Service {
  using Service::Service;
  /// Sends a visitor's pageview.
  HttpReply view(const std::string& path, const std::string& more = "", Headers headers = {}) {
    headers.emplace_back("User-Agent", kFirefox);
    return visitor.event(pageview(path, more), std::move(headers));
  }
};

/// Returns the bytes of the WAL and the database. The WAL is read first, so that pages moved into
/// the database by a checkpoint between the two reads are not missed.
std::string bytes_of(const DaemonProcess& daemon) {
  std::string all;
  for (const auto* suffix : {"-wal", ""}) {
    all += read_file(daemon.database().string() + suffix).value_or("");
  }
  return all;
}

}  // namespace

TEST_CASE("safety: junk paths of a stranger use up no room for names, browsers or known texts",
          "[contract][safety]") {
  Fixture fixture({.settings = "max_new_texts_per_day = 1000\ntrusted_proxies = [\"loopback\"]\n",
                   .arguments = {"--admin-listen", "0"}});
  CHECK(fixture.view("/known").status == 202);
  fixture.goal("goal_type=event&event_name=Buy");
  for (int i = 0; i < 150; ++i) {  // an address may add a tenth of a site's new texts per day
    fixture.view("/junk" + std::to_string(i), "", {{"X-Forwarded-For", "192.0.2.66"}});
  }
  CHECK(fixture.rows("path LIKE '/junk%'") == "100");
  CHECK(fixture.rows("path = '(other)'") == "50");
  CHECK(fixture.rows("browser IS NULL") == "0");
  // The first address still counts on known pages and goals, and other addresses count on new
  // pages.
  fixture.view("/known", "", {{"X-Forwarded-For", "192.0.2.66"}});
  CHECK(fixture.rows("path = '/known'") == "2");
  fixture.view("/new", "", {{"X-Forwarded-For", "198.51.100.1"}});
  CHECK(fixture.rows("path = '/new'") == "1");
  for (int i = 0; i < 120; ++i) {
    fixture.visitor.event(event_body("n" + std::to_string(i), "/known"),
                          {{"User-Agent", kFirefox}, {"X-Forwarded-For", "192.0.2.66"}});
  }
  fixture.visitor.event(event_body("Buy", "/known"),
                        {{"User-Agent", kFirefox}, {"X-Forwarded-For", "192.0.2.66"}});
  CHECK(fixture.rows("name = 'Buy'") == "1");
  // The texts of imports do not use the budget for new texts.
  std::string lines;
  const auto more = R"(,"timestamp":"2026-11-20T10:00:00Z","ip":"203.0.113.9","user_agent":")" +
                    std::string(kFirefox) + "\"";
  for (int i = 0; i < 300; ++i) lines += pageview("/old" + std::to_string(i), more) + "\n";
  CHECK(fixture.api.bulk(lines).status == 200);
  CHECK(fixture.rows("path LIKE '/old%'") == "300");
  CHECK(eventually([&] {
    const auto drops = body_of(fixture.api.send("GET", "/api/v1/sites/a.de/drops"))["drops"];
    return std::any_of(drops.begin(), drops.end(),
                       [](const auto& row) { return row["reason"] == "text_budget"; });
  }));
  CHECK(fixture.metrics().find("analytics_texts_replaced_total 7") != std::string::npos);
  const auto log = fixture.daemon.end();
  const auto first = log.find("exceeded its budget of new texts");
  REQUIRE(first != std::string::npos);
  CHECK(log.find("\"path\"", first) != log.find("kind=path", first));
}

TEST_CASE("safety: the limit of events per minute uses an address that clients cannot forge",
          "[contract][safety]") {
  Fixture fixture({.settings = "max_events_per_address_per_minute = 5\n"
                               "trusted_proxies = [\"loopback\"]\n"});
  int refused = 0;
  for (int i = 0; i < 40; ++i) {  // enough requests even if a minute ends meanwhile
    const auto reply =
        fixture.view("/", "", {{"X-Forwarded-For", "2001:db8::" + std::to_string(i)}});
    if (reply.status != 429) continue;
    ++refused;
    CHECK(code_of(reply) == "429 rate_limited");
    CHECK(!reply.header("Retry-After").empty());
  }
  CHECK(refused >= 30);  // all addresses are in the same /64
  CHECK(fixture.view("/", "", {{"X-Forwarded-For", "198.51.100.7"}}).status == 202);
  for (int i = 0; i < 10; ++i) CHECK(fixture.view("/").status == 202);  // loopback has no limit
  Fixture open({.settings = "max_events_per_address_per_minute = 1\n"});
  for (int i = 0; i < 10; ++i) {  // X-Forwarded-For from an untrusted peer is ignored
    CHECK(open.view("/", "", {{"X-Forwarded-For", "192.0.2.1"}}).status == 202);
  }
}

TEST_CASE("safety: events are refused before the disk is full", "[contract][safety]") {
  Fixture fixture({.settings = "refuse_events_below_bytes = 1099511627776\n"});
  const auto reply = fixture.view("/");
  CHECK(code_of(reply) == "503 overloaded");
  CHECK(code_of(fixture.api.bulk("{}\n")) == "503 overloaded");
  CHECK(fixture.api.send("GET", "/api/v1/sites").status == 200);
}

TEST_CASE("safety: a deleted site's bytes are erased from the files while the daemon runs",
          "[contract][safety]") {
  Fixture fixture;
  CHECK(fixture.view("/canary-page-77", R"(,"p":{"k":"canary-prop-88"})").status == 202);
  CHECK(bytes_of(fixture.daemon).find("canary-page-77") != std::string::npos);
  CHECK(fixture.api.send("DELETE", "/api/v1/sites/a.de").status == 200);
  CHECK(eventually([&] { return bytes_of(fixture.daemon).find("canary") == std::string::npos; }));
}

TEST_CASE("safety: undoing an import deletes the texts that nothing else uses",
          "[contract][safety]") {
  Fixture fixture;
  CHECK(fixture.view("/kept").status == 202);
  std::string lines;
  const auto more = R"(,"ip":"192.0.2.1","user_agent":")" + std::string(kFirefox) + "\"";
  for (int i = 0; i < 50; ++i) lines += pageview("/canary-" + std::to_string(i), more) + "\n";
  lines += pageview("/kept", R"(,"ip":"192.0.2.1")") + "\n";
  CHECK(body_of(fixture.api.bulk(lines, import_headers("0-9", "x")))["accepted"] == 51);
  CHECK(fixture.api.send("DELETE", "/api/v1/sites/a.de/imports/x").status == 200);
  CHECK(eventually([&] {
    return fixture.daemon.query("SELECT count(*) FROM strings WHERE value LIKE '%canary%'") ==
               "0" &&
           bytes_of(fixture.daemon).find("canary") == std::string::npos;
  }));
  CHECK(fixture.daemon.query("SELECT path, browser FROM event_text") == "/kept|Firefox");
  // A removed text counts as new when it is sent again.
  CHECK(fixture.view("/canary-1").status == 202);
  CHECK(fixture.rows("path = '/canary-1'") == "1");
}

TEST_CASE("safety: a database that is removed or replaced is noticed, and nothing is acknowledged",
          "[contract][safety]") {
  for (const std::string what : {"", "-wal"}) {
    for (const bool replaced : {false, true}) {
      Fixture fixture;
      CHECK(fixture.view("/before").status == 202);
      const auto file = fixture.daemon.database().string() + what;
      std::filesystem::rename(file, file + ".old");
      if (replaced) std::filesystem::copy_file(file + ".old", file);
      CHECK(fixture.view("/after").status != 202);
      CHECK(fixture.daemon.wait() == 1);
    }
  }
}

TEST_CASE("safety: files that another process writes to are noticed, and nothing is acknowledged",
          "[contract][safety]") {
  const std::function<void(const std::filesystem::path&)> harms[] = {
      [](const auto& file) { std::filesystem::resize_file(file.string() + "-wal", 0); },
      [](const auto& file) {  // the WAL was truncated, then written at its old end
        std::fstream(file.string() + "-wal", std::ios::in | std::ios::out) << std::string(32, '\0');
      },
      [](const auto& file) { std::filesystem::resize_file(file, 4'096); },
      [](const auto& file) {  // the database file with an older content
        auto bytes = read_file(file).value();
        bytes[43] = static_cast<char>(bytes[43] - 1);  // the schema's version
        std::ofstream(file, std::ios::binary) << bytes;
      }};
  for (const auto& harm : harms) {
    Fixture fixture;
    fixture.daemon.stop(SIGTERM);
    fixture.daemon.start("keep_log=on");  // the WAL must not be empty
    CHECK(fixture.view("/before").status == 202);
    harm(fixture.daemon.database());
    CHECK(fixture.view("/after").status != 202);
    CHECK(fixture.daemon.wait() == 1);
  }
}

TEST_CASE("safety: a checkpoint by another process does no harm", "[contract][safety]") {
  Fixture fixture;
  for (int i = 0; i < 5; ++i) {
    const auto site = "domain=s" + std::to_string(i) + ".de";
    CHECK(fixture.api.form("POST", "/api/v1/sites", site).status == 200);
    CHECK(fixture.view("/" + std::to_string(i)).status == 202);
    (void)run({"sqlite3", fixture.daemon.database().string(), "PRAGMA wal_checkpoint"});
    CHECK(fixture.view("/after").status == 202);
  }
}

TEST_CASE("safety: workers parse queries, so that expensive ones block no connection",
          "[contract][safety]") {
  Fixture fixture({.settings = "[http]\nthreads = 1\n"});
  const auto page = "/share/a.de?auth=" + fixture.make_link();
  fixture.daemon.stop(SIGTERM);
  const auto go = fixture.folder / "go";
  fixture.daemon.start("before_read=wait:" + go.string());
  const auto head =
      " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + fixture.key + "\r\n";
  const auto query = [&](const std::string& body) {
    return "POST /api/v2/query" + head +
           "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
  };
  const auto filters = [](const std::string& regexes) {
    return R"([["matches","event:page",[)" + regexes + "]]]";
  };
  const auto with = [](const std::string& given) {
    return R"({"site_id":"a.de","metrics":["visitors"],"date_range":"7d","filters":)" + given + "}";
  };
  std::string large = R"("\\pL{20}")";  // 24,000 instructions: 25 ms to compile
  std::vector<std::pair<std::string, std::string>> asked = {
      {query(with(filters("\"(\""))), "is not a regular expression"},
      {query(with(filters(large))), "too large regular expressions"},
      {"GET /api/v1/stats/aggregate?site_id=a.de&filters=x" + head + "\r\n", "HTTP/1.1 400 "},
      {"GET " + page + "&filters=" + percent_encode(filters("\"(\"")) + head + "\r\n",
       "is not a regular expression"},
      {"GET /api/v1/sites/a.de/events" + head + "\r\n", "HTTP/1.1 200 "},
  };
  std::vector<std::unique_ptr<RawConnection>> connections;
  for (const auto& [request, wanted] : asked) {
    connections.push_back(std::make_unique<RawConnection>(fixture.daemon.port()));
    REQUIRE(connections.back()->send(request));
  }
  // The only thread that serves connections has read all of them when it answers the last request.
  for (int i = 0; i < 3; ++i) {
    CHECK(Api(fixture.daemon, "").send("GET", "/api/health").status == 200);
  }
  for (const auto& connection : connections) CHECK_FALSE(connection->has_answer());
  std::ofstream(go) << "go";
  for (std::size_t i = 0; i < asked.size(); ++i) {
    INFO(asked[i].first);
    CHECK(connections[i]->receive().find(asked[i].second) != std::string::npos);
  }
}

TEST_CASE("safety: a second daemon is refused whatever name of the file it uses",
          "[contract][safety]") {
  Fixture fixture;
  const auto database = fixture.daemon.database();
  const auto folder = database.parent_path();
  std::filesystem::create_symlink(database, folder / "soft.db");
  std::filesystem::create_hard_link(database, folder / "hard.db");
  for (const std::string name : {"soft.db", "hard.db"}) {
    const auto second = operate(folder / name, {"serve", "--listen", "127.0.0.1:0"});
    CHECK(second.exit == 4);
    CHECK(second.err.find("held by another process (pid ") != std::string::npos);
    CHECK(second.err.find("pid ?") == std::string::npos);
  }
  CHECK(fixture.view("/still").status == 202);
}

TEST_CASE("safety: files that others can read are corrected, and links are not followed",
          "[contract][safety]") {
  TempFolder folder;
  const auto database = folder / "a.db";
  operate(database, {"keys", "create", "--init", "--account", "me"});
  const auto mode_of = [](const std::filesystem::path& file) {
    struct stat info {};
    stat(file.c_str(), &info);
    return info.st_mode & 0777;
  };
  chmod(database.c_str(), 0640);
  operate(database, {"keys", "list"});
  CHECK(mode_of(database) == 0600);
  chmod(database.c_str(), 0644);
  Process daemon({daemon_program(), "--listen", "127.0.0.1:0", "--db", database.string()}, {});
  REQUIRE(daemon.read_error_line());
  CHECK(mode_of(database) == 0600);
  daemon.signal(SIGTERM);
  const auto done = daemon.wait();
  CHECK(done.exit == 0);
  CHECK(done.err.find("was readable by other users") != std::string::npos);
  std::ofstream(folder / "target") << "precious";
  std::filesystem::create_symlink(folder / "target", folder / "b.db.lock");
  const auto refused = operate(folder / "b.db", {"keys", "create", "--init", "--account", "me"});
  CHECK(refused.exit != 0);
  CHECK(refused.err.find("symbolic link") != std::string::npos);
  CHECK(*read_file(folder / "target") == "precious");
}

TEST_CASE("safety: a key is written to a file that only its owner can read", "[contract][safety]") {
  TempFolder folder;
  const auto create = [&](const std::string& out) {
    return operate(folder / "a.db", {"keys", "create", "--init", "--account", "me", "--out", out});
  };
  const auto file = (folder / "key").string();
  const auto made = create(file);
  CHECK(made.exit == 0);
  CHECK(made.out.empty());
  struct stat info {};
  stat(file.c_str(), &info);
  CHECK((info.st_mode & 0777) == 0600);
  CHECK(read_file(file)->starts_with("an_"));
  const auto again = create(file);  // an existing file is never overwritten
  CHECK(again.exit != 0);
  CHECK(operate(folder / "a.db", {"keys", "create", "--account", "me", "--scope", "nope", "--out",
                                  (folder / "no").string()})
            .exit == 2);
  CHECK(!std::filesystem::exists(folder / "no"));
}

TEST_CASE("safety: a NUL byte does not hide the bytes after it", "[contract][safety]") {
  Fixture fixture;
  const auto event = event_body("x");
  const auto behind = [](const std::string& body) { return body + std::string("\0junk", 5); };
  auto& api = fixture.api;
  CHECK(code_of(api.event(behind(event))) == "400 malformed_body");
  CHECK(api.event(behind(event)).body.find("NUL byte at byte") != std::string::npos);
  CHECK(code_of(api.json("POST", "/api/v1/sites", behind(R"({"domain":"b.de"})"))) ==
        "400 malformed_body");
  CHECK(code_of(api.json("POST", "/api/v2/query", behind("{}"))) == "400 malformed_body");
  const auto bulk = body_of(api.bulk(event + std::string("\0", 1) + event + "\n"));
  CHECK(bulk["accepted"] == 0);
  CHECK(bulk["rejected"] == 1);
}

TEST_CASE("safety: an error says what is wrong with the JSON and where", "[contract][safety]") {
  Fixture fixture;
  const auto said = [&](const std::string& body) {
    return body_of(fixture.api.event(body))["error"].get<std::string>();
  };
  CHECK(said("") == "The body is empty.");
  CHECK(said("[1]") == "The body is JSON, but not an object.");
  CHECK(said(R"({"d":1,})").find("is not valid JSON, from byte 8") != std::string::npos);
  CHECK(said(R"({"d":1e400})").find("a number that is too large") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += R"({"a":)";
  CHECK(said(deep).find("nested deeper than 32") != std::string::npos);
}

TEST_CASE("safety: answers to a key are not cached, and repeated headers are refused",
          "[contract][safety]") {
  Fixture fixture;
  const auto list = fixture.api.send("GET", "/api/v1/sites");
  CHECK(list.header("Cache-Control") == "no-store");
  CHECK(list.header("X-Content-Type-Options") == "nosniff");
  const auto port = fixture.daemon.port();
  CHECK(send_raw(port, "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            .starts_with("HTTP/1.1 204"));
  for (const std::string field : {"Authorization: Bearer x", "Content-Type: text/plain"}) {
    CHECK(send_raw(port, "GET /api/health HTTP/1.1\r\nHost: a\r\n" + field + "\r\n" + field +
                             "\r\nConnection: close\r\n\r\n")
              .starts_with("HTTP/1.1 400"));
  }
  const auto body = event_body("x");
  std::string chunked =
      "POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
      "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
  char size[8];
  std::snprintf(size, sizeof size, "%zx", body.size());
  chunked += std::string(size) + "\r\n" + body + "\r\n0\r\nX-Checksum: abc\r\n\r\n";
  CHECK(send_raw(port, chunked).starts_with("HTTP/1.1 202"));
}

}  // namespace analytics::test::safety_test
