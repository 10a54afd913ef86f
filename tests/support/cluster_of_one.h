#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "common/io/http_client.h"

/// Runs the tests of a single daemon against a cluster with a single node. If the variables
/// ANALYTICS_TEST_CLICKHOUSE and ANALYTICS_TEST_POSTGRES name servers, each daemon is the only node
/// of a cluster with its own databases and answers from ClickHouse. Stored events are visible to
/// the test's next request.
namespace analytics::test {

/// Creates the databases of a cluster in both servers, adds the cluster to the daemon's settings
/// file, and returns the databases' name. Returns nullopt if the variables name no servers or the
/// file names a cluster already. Writes the cluster's key to `folder`. Throws if the servers
/// refuse.
[[nodiscard]] std::optional<std::string> join_cluster_of_one(const std::filesystem::path& settings,
                                                             const std::filesystem::path& folder);
/// Waits until the daemon at this URL has joined its cluster, and records it as a node with these
/// databases.
void note_node(const std::string& url, const std::string& database);
/// Forgets the node at this URL, because another daemon may get its port.
void forget_node(const std::string& url);

/// Sends a request to a daemon by calling `send`. If note_node() has recorded the daemon: sends a
/// request that reads only once ClickHouse has all stored events, and repeats events that the node
/// cannot accept yet. Throws if ClickHouse does not receive the stored events.
HttpReply send_in_cluster(const std::string& url, const std::string& method,
                          const std::string& target, const std::function<HttpReply()>& send);

}  // namespace analytics::test
