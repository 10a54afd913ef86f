#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/run/published.h"
#include "daemon/cluster/marks.h"
#include "daemon/store/sqlite/journal/journal_reader.h"

namespace analytics::cluster {

/// Times of a site's first and last event on any node.
struct SiteTimes {
  UnixSeconds first{};
  UnixSeconds last{};
};
/// Times of the first and last event of each site in the cluster, as they were at `read_at`.
struct TimesOfSites {
  std::unordered_map<SiteId, SiteTimes> sites{};
  /// Time at which the times were read; nullopt before the first reading.
  std::optional<std::chrono::steady_clock::time_point> read_at{};
};
/// Reads the times of the first and last event of `site`, or of every site if it is nullopt.
/// Errors: those of ClickHouse.
[[nodiscard]] Result<TimesOfSites> read_times(ClickHouse& server, const Marks& marks,
                                              std::optional<SiteId> site = {});

/// Ships a node's small tables to ClickHouse: sites, counts of drops and late events, removals,
/// and the node's mark. A changed row is sent with a higher version, and the highest version
/// counts. Not thread-safe.
class StateShipper {
 public:
  struct Options {
    std::string node{};  ///< Name of the node, as operators see it.
    /// Name of the cluster, from cluster_of(); empty if the node shares no registry.
    std::string cluster{};
    /// Receives the times of sites' first and last events on all nodes; may be null.
    Published<TimesOfSites>* times = nullptr;
  };
  /// `reader` and `server` must outlive the object.
  StateShipper(sqlite::JournalReader& reader, ClickHouse& server, Options options)
      : reader_(reader), server_(server), options_(std::move(options)) {}

  /// Starts over: assumes that ClickHouse has no sites, late events and recent drops of this node,
  /// so that they are shipped again. Errors, here and below: those of ClickHouse and
  /// JournalReader.
  [[nodiscard]] Status begin(NodeNumber node, UnixMillis now);
  /// Returns ClickHouse's start time when the node last checked for lost blocks, from the node's
  /// mark: see Mark::looked_since.
  [[nodiscard]] UnixSeconds looked_since() const { return mark_.looked_since; }
  /// Ships the sites that are new or have changed since the last call.
  [[nodiscard]] Status ship_sites(UnixMillis now);
  /// Returns true if there are too many sites to check on every round.
  [[nodiscard]] bool has_many_sites() const { return sites_.size() > 1'000; }
  /// Ships the counts of dropped events that have changed since the last call.
  [[nodiscard]] Status ship_drops(UnixMillis now);
  /// Ships the counts of late events that have changed since the last call.
  [[nodiscard]] Status ship_late_events(UnixMillis now);
  /// Records in ClickHouse that events of these sites are being removed, so that queries can
  /// report it. REQUIRES: no part of these removals has been shipped.
  [[nodiscard]] Status announce_removals(const std::set<SiteId>& sites, UnixMillis now);
  /// Forgets the removals of a deleted site, because ClickHouse removes all rows of the site.
  void forget_removals(SiteId site) { removing_.erase(site); }
  /// Records in ClickHouse that removals are complete on all sites except these.
  [[nodiscard]] Status withdraw_removals(const std::set<SiteId>& except, UnixMillis now);
  /// State of the shipping of a node's events, which the node's mark publishes.
  struct Stand {
    EventId shipped = 0;         ///< Id up to which all events are shipped.
    bool is_all = false;         ///< True if everything stored before `began` is shipped.
    UnixMillis began{};          ///< Start of the current round of shipping.
    UnixSeconds looked_since{};  ///< Value for Mark::looked_since.
    /// Time up to which the journal contains the removals of the cluster's registry.
    UnixSeconds removals_known{};
  };
  /// Stores the node's mark in ClickHouse, from which queries learn how far its events are
  /// shipped.
  [[nodiscard]] Status mark(const Stand& stand);
  /// Reads the times of sites' first and last events on all nodes, and publishes them to
  /// Options::times.
  [[nodiscard]] Status learn_times();

 private:
  /// Returns a version for rows that is greater than all earlier ones, even if the clock was set
  /// back.
  [[nodiscard]] std::uint64_t next_version(UnixMillis now);

  [[nodiscard]] Status ship_removals(const std::set<SiteId>& sites, bool are_running,
                                     UnixMillis now);

  /// Ships those of `rows` whose counts differ from `known`, the counts in ClickHouse. Then sets
  /// `known` to the counts of all `rows`.
  template <typename Row, typename Key>
  [[nodiscard]] Status ship_counts(const char* table, std::span<const NativeBlock::Column> columns,
                                   const std::vector<Row>& rows, std::map<Key, std::int64_t>& known,
                                   UnixMillis now);

  using DropKey = std::pair<SiteId, std::pair<UnixSeconds, EventOutcome>>;

  sqlite::JournalReader& reader_;
  ClickHouse& server_;
  const Options options_;
  Mark mark_;                              ///< This node's mark, as stored in ClickHouse.
  std::vector<store::JournalSite> sites_;  ///< This node's sites, as stored in ClickHouse.
  /// Counts of drops since drops_from_, as stored in ClickHouse.
  std::map<DropKey, std::int64_t> drops_;
  UnixSeconds drops_from_{};
  /// Counts of late events by site and day, as stored in ClickHouse.
  std::map<std::pair<SiteId, Days>, std::int64_t> late_;
  std::set<SiteId> removing_;  ///< Sites whose events are being removed, according to ClickHouse.
  std::uint64_t version_ = 0;  ///< Last version that next_version() has returned.
};

}  // namespace analytics::cluster
