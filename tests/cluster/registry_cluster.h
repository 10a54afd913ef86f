#pragma once

#include <csignal>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/cluster/postgres_process.h"
#include "tests/support/eventually.h"
#include "tests/support/service.h"

/// Daemons that share a registry in PostgreSQL, and optionally ship to ClickHouse.
namespace analytics::test {

inline constexpr char kShortLease[] = "short_registry_lease=on";
inline constexpr char kNoClickHouse[] = "http://127.0.0.1:1/analytics";

/// A node of the cluster, optionally with a proxy in front of its registry.
class Node {
 public:
  Node(std::string name, const std::string& registry, const std::string& failpoints = "",
       std::string events = kNoClickHouse)
      : name_(std::move(name)),
        events_(std::move(events)),
        daemon_(daemon_program(), {"--config", set_registry(registry)}) {
    if (failpoints.empty()) return;
    daemon_.stop(SIGTERM);
    daemon_.start(failpoints);
  }

  [[nodiscard]] DaemonProcess& daemon() { return daemon_; }
  [[nodiscard]] Api api(const std::string& key) const { return {daemon_.url(), key}; }
  [[nodiscard]] int status_of_sites(const std::string& key) const {
    return api(key).send("GET", "/api/v1/sites").status;
  }
  [[nodiscard]] HttpReply create(const std::string& domain, const std::string& key) const {
    return api(key).form("POST", "/api/v1/sites", "domain=" + domain);
  }
  /// Returns the member `cluster` of /api/health.
  [[nodiscard]] std::string health() const {
    return body_of(api("").send("GET", "/api/health")).value("cluster", "-");
  }
  [[nodiscard]] std::string sites() const {
    return daemon_.query("SELECT id || ' ' || domain FROM sites ORDER BY id");
  }
  [[nodiscard]] Process::Finished cluster(const std::vector<std::string>& arguments,
                                          const std::string& failpoints = "") const {
    std::vector<std::string> command{"cluster"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.insert(command.end(), {"--config", (folder_ / "settings.toml").string()});
    return operate(daemon_.database(), command, {{"ANALYTICS_FAILPOINTS=" + failpoints}, {}});
  }

  /// Adds a line to the section [cluster]; the next start reads it.
  void add_setting(const std::string& line) {
    std::ofstream(folder_ / "settings.toml", std::ios::app) << line << '\n';
  }
  /// Writes the settings for the next start with this registry URL. Returns the file's path.
  std::string set_registry(const std::string& registry) {
    const auto key = folder_ / "cluster.key";
    std::ofstream(key) << "the same on every node, and long enough";
    const auto file = folder_ / "settings.toml";
    std::ofstream out(file);
    out << "[cluster]\nevents = \"" << events_ << "\"\nnode = \"" << name_ << "\"\n";
    if (!registry.empty()) {
      out << "registry = \"" << registry << "\"\nkey_file = \"" << key.string() << "\"\n";
    }
    return file.string();
  }

 private:
  const std::string name_;
  const std::string events_;
  TempFolder folder_;
  DaemonProcess daemon_;
};

/// Nodes a, b, c… and a key that all of them know. The first node has created the cluster.
struct Cluster {
  explicit Cluster(int count, const std::string& failpoints = "",
                   const std::string& events = kNoClickHouse) {
    for (int i = 0; i < count; ++i) {
      nodes.push_back(std::make_unique<Node>(std::string(1, static_cast<char>('a' + i)),
                                             postgres.url(), failpoints, events));
    }
    key = nodes.front()->daemon().make_key();
  }
  [[nodiscard]] Node& node(std::size_t i) { return *nodes.at(i); }
  /// Waits until all nodes have the same sites.
  [[nodiscard]] bool agree() {
    return eventually([&] {
      std::set<std::string> all;
      for (const auto& each : nodes) all.insert(each->sites());
      return all.size() == 1;
    });
  }

  PostgresProcess postgres;
  std::vector<std::unique_ptr<Node>> nodes;
  std::string key;
};

inline HttpReply pageview(const Node& node, const std::string& domain) {
  return node.api("").event(R"({"domain":")" + domain + R"(","name":"pageview","url":"https://)" +
                            domain + R"(/"})");
}

}  // namespace analytics::test
