#include "tests/cluster/clickhouse_process.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <sys/wait.h>

#include "common/text/text.h"
#include "tests/cluster/server_start.h"

namespace analytics::test {

ClickHouseProcess::ClickHouseProcess() {
  const auto folder = folder_.path().string();
  std::ofstream(folder + "/users.xml")
      << "<yandex><profiles><default/></profiles><users><default><password></password>"
         "<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>"
         "</default></users><quotas><default/></quotas></yandex>";
  start();
  cluster::ClickHouse any({.url = server() + "/default"}, never_);
  if (!any.ask("CREATE DATABASE IF NOT EXISTS analytics")) {
    throw std::runtime_error("ClickHouse makes no database");
  }
}

void ClickHouseProcess::start() {
  const auto folder = folder_.path().string();
  std::ofstream(folder + "/config.xml")
      << "<yandex><logger><level>warning</level><log>" << folder << "/log</log><errorlog>" << folder
      << "/errors</errorlog></logger><http_port>" << port_ << "</http_port><tcp_port>"
      << protocol_port_ << "</tcp_port><listen_host>127.0.0.1</listen_host><path>" << folder
      << "/data/</path><tmp_path>" << folder << "/tmp/</tmp_path><users_config>" << folder
      << "/users.xml</users_config><default_profile>default</default_profile>"
         "<default_database>default</default_database><mark_cache_size>67108864</mark_cache_size>"
         "</yandex>";
  std::vector<std::string> command{CLICKHOUSE_SERVER, "--config-file=" + folder + "/config.xml"};
  if (const char* other = std::getenv("ANALYTICS_CLICKHOUSE")) {  // see current_engine.sh
    command.clear();
    for (const auto word : split(other, ' ')) command.emplace_back(word);
    command.push_back(std::to_string(port_));
    command.push_back(folder);
  }
  process_ = std::make_unique<Process>(command, Process::Options{});
  cluster::ClickHouse any({.url = server() + "/default"}, never_);
  if (!starts(*process_, [&] { return any.ask("SELECT 1").has_value(); })) {
    throw std::runtime_error("ClickHouse does not start");
  }
}

void ClickHouseProcess::kill() {
  process_->signal(SIGKILL);
  process_->wait();
  process_.reset();
}

void ClickHouseProcess::save() {
  signal(SIGSTOP);
  int status = 0;
  waitpid(process_->id(), &status, WUNTRACED);  // wait until all of its threads have stopped
  std::filesystem::copy(folder_ / "data", folder_ / "saved",
                        std::filesystem::copy_options::recursive);
  signal(SIGCONT);
}

void ClickHouseProcess::lose_what_came_after() {
  std::filesystem::remove_all(folder_ / "data");
  std::filesystem::rename(folder_ / "saved", folder_ / "data");
}

std::string ClickHouseProcess::ask(const std::string& sql) {
  cluster::ClickHouse any({.url = url()}, never_);
  const auto answer = any.ask(sql);
  return answer ? std::string(trim(*answer)) : answer.error().message;
}

}  // namespace analytics::test
