#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "common/io/fs.h"
#include "common/text/text.h"
#include "tests/cli/replay_service.h"

namespace analytics::test::backup_test {

namespace fs = std::filesystem;

namespace {

std::string sql(const fs::path& file, const std::string& query) {
  const auto done = run({"sqlite3", "-readonly", file.string(), query});
  INFO(done.err);
  REQUIRE(done.exit == 0);
  return std::string(trim(done.out));
}

std::string events_in(const fs::path& file) { return sql(file, "SELECT count(*) FROM events"); }

/// Returns the rest of the line that begins with `word`.
std::string value_of(const std::string& text, const std::string& word) {
  for (const auto line : split(text, '\n')) {
    if (line.starts_with(word + " ")) return std::string(line.substr(word.size() + 1));
  }
  return {};
}

unsigned mode_of(const fs::path& file) {
  struct stat info {};
  REQUIRE(stat(file.c_str(), &info) == 0);
  return info.st_mode & 07777U;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

constexpr char kPage[] =
    R"({"name":"pageview","url":"https://demo.example/","domain":"demo.example"})";
const Headers kBrowser = {{"User-Agent", kFirefox}};

}  // namespace

TEST_CASE("backup: a copy of a live file is complete, private and without salts",
          "[contract][alone]") {
  ReplayService service;
  REQUIRE(service.replay({service.write("events", generate(500))}).first == 0);
  REQUIRE(service.visitor.event(kPage, kBrowser).status == 202);
  REQUIRE(service.daemon.query("SELECT count(*) > 0 FROM salts") == "1");
  const auto file = service.folder / "copy.db";
  const auto done = service.operate({"backup", file.string()});
  INFO(done.err);
  REQUIRE(done.exit == 0);
  CHECK(done.out.starts_with("backup " + file.string() + "\nbytes "));
  CHECK(split(done.out, '\n').size() == 6);
  CHECK(value_of(done.out, "events") == "501");
  CHECK(value_of(done.out, "bytes") == std::to_string(fs::file_size(file)));
  const auto sum = run({"sha256sum", file.string()});
  CHECK(value_of(done.out, "sha256") == sum.out.substr(0, 64));
  CHECK(mode_of(file) == 0600);
  CHECK(events_in(file) == "501");
  CHECK(sql(file, "SELECT count(*) FROM salts") == "0");
  CHECK(sql(file, "PRAGMA integrity_check") == "ok");
  // The folder contains no WAL of the copy and no partial copy.
  CHECK(names_in(service.folder.path()).size() == 2);

  const auto again = service.operate({"backup", file.string()});
  CHECK(again.exit == 2);
  CHECK(again.err.find("replaces nothing") != std::string::npos);
  const auto kept = service.folder / "moved.db";
  REQUIRE(service.operate({"backup", "--keep-salts", kept.string()}).exit == 0);
  CHECK(sql(kept, "SELECT count(*) > 0 FROM salts") == "1");
  CHECK(service.visitor.event(kPage, kBrowser).status == 202);
}

TEST_CASE("backup: a copy during intake is a snapshot, with its time in metrics",
          "[contract][alone]") {
  Service service({.site = "demo.example", .arguments = {"--admin-listen", "0"}});
  std::atomic<bool> stop{false};
  std::atomic<int> stored{0};
  std::thread sender([&] {
    while (!stop) stored += service.visitor.event(kPage, kBrowser).status == 202 ? 1 : 0;
  });
  for (int i = 0; i < 3; ++i) {
    const auto file = service.folder / std::to_string(i).c_str();
    const int before = stored;
    const auto done = service.operate({"backup", file.string()});
    const int after = stored + 1;  // one event may be stored but not answered yet
    REQUIRE(done.exit == 0);
    CHECK(std::stoi(events_in(file)) >= before);
    CHECK(std::stoi(events_in(file)) <= after);
  }
  stop = true;
  sender.join();
  CHECK(service.metrics().find("\nanalytics_last_backup_timestamp_seconds ") != std::string::npos);
}

TEST_CASE("backup: copies in a folder are rotated, and a pipe gets a copy", "[contract][alone]") {
  ReplayService service;
  const auto database = service.daemon.database();
  const auto folder = service.folder / "backups";
  fs::create_directory(folder);
  for (const auto* old : {"analytics-20200101T000000Z.db", "analytics-20200102T000000Z.db"}) {
    std::ofstream(folder / old) << "old";
  }
  const auto done = operate(database, {"backup", "--rotate", "2d", folder.string()});
  INFO(done.err);
  REQUIRE(done.exit == 0);
  CHECK(value_of(done.out, "removed") == (folder / "analytics-20200101T000000Z.db").string());
  CHECK(names_in(folder).size() == 2);
  CHECK(operate(database, {"backup", "--rotate", "2x", folder.string()}).exit == 2);
  CHECK(operate(database, {"backup", "--rotate", "2d", (folder / "none").string()}).exit == 2);

  const auto piped = operate(database, {"backup", "-"});
  REQUIRE(piped.exit == 0);
  CHECK(value_of(piped.err, "bytes") == std::to_string(piped.out.size()));
  Process::Options options;
  options.input = piped.out;
  const auto other = service.folder / "other" / "analytics.db";
  const auto restored = operate(other, {"restore", "-"}, options);
  INFO(restored.err);
  CHECK(restored.exit == 0);
  CHECK(sql(other, "SELECT count(*) FROM sites") == "1");
  for (const auto& name : names_in(database.parent_path())) {
    CHECK(name.find("backup-") == std::string::npos);
  }
}

TEST_CASE("restore: replaying the files again stores every event once", "[contract][alone]") {
  ReplayService service;
  const auto first = service.write("first", generate(300));
  const auto second = service.write("second", generate(700));
  REQUIRE(service.replay({first}).first == 0);
  const auto backup = service.folder / "backup.db";
  const auto database = service.daemon.database();
  REQUIRE(operate(database, {"backup", backup.string()}).exit == 0);
  REQUIRE(service.replay({second}).first == 0);
  REQUIRE(events_in(database) == "1000");
  service.daemon.stop(SIGKILL);  // leaves a WAL, which must not be applied to the restored file
  REQUIRE(fs::exists(database.string() + "-wal"));
  const auto restored = operate(database, {"restore", backup.string()});
  INFO(restored.err);
  REQUIRE(restored.exit == 0);
  CHECK(restored.out.starts_with("restored 300 events"));
  CHECK(mode_of(database) == 0600);
  service.daemon.start();
  // Counts all events: those in rows, and those in sealed columns because their salts are gone.
  const auto exported = [&] {
    const auto lines = service.api.send("GET", "/api/v1/sites/demo.example/events").body;
    return std::count(lines.begin(), lines.end(), '\n');
  };
  CHECK(exported() == 300);
  for (const auto& file : {first, second}) REQUIRE(service.replay({file}).first == 0);
  CHECK(exported() == 1'000);

  const auto end = restored.out.find(", without salts");
  const auto begin = restored.out.find(" is ") + 4;
  REQUIRE(end != std::string::npos);
  const fs::path former = restored.out.substr(begin, end - begin);
  CHECK(events_in(former) == "1000");
  CHECK(sql(former, "SELECT count(*) FROM salts") == "0");
}

TEST_CASE("restore: it refuses a running daemon and files of other kinds", "[contract][alone]") {
  ReplayService service;
  REQUIRE(service.replay({service.write("events", generate(100))}).first == 0);
  const auto database = service.daemon.database();
  const auto backup = service.folder / "backup.db";
  REQUIRE(operate(database, {"backup", backup.string()}).exit == 0);
  CHECK(operate(database, {"restore", backup.string()}).exit == 4);
  REQUIRE(service.daemon.stop(SIGTERM) == 0);

  const auto content = *read_file(backup);
  const std::vector<std::pair<std::string, int>> cases = {
      {"", 5},
      {"not a database at all, but long enough to be looked at: " + std::string(5'000, 'x'), 5},
      {content.substr(0, content.size() / 2), 5},
  };
  const auto bad = service.folder / "bad.db";
  for (const auto& [text, exit] : cases) {
    CAPTURE(text.size());
    std::ofstream(bad, std::ios::binary) << text;
    const auto refused = operate(database, {"restore", bad.string()});
    INFO(refused.err);
    CHECK(refused.exit == exit);
    CHECK(events_in(database) == "100");
  }
  const auto fresh = service.folder / "fresh" / "a.db";
  CHECK(operate(fresh, {"restore", bad.string()}).exit == 5);
  CHECK(fs::is_empty(fresh.parent_path()));
  CHECK(operate(database, {"restore", (service.folder / "none").string()}).exit == 1);
  fs::create_symlink(backup, service.folder / "link");
  CHECK(operate(database, {"restore", (service.folder / "link").string()}).exit == 1);
  for (const auto& name : names_in(database.parent_path())) {
    CHECK(name.find("restored-") == std::string::npos);
    CHECK(name.find("before-") == std::string::npos);
  }
}

TEST_CASE("backup: a hard link to a live file is refused, a symlink works", "[contract][alone]") {
  ReplayService service;
  REQUIRE(service.replay({service.write("events", generate(10))}).first == 0);
  const auto database = service.daemon.database();
  const auto hard = service.folder / "hard.db";
  const auto soft = service.folder / "soft.db";
  const auto backup = service.folder / "backup.db";
  fs::create_hard_link(database, hard);
  fs::create_symlink(database, soft);
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"backup", backup.string()}, {"check"}, {"doctor"}}) {
    const auto refused = operate(hard, command);
    INFO(command.front() << refused.err);
    CHECK(refused.exit == 4);
    CHECK(refused.err.find("held by another process (pid ") != std::string::npos);
  }
  CHECK(!fs::exists(hard.string() + "-wal"));
  CHECK(!fs::exists(backup));
  for (const auto& name : {database, soft}) {
    INFO(name);
    CHECK(operate(name, {"check"}).exit == 0);
    CHECK(operate(name, {"backup", backup.string()}).exit == 0);
    CHECK(events_in(backup) == "10");
    fs::remove(backup);
  }
}

TEST_CASE("restore: a file with a foreign schema change is refused, also by check and serve",
          "[contract][alone]") {
  ReplayService service;
  REQUIRE(service.replay({service.write("events", generate(10))}).first == 0);
  const auto backup = service.folder / "backup.db";
  REQUIRE(service.operate({"backup", backup.string()}).exit == 0);
  const auto changed = service.folder / "changed.db";
  const auto restored = service.folder / "restored.db";
  for (const auto* change :
       {"PRAGMA user_version = -5", "PRAGMA user_version = 0", "PRAGMA application_id = 7",
        "CREATE TRIGGER x AFTER INSERT ON events BEGIN DELETE FROM api_keys; END",
        "DROP VIEW event_text; CREATE VIEW event_text AS SELECT 1 AS id",
        "CREATE VIRTUAL TABLE more USING fts5(text)", "CREATE TABLE more(x)", "DROP TABLE salts",
        "CREATE INDEX more ON events(path)", "ALTER TABLE goals DROP COLUMN display_name",
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES('table', 'sqlite_statx',"
        " 'sqlite_statx', 0, 'CREATE VIRTUAL TABLE sqlite_statx USING fts5(x)')",
        "UPDATE sites SET timezone = '../../etc/passwd'"}) {
    INFO(change);
    fs::copy_file(backup, changed, fs::copy_options::overwrite_existing);
    // Newer versions of sqlite3 protect the schema unless `defensive` is off.
    REQUIRE(run({"sqlite3", changed.string(), ".dbconfig defensive off", change}).exit == 0);
    const auto refused = operate(restored, {"restore", changed.string()});
    INFO(refused.err);
    CHECK(refused.exit == 5);
    CHECK(!fs::exists(restored));
    CHECK(operate(changed, {"check"}).exit == 5);
    Process served({daemon_program(), "serve", "--listen", "127.0.0.1:0", "--db", changed.string()},
                   {});
    const auto said = served.read_error_line().value_or("");
    INFO(said);
    if (said.starts_with("listening")) served.signal(SIGTERM);
    CHECK(served.wait().exit == 5);
    fs::remove(changed);
  }
  fs::copy_file(backup, changed);
  REQUIRE(run({"sqlite3", changed.string(), "ANALYZE"}).exit == 0);
  CHECK(operate(restored, {"restore", changed.string()}).exit == 0);
  CHECK(events_in(restored) == "10");
}

TEST_CASE("restore: a kill just before the end keeps the former database", "[contract][alone]") {
  ReplayService service;
  REQUIRE(service.replay({service.write("events", generate(100))}).first == 0);
  const auto database = service.daemon.database();
  const auto backup = service.folder / "backup.db";
  REQUIRE(operate(database, {"backup", backup.string()}).exit == 0);
  REQUIRE(service.replay({service.write("more", generate(50))}).first == 0);
  REQUIRE(service.daemon.stop(SIGTERM) == 0);
  const auto before = events_in(database);
  const auto killed = operate(database, {"restore", backup.string()},
                              {{"ANALYTICS_FAILPOINTS=before_restored=kill"}, {}});
  CHECK(killed.exit == 128 + SIGKILL);
  CHECK(events_in(database) == before);
  CHECK(operate(database, {"restore", backup.string()}).exit == 0);
  CHECK(events_in(database) == "100");
}

TEST_CASE("backup: a damaged file is neither copied nor restored", "[contract][alone]") {
  ReplayService service;
  REQUIRE(service.replay({service.write("events", generate(3'000))}).first == 0);
  service.api.form("PUT", "/api/v1/sites/funnels",
                   R"(site_id=demo.example&name=f&steps=[{"page":"/"},{"page":"/a"}])");
  const auto database = service.daemon.database();
  REQUIRE(service.daemon.stop(SIGTERM) == 0);
  const auto damage = GENERATE(
      as<std::string>(), "UPDATE salts SET salt = ''", "UPDATE funnels SET steps = '[]'",
      "UPDATE part_columns SET data = zeroblob(length(data)) WHERE id IN (SELECT max(id) FROM"
      " part_columns)");
  CAPTURE(damage);
  const bool is_of_columns = damage.find("part_columns") != std::string::npos;
  if (is_of_columns) run({"sqlite3", database.string(), "DELETE FROM salts"});
  if (is_of_columns) REQUIRE(operate(database, {"compact"}).exit == 0);
  REQUIRE(run({"sqlite3", database.string(), damage + "; SELECT changes() > 0"}).out == "1\n");
  CHECK(operate(database, {"check", "--quick"}).exit == 5);
  const auto copy = service.folder / "copy.db";
  CHECK(operate(database, {"backup", "--keep-salts", copy.string()}).exit == 5);
  CHECK_FALSE(fs::exists(copy));
  CHECK(operate(service.folder / "new.db", {"restore", database.string()}).exit == 5);
  if (damage.find("funnels") == std::string::npos) return;
  service.daemon.start();
  const std::string list = "/api/v1/sites/funnels?site_id=demo.example";
  CHECK(service.api.send("GET", list).status == 503);
}

TEST_CASE("check: it finds damage, wrong visits and files open to others", "[contract][alone]") {
  ReplayService service;
  REQUIRE(service.replay({service.write("events", generate(3'000))}).first == 0);
  const auto database = service.daemon.database();
  for (const auto* how : {"--quick", "--db"}) {
    auto arguments = std::vector<std::string>{"check"};
    if (std::string(how) == "--quick") arguments.emplace_back(how);
    const auto fine = operate(database, arguments);
    INFO(fine.out << fine.err);
    CHECK(fine.exit == 0);
    CHECK(fine.out == "nothing is wrong\n");
  }
  REQUIRE(service.daemon.stop(SIGTERM) == 0);
  fs::permissions(database, fs::perms(0644));
  const auto open = operate(database, {"check"});
  CHECK(open.exit == 5);
  CHECK(open.out.find("chmod 600") != std::string::npos);
  fs::permissions(database, fs::perms(0600));

  REQUIRE(run({"sqlite3", database.string(),
               "UPDATE visits SET pageviews = pageviews + 1 WHERE id % 2 = 0"})
              .exit == 0);
  const auto wrong = operate(database, {"check"});
  INFO(wrong.out);
  CHECK(wrong.exit == 5);
  CHECK(wrong.out.find("are not what their events make") != std::string::npos);
  CHECK(operate(database, {"check", "--quick"}).exit == 0);

  std::fstream file(database, std::ios::in | std::ios::out | std::ios::binary);
  const auto pages = fs::file_size(database) / 4'096;
  for (std::uintmax_t page = 2; page < pages; page += 3) {
    file.seekp(static_cast<std::streamoff>(page * 4'096));
    file << std::string(64, '\xff');
  }
  file.close();
  const auto damaged = operate(database, {"check", "--quick"});
  INFO(damaged.out << damaged.err);
  CHECK(damaged.exit == 5);
}

TEST_CASE("sites move: another account gets the site and its links", "[contract][alone]") {
  Service service({.site = "a.example"});
  auto other = service.client("other");
  const auto target = "/share/a.example?auth=" + service.make_link();
  CHECK(service.operate({"sites", "move", "a.example", "--to", "nobody"}).exit == 1);
  CHECK(service.operate({"sites", "move", "b.example", "--to", "other"}).exit == 1);
  CHECK(other.send("GET", "/api/v1/sites/a.example").status == 404);
  REQUIRE(service.operate({"sites", "move", "a.example", "--to", "other"}).exit == 0);
  CHECK(other.send("GET", "/api/v1/sites/a.example").status == 200);
  CHECK(service.api.send("GET", "/api/v1/sites/a.example").status == 404);
  CHECK(service.visitor.send("GET", target).status == 200);
}

}  // namespace analytics::test::backup_test
