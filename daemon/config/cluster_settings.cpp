#include "daemon/config/cluster_settings.h"

#include <algorithm>
#include <array>
#include <climits>
#include <string_view>

#include <unistd.h>

#include "common/io/fs.h"
#include "common/text/text.h"

namespace analytics {
namespace {

bool is_node_name(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= kLongest && std::all_of(name.begin(), name.end(), is_part);
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

std::string read_secret(std::string& secret, const ConfigEntry& entry) {
  const auto text = read_file(entry.values.front());
  if (!text) return "cannot be read: " + text.error().message;
  secret = trim(*text);
  return {};
}

std::string set_cluster_events(Config& config, const ConfigEntry& entry) {
  config.cluster.url = entry.values.front();
  return cluster::problem_of_url(config.cluster.url);
}

std::string set_journal_keep(Config& config, const ConfigEntry& entry) {
  // Shipped events that ClickHouse lost can be sent again only as long as they are kept.
  constexpr std::chrono::days kLeast{7};
  constexpr std::chrono::days kMax{36'500};
  const auto keep = parse_duration(entry.values.front());
  if (!keep || *keep < kLeast || *keep > kMax) return "must be a time of 7d or more, such as 30d";
  config.store.events.journal_keep = std::chrono::floor<std::chrono::seconds>(*keep);
  return {};
}

std::string set_cluster_node(Config& config, const ConfigEntry& entry) {
  config.registry.node = entry.values.front();
  return is_node_name(config.registry.node)
             ? ""
             : "must be 1 to 64 letters, digits, dots, hyphens or underscores";
}

std::string set_cluster_registry(Config& config, const ConfigEntry& entry) {
  config.registry.server.url = entry.values.front();
  return cluster::problem_of_postgres(config.registry.server.url);
}

std::string set_cluster_key(Config& config, const ConfigEntry& entry) {
  constexpr std::size_t kLeast = 32;
  auto problem = read_secret(config.registry.secret, entry);
  if (problem.empty() && config.registry.secret.size() < kLeast) {
    problem = "must contain 32 random characters or more, as of 'openssl rand -base64 32'";
  }
  return problem;
}

Status complete_cluster(Config& config) {
  const auto refuse = [](const char* problem) {
    return fail(ErrorCode::kInvalidParameter, problem);
  };
  auto& registry = config.registry;
  if (!config.allow_plain_cluster && cluster::is_readable_by_others(config.cluster.url)) {
    return refuse(
        "cluster.events must begin with https:// unless the server is this machine;"
        " set cluster.allow_plain = true to send events and the password in clear");
  }
  if (registry.server.url.empty()) {
    if (config.store.events.journal_keep == std::chrono::seconds(0)) return {};
    return refuse(
        "cluster.journal_keep needs cluster.registry: without it the daemon answers from what it"
        " keeps");
  }
  if (!config.allow_plain_cluster && cluster::is_unsafe_postgres(registry.server.url)) {
    return refuse(
        "cluster.registry must have ?sslmode=verify-full unless the server is this machine;"
        " set cluster.allow_plain = true to do without");
  }
  if (config.cluster.url.empty()) return refuse("cluster.registry needs cluster.events");
  if (registry.secret.empty()) return refuse("cluster.registry needs cluster.key_file");
  if (!registry.node.empty()) return {};
  registry.node = host_name();
  if (is_node_name(registry.node)) return {};
  return refuse("cluster.node must be set: this machine has no name that could stand for it");
}

}  // namespace analytics
