#include "tests/cluster/postgres_process.h"

#include <csignal>
#include <fstream>
#include <stdexcept>

#include <unistd.h>

#include "common/text/text.h"
#include "tests/cluster/server_start.h"

namespace analytics::test {
namespace {

constexpr char kUser[] = "analytics";

std::vector<std::string> as_servers_user(std::vector<std::string> command) {
  command.front() = std::string(POSTGRES_FOLDER) + "/" + command.front();
  if (geteuid() != 0) return command;
  command.insert(command.begin(),
                 {"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"});
  return command;
}

void run_or_throw(const std::vector<std::string>& command) {
  const auto done = run(command);
  if (done.exit != 0) throw std::runtime_error(command.front() + ": " + done.err);
}

}  // namespace

PostgresProcess::PostgresProcess() {
  using std::filesystem::perms;
  std::filesystem::permissions(folder_.path(), perms::owner_all | perms::others_exec);
  std::filesystem::create_directory(files());
  if (geteuid() == 0) run_or_throw({"chown", "postgres", files().string()});
  run_or_throw(as_servers_user({"initdb", "-D", files().string(), "-A", "trust", "-U", kUser,
                                "--no-sync", "--no-locale", "-E", "UTF8"}));
  start();
  run_or_throw(as_servers_user(
      {"createdb", "-h", "127.0.0.1", "-p", std::to_string(port_), "-U", kUser, "analytics"}));
}

PostgresProcess::~PostgresProcess() {
  if (process_) kill();
}

std::string PostgresProcess::url_of(std::uint16_t port) {
  return "postgresql://" + std::string(kUser) + "@127.0.0.1:" + std::to_string(port) + "/analytics";
}

bool PostgresProcess::answers() const {
  return run({std::string(POSTGRES_FOLDER) + "/psql",
              url_of(port_).replace(url().rfind('/'), std::string::npos, "/postgres"), "-Atc",
              "SELECT 1"})
             .exit == 0;
}

void PostgresProcess::start() {
  process_ = std::make_unique<Process>(
      as_servers_user({"postgres", "-D", files().string(), "-p", std::to_string(port_), "-h",
                       "127.0.0.1", "-k", "", "-c", "shared_buffers=16MB", "-c",
                       "max_connections=40", "-c", "autovacuum=off"}),
      Process::Options{});
  if (!starts(*process_, [&] { return answers(); })) {
    throw std::runtime_error("PostgreSQL does not start");
  }
}

void PostgresProcess::end() {
  process_->signal(SIGINT);
  process_->wait();
  process_.reset();
}

void PostgresProcess::kill() {
  process_->signal(SIGQUIT);  // ends its child processes as well, without writing anything
  process_->wait();
  process_.reset();
}

std::string PostgresProcess::ask(const std::string& sql) const {
  const auto done = run({std::string(POSTGRES_FOLDER) + "/psql", url(), "-Atqc", sql});
  if (done.exit != 0) throw std::runtime_error(done.err);
  return std::string(trim(done.out));
}

void PostgresProcess::keep_files() {
  run_or_throw({"cp", "-a", files().string(), (folder_ / "kept").string()});
}

void PostgresProcess::bring_back_files() {
  std::filesystem::remove_all(files());
  run_or_throw({"cp", "-a", (folder_ / "kept").string(), files().string()});
}

}  // namespace analytics::test
