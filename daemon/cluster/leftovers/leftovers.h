#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "daemon/cluster/leftovers/leftover_removal.h"
#include "daemon/store/sqlite/journal/journal.h"
#include "daemon/store/sqlite/journal/journal_reader.h"

/// Leftovers are rows in ClickHouse that their own node will not remove: rows of nodes that have
/// left the cluster, and rows that the journal of a running node has deleted (forgotten) because
/// ClickHouse has them.
namespace analytics::cluster {

/// Removes leftovers that have expired, and leftovers that match a removal of events in the
/// cluster's registry. Not thread-safe.
class Leftovers {
 public:
  /// Calls a function with the journal on the writer thread. Returns when the function has
  /// returned.
  using OnWriter = std::function<Status(const std::function<Status(sqlite::Journal&)>&)>;
  struct Options {
    std::string cluster;                           ///< Name of the cluster, from cluster_of().
    NodeNumber own = 0;                            ///< Number of this node.
    std::chrono::seconds between_expiries{3'600};  ///< Pause between two searches for expired rows.
    /// Time after which every running node knows of a removal.
    std::chrono::seconds after_removal{600};
    /// Time after which a node that has stored no mark counts as not running.
    std::chrono::seconds silence{600};
  };
  /// The references must outlive the object. A running look() ends soon after `is_ending` has
  /// become true.
  Leftovers(sqlite::JournalReader& reader, OnWriter on_writer, const ClickHouseConfig& config,
            const std::atomic<bool>& is_ending, Wait wait, Options options)
      : reader_(reader),
        on_writer_(std::move(on_writer)),
        config_(config),
        server_(config, is_ending),
        is_ending_(is_ending),
        wait_(std::move(wait)),
        options_(std::move(options)) {}

  /// Removes the leftovers that are due to be removed. After an error, a later call continues.
  /// Errors: those of ClickHouse and JournalReader.
  [[nodiscard]] Status look(UnixSeconds now);

 private:
  [[nodiscard]] Status expire(const Marks& marks, UnixSeconds now);
  [[nodiscard]] bool is_in_charge(const Marks& marks) const;
  void carry_out_more(const store::ClusterRemoval& removal, const Marks& marks);
  template <typename Work>
  auto with(const Marks& marks, std::span<const Leftover> leftovers, const Work& work);
  void remove(const store::ClusterRemoval& removal, const Marks& marks,
              std::span<const Leftover> leftovers);
  void note_damaged(const store::ClusterRemoval& removal, std::vector<store::NodeVisit>& visits);
  void rebuild_visits(LeftoverRemoval& work, const store::ClusterRemoval& removal,
                      std::span<const store::NodeVisit> damaged, UnixSeconds now);
  void note(const std::function<Status(sqlite::Journal&)>& change) const;

  sqlite::JournalReader& reader_;
  const OnWriter on_writer_;
  const ClickHouseConfig& config_;
  ClickHouse server_;
  const std::atomic<bool>& is_ending_;
  const Wait wait_;
  const Options options_;
  /// Time at which a search for expired rows last found nothing more to remove.
  UnixSeconds expired_at_{};
};

}  // namespace analytics::cluster
