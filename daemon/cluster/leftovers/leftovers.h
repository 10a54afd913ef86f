#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "daemon/cluster/leftovers/leftover_removal.h"

/// What the cluster has of nodes that have left, which do not remove it any more: others do. And
/// what a node has forgotten, which it cannot find any more as its own.
namespace analytics::cluster {

/// Removes leftovers that expire, and those that are to leave every node. One thread.
class Leftovers {
 public:
  /// Has the writer thread do something with the journal. Waits for it.
  using OnWriter = std::function<Status(const std::function<Status(store::Journal&)>&)>;
  struct Options {
    std::string cluster;  ///< See Marks.
    NodeNumber own = 0;
    std::chrono::seconds between_expiries{3'600};  ///< How often it looks at what has expired.
    /// So long after a removal was asked for, a node has carried out what it knows of it.
    std::chrono::seconds after_removal{600};
  };
  /// The references must outlive the object. What is under way is given up once `is_ending`.
  Leftovers(store::JournalReader& reader, OnWriter on_writer, const ClickHouseConfig& config,
            const std::atomic<bool>& is_ending, Wait wait, Options options)
      : reader_(reader),
        on_writer_(std::move(on_writer)),
        config_(config),
        server_(config, is_ending),
        is_ending_(is_ending),
        wait_(std::move(wait)),
        options_(std::move(options)) {}

  /// Does what is due. Errors: as of ClickHouse and of JournalReader. The same call later
  /// continues.
  [[nodiscard]] Status look(UnixSeconds now);
  /// True while events leave, so that what is counted is between two numbers. Any thread.
  [[nodiscard]] bool is_removing() const { return is_removing_; }

 private:
  [[nodiscard]] Status expire(std::vector<NodeNumber> nodes, UnixSeconds now);
  [[nodiscard]] bool is_over_elsewhere(const Marks& marks, UnixSeconds at) const;
  void go_on(const store::ClusterRemoval& removal, const Marks& marks);
  [[nodiscard]] bool remove(const store::ClusterRemoval& removal, const Marks& marks,
                            std::span<const NodeNumber> nodes, bool for_good);
  void remake(LeftoverRemoval& work, const store::ClusterRemoval& removal,
              std::span<const store::NodeVisit> damaged, UnixSeconds now);
  void finish_damaged(const store::ClusterRemoval& removal, const Marks& marks,
                      std::span<const NodeNumber> nodes);
  [[nodiscard]] std::vector<Leftover> leftovers_of(std::span<const NodeNumber> nodes) const;
  void note(const std::function<Status(store::Journal&)>& change) const;

  store::JournalReader& reader_;
  const OnWriter on_writer_;
  const ClickHouseConfig& config_;
  ClickHouse server_;
  const std::atomic<bool>& is_ending_;
  const Wait wait_;
  const Options options_;
  std::atomic<bool> is_removing_{false};
  UnixSeconds expired_at_{};
  EventId forgotten_ = 0;  ///< See JournalState.
};

}  // namespace analytics::cluster
