#include "tests/support/cluster_of_one.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "common/io/http_client.h"
#include "common/run/secret.h"
#include "common/text/text.h"
#include "tests/support/eventually.h"
#include "tests/support/process.h"

namespace analytics::test {
namespace {

struct OneNode {
  std::string database;
  /// Time of the last stored change, in ms since 1970; 0 if ClickHouse has all changes.
  std::int64_t stored_at = 0;
};
std::mutex nodes_mutex;
std::map<std::string, OneNode> nodes;  // keyed by the daemon's URL; guarded by nodes_mutex

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string ask_clickhouse(const std::string& sql) {
  HttpClient client{HttpClientConfig{}};
  const auto reply = client.send({.method = "POST",
                                  .url = variable("ANALYTICS_TEST_CLICKHOUSE") + "/",
                                  .headers = {},
                                  .body = sql});
  return reply.status == 200 ? std::string(trim(reply.body)) : std::string();
}

std::int64_t now_in_millis() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Waits until ClickHouse has all changes that the node stored up to `stored_at`.
void wait_until_shipped(const OneNode& node) {
  const auto up_to = "SELECT max(up_to) FROM " + node.database + ".marks";
  const bool is_there =
      eventually([&] { return parse_int(ask_clickhouse(up_to)).value_or(0) > node.stored_at; });
  if (!is_there) throw std::runtime_error("ClickHouse does not get what was stored");
}

bool only_stores(const std::string& method, const std::string& target) {
  return method == "POST" && (target.starts_with("/api/event") || target == "/api/v1/events");
}

}  // namespace

std::optional<std::string> join_cluster_of_one(const std::filesystem::path& settings,
                                               const std::filesystem::path& folder) {
  const auto postgres = variable("ANALYTICS_TEST_POSTGRES");
  if (postgres.empty()) return std::nullopt;
  std::ifstream known(settings);
  for (std::string line; std::getline(known, line);) {
    if (line == "[cluster]") return std::nullopt;
  }
  const auto database = "node_" + random_base62(12);
  const auto made = run({"psql", postgres, "-c", "CREATE DATABASE \"" + database + "\""});
  if (made.exit != 0) throw std::runtime_error("psql: " + made.err);
  const auto key = folder / "cluster.key";
  std::ofstream(key) << "a secret that is long enough for a key";
  std::ofstream(settings, std::ios::app)
      << "\n[cluster]\nevents = \"" << variable("ANALYTICS_TEST_CLICKHOUSE") << '/' << database
      << "\"\nregistry = \"" << postgres.substr(0, postgres.rfind('/') + 1) << database
      << "\"\nkey_file = \"" << key.string() << "\"\nnode = \"a\"\n";
  return database;
}

void note_node(const std::string& url, const std::string& database) {
  HttpClient client{HttpClientConfig{}};
  const bool has_joined = eventually([&] {
    const auto reply =
        client.send({.method = "GET", .url = url + "/api/health", .headers = {}, .body = ""});
    const auto health = nlohmann::json::parse(reply.body, nullptr, false);
    return health.is_object() && health.value("cluster", "") == "ok";
  });
  if (!has_joined) throw std::runtime_error("the daemon does not join its cluster");
  const std::lock_guard lock(nodes_mutex);
  nodes[url] = {database, now_in_millis()};
}

void forget_node(const std::string& url) {
  const std::lock_guard lock(nodes_mutex);
  nodes.erase(url);
}

HttpReply send_in_cluster(const std::string& url, const std::string& method,
                          const std::string& target, const std::function<HttpReply()>& send) {
  std::unique_lock lock(nodes_mutex);
  const auto found = nodes.find(url);
  if (found == nodes.end()) {
    lock.unlock();
    return send();
  }
  const auto node = found->second;
  lock.unlock();
  const bool stores = only_stores(method, target);
  if (!stores && node.stored_at != 0) {
    wait_until_shipped(node);
    lock.lock();
    if (nodes[url].stored_at == node.stored_at) nodes[url].stored_at = 0;
    lock.unlock();
  }
  auto reply = send();
  // A node rejects an event of a past day until it has the salt of that day from the registry.
  const auto must_wait = [&] {
    return reply.status == 503 && reply.body.find("registry_stale") != std::string::npos;
  };
  if (stores && must_wait()) {
    (void)eventually([&] {
      reply = send();
      return !must_wait();
    });
  }
  if (method == "GET" || method == "HEAD") return reply;
  lock.lock();
  nodes[url].stored_at = now_in_millis();
  return reply;
}

}  // namespace analytics::test
