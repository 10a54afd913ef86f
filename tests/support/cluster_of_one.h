#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "common/http_client.h"

/// Tests of one daemon, run against a node of a cluster: with servers of ClickHouse and PostgreSQL
/// in the variables ANALYTICS_TEST_CLICKHOUSE and ANALYTICS_TEST_POSTGRES, each daemon is the one
/// node of a cluster with databases of its own, and answers from ClickHouse. What a test has stored
/// is there when it asks next.
namespace analytics::test {

/// Makes the databases of a cluster, adds it to the daemon's file of settings, and returns the name
/// of the databases; none if no servers are named, or the file names a cluster already. The
/// cluster's key goes into `folder`. Throws if the servers refuse.
[[nodiscard]] std::optional<std::string> join_cluster_of_one(const std::filesystem::path& settings,
                                                             const std::filesystem::path& folder);
/// The node with these databases answers at this address from now on. Waits until it has joined.
void note_node(const std::string& url, const std::string& database);
/// Notes that who answers at this address from now on is no node: a port may be given again.
void forget_node(const std::string& url);

/// Sends a request to a daemon, which may be a node. What may read is sent when ClickHouse has all
/// that was stored before; events that the node cannot take in yet are sent again. Throws if
/// ClickHouse does not get what was stored.
HttpReply send_in_cluster(const std::string& url, const std::string& method,
                          const std::string& target, const std::function<HttpReply()>& send);

}  // namespace analytics::test
