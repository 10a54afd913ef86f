#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "daemon/store/journal.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// The tables cluster_removals, cluster_removal_nodes and cluster_removal_visits: see
/// ClusterRemoval. What changes them is used inside the writer's transactions; throws SqliteError.
class ClusterRemovals {
 public:
  /// `connection` must outlive this object.
  explicit ClusterRemovals(Connection& connection) : connection_(connection) {}

  void add(const store::SharedRemoval& removal);
  void set_damaged(std::int64_t removal, std::span<const store::NodeVisit> visits);
  void add_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes);
  void remove(std::int64_t removal);
  void clear();
  /// The oldest first.
  [[nodiscard]] std::vector<store::ClusterRemoval> all();

 private:
  Connection& connection_;
};

}  // namespace analytics::sqlite
