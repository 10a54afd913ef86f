#pragma once

#include "daemon/cluster/reading/stats_store.h"
#include "tests/cluster/shipped_store.h"

namespace analytics::test {

/// The store and the limits that a node uses to answer queries from ClickHouse.
struct Reading {
  explicit Reading(const ClickHouseProcess& server, const std::string& cluster = "")
      : stats({.url = server.url()}, cluster, nodes, limits, cores) {}
  Published<cluster::RegisteredNodes> nodes;
  Published<query::Limits> limits;
  query::Cores cores{2};
  cluster::ClusterStatsStore stats;
};

inline std::vector<std::string> answered_by(const Query& query, store::StatsStore& stats) {
  const auto answered = answer(query, stats);
  INFO((answered ? std::string() : answered.error().reason()));
  REQUIRE(answered);
  return sorted(texts_of(answered->rows));
}

}  // namespace analytics::test
