#pragma once

#include <atomic>

#include "common/run/published.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/marks.h"
#include "daemon/cluster/rows.h"
#include "daemon/store/event_reader.h"

namespace analytics::cluster {

/// Reads the events of all nodes of a cluster.
class ClusterEventReader final : public store::EventReader {
 public:
  /// `cluster`: name of the cluster, from cluster_of(). `own`: this node. A
  /// selection's import id is an id of this node, because each node numbers its own imports.
  /// `registered` must outlive the object.
  ClusterEventReader(ClickHouseConfig config, std::string cluster,
                     const Published<RegisteredNodes>& registered, NodeNumber own)
      : config_(std::move(config)),
        cluster_(std::move(cluster)),
        registered_(registered),
        own_(own),
        server_(config_, is_cancelled_) {}

  Result<EventSelection> resolve(const EventSelection& selection) override;
  Result<std::int64_t> count(const EventSelection& selection) override;
  void cancel() override { is_cancelled_ = true; }
  Result<std::shared_ptr<store::EventReading>> begin(const EventSelection& selection) override;
  Result<store::EventPage> read(store::EventReading& reading) override;
  [[nodiscard]] store::Extent extent() const override { return extent_; }
  void forget_extent() override { extent_ = {}; }

 private:
  class Reading;

  /// Reads the marks of the nodes, and sets extent_, which reports how complete their events are.
  [[nodiscard]] Marks read_marks();
  /// Reads the next page of events. Throws ReadFailed.
  [[nodiscard]] store::EventPage next_page(Reading& reading);
  /// Throws ReadFailed if ClickHouse may have lost events since the reading began.
  void require_whole(const Reading& reading);

  const ClickHouseConfig config_;
  const std::string cluster_;
  const Published<RegisteredNodes>& registered_;
  const NodeNumber own_;
  std::atomic<bool> is_cancelled_{false};
  ClickHouse server_;  ///< Connection that is used only to read marks.
  store::Extent extent_;
};

}  // namespace analytics::cluster
