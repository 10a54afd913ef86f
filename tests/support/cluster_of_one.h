#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "common/io/http_client.h"

/// Runs the tests of a single daemon against a node of a cluster. If the variables
/// ANALYTICS_TEST_CLICKHOUSE and ANALYTICS_TEST_POSTGRES name servers, each daemon is the only node
/// of a cluster with its own databases and answers from ClickHouse. Stored events are visible to
/// the test's next request.
namespace analytics::test {

/// Creates the databases of a cluster, adds the cluster to the daemon's settings file, and returns
/// the databases' name. Returns nullopt if the variables name no servers or the file names a
/// cluster already. Writes the cluster's key to `folder`. Throws if the servers refuse.
[[nodiscard]] std::optional<std::string> join_cluster_of_one(const std::filesystem::path& settings,
                                                             const std::filesystem::path& folder);
/// Notes that a node with these databases answers at this address. Waits until it has joined.
void note_node(const std::string& url, const std::string& database);
/// Notes that no node answers at this address any more; its port may be used again.
void forget_node(const std::string& url);

/// Sends a request to a daemon, which may be a node. A request that reads is sent after ClickHouse
/// has all stored events. Events that the node cannot accept yet are sent again. Throws if
/// ClickHouse does not receive the stored events.
HttpReply send_in_cluster(const std::string& url, const std::string& method,
                          const std::string& target, const std::function<HttpReply()>& send);

}  // namespace analytics::test
