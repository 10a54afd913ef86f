// Simulates a power cut at every moment. Sends events to a daemon in this process and records
// everything that reaches the disk. Then rebuilds the files for every prefix of the recording, with
// any of the unsynced writes left out. The files must contain every event acknowledged by then.
// Exits with 0 if they always do.
#include <fstream>
#include <iostream>
#include <random>
#include <set>

#include <sqlite3.h>

#include "common/io/fs.h"
#include "common/run/secret.h"
#include "daemon/app/app.h"
#include "daemon/store/sqlite/backend.h"
#include "tests/crash/recording_vfs.h"
#include "tests/support/daemon_process.h"
#include "tests/support/rounds.h"

namespace {

using namespace analytics;
using namespace analytics::test;
// Number of random subsets of the unsynced writes, besides none and all.
constexpr int kSubsets = 3;

using Files = std::map<std::string, std::string>;

Files read_files(const std::filesystem::path& folder) {
  Files files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (!entry.is_regular_file() || name.ends_with("-shm") || name.ends_with(".lock")) continue;
    files[name] = read_file(entry.path()).value_or("");
  }
  return files;
}

void put_down(Files& files, const Step& step) {
  auto& bytes = files[step.file];
  switch (step.kind) {
    case Step::Kind::kWrite: write_into(bytes, step.at, step.bytes); return;
    case Step::Kind::kTruncate: bytes.resize(static_cast<std::size_t>(step.at)); return;
    case Step::Kind::kDelete: files.erase(step.file); return;
    case Step::Kind::kSync:
    case Step::Kind::kAcknowledged: return;
  }
}

/// The disk after a power cut: all synced writes and some of the unsynced ones.
struct Disk {
  Files synced;
  std::vector<Step> pending;
  std::set<std::string> acknowledged;

  void take(const Step& step) {
    if (step.kind == Step::Kind::kAcknowledged) {
      acknowledged.insert(step.file);
    } else if (step.kind == Step::Kind::kSync) {
      std::vector<Step> others;
      for (auto& one : pending) {
        if (one.file == step.file) {
          put_down(synced, one);
        } else {
          others.push_back(std::move(one));
        }
      }
      pending = std::move(others);
    } else {
      pending.push_back(step);
    }
  }
};

/// Returns the paths of the events stored in the file, read by SQLite on its usual VFS. After an
/// error, returns only its message, which begins with "!".
std::multiset<std::string> stored_events(const std::filesystem::path& file) {
  std::multiset<std::string> paths;
  sqlite3* db = nullptr;
  const auto query = [&](const char* sql, const std::string& expected) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, nullptr) != SQLITE_OK) {
      paths.insert(std::string("! ") + sqlite3_errmsg(db));
      return;
    }
    while (sqlite3_step(statement) == SQLITE_ROW) {
      const auto* value = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
      const std::string text(value == nullptr ? "(null)" : value);
      if (text != expected) paths.insert(expected.empty() ? text : "! " + text);
    }
    sqlite3_finalize(statement);
  };
  if (sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READWRITE, "unix") != SQLITE_OK) {
    paths.insert("! open");
  } else {
    query("PRAGMA integrity_check", "ok");
    query("SELECT path FROM event_text", "");
  }
  sqlite3_close(db);
  return paths;
}

/// Returns a description of the promise that a power cut at this moment would break; empty if it
/// would break none.
std::string judge(const Disk& disk, const Files& files, const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const auto& [name, bytes] : files) std::ofstream(folder / name) << bytes;
  const auto stored = stored_events(folder / "a.db");
  for (const auto& path : stored) {
    if (path.starts_with("! ")) return path;
    if (stored.count(path) > 1) return path + " is there twice";
  }
  for (const auto& path : disk.acknowledged) {
    if (!stored.contains(path)) return path + " was acknowledged and is lost";
  }
  return {};
}

int judge_all(const Files& start, const std::vector<Step>& steps,
              const std::filesystem::path& folder) {
  Disk disk{start, {}, {}};
  std::mt19937 random(3);
  int cuts = 0;
  int broken = 0;
  for (const auto& step : steps) {
    disk.take(step);
    for (int variant = 0; variant < 2 + kSubsets; ++variant) {
      if (variant > 0 && disk.pending.empty()) break;
      auto files = disk.synced;
      for (const auto& write : disk.pending) {
        if (variant == 1 || (variant > 1 && random() % 2 == 0)) put_down(files, write);
      }
      ++cuts;
      const auto problem = judge(disk, files, folder);
      if (!problem.empty() && ++broken <= 5) std::cerr << problem << '\n';
    }
  }
  std::cout << cuts << " cuts in " << steps.size() << " steps, " << broken << " broke something\n";
  return broken > 0 || cuts < 10 * rounds(50) ? 1 : 0;
}

}  // namespace

int main() {
  init_secrets();
  const HttpLibrary library;
  RecordingVfs vfs;
  const TempFolder folder;
  const auto live = folder / "live";
  const auto file = live / "a.db";
  Config config;
  config.database = file;
  config.http.listen = {"127.0.0.1:0"};
  config.log_level = LogLevel::kOff;
  std::filesystem::create_directories(live);
  {
    const auto backend = sqlite::open_backend(file, {});
    const auto now = std::chrono::floor<std::chrono::seconds>(SystemClock().now());
    (void)backend->registry().sites().create_site(1, "a.de", "Etc/UTC", now);
  }
  Files start;
  {
    App app(config, [] { std::_Exit(9); });
    app.start();
    Api api("http://" + app.addresses().front(), "");
    // The first event creates the day's salt. When it is answered, the jobs of the daemon's start
    // are done.
    api.event(R"({"d":"a.de","n":"x","u":"https://a.de/first"})");
    start = read_files(live);
    vfs.start();
    for (int i = 0; i < rounds(50); ++i) {
      const auto path = "/" + std::to_string(i);
      const auto reply = api.event(R"({"d":"a.de","n":"x","u":"https://a.de)" + path + "\"}");
      if (reply.status == 202) vfs.acknowledge(path);
    }
  }
  return judge_all(start, vfs.steps(), folder / "cut");
}
