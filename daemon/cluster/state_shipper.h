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
#include "daemon/store/journal.h"

namespace analytics::cluster {

/// Times of a site's first and last event on any node.
struct SiteTimes {
  UnixSeconds first{};
  UnixSeconds last{};
};
/// Times of the events of sites in the cluster, as they were at `read_at`.
struct TimesOfSites {
  std::unordered_map<SiteId, SiteTimes> sites{};
  /// When the times were read; nullopt: not yet.
  std::optional<std::chrono::steady_clock::time_point> read_at{};
};
/// Reads the event times of `site`, or of all sites if it is nullopt. Errors: those of ClickHouse.
[[nodiscard]] Result<TimesOfSites> read_times(ClickHouse& server, const Marks& marks,
                                              std::optional<SiteId> site = {});

/// Ships a node's sites, drops, late events, removals and mark as state: the newest version of a
/// row counts. Not thread-safe.
class StateShipper {
 public:
  struct Options {
    std::string node{};     ///< Name of the node, as operators see it.
    std::string cluster{};  ///< Name of the cluster: see Marks. Empty: the node shares no registry.
    /// Receives the event times of sites on all nodes; may be null.
    Published<TimesOfSites>* times = nullptr;
  };
  /// `reader` and `server` must outlive the object.
  StateShipper(store::JournalReader& reader, ClickHouse& server, Options options)
      : reader_(reader), server_(server), options_(std::move(options)) {}

  /// Starts over: assumes that the server has no sites, late events and recent drops of this node,
  /// so that they are shipped again. Errors, here and below: those of ClickHouse and JournalReader.
  [[nodiscard]] Status begin(NodeNumber node, UnixMillis now);
  /// Returns since when the node has compared its events with the server's: see Mark.
  [[nodiscard]] UnixSeconds looked_since() const { return mark_.looked_since; }
  /// Ships the sites that have changed.
  [[nodiscard]] Status ship_sites(UnixMillis now);
  /// Returns true if there are too many sites to check on every round.
  [[nodiscard]] bool has_many_sites() const { return sites_.size() > 1'000; }
  /// Ships the drops that have changed.
  [[nodiscard]] Status ship_drops(UnixMillis now);
  /// Ships the counts of late events that have changed.
  [[nodiscard]] Status ship_late_events(UnixMillis now);
  /// Tells the server that events of these sites are being removed. REQUIRES: no part of these
  /// removals has been shipped.
  [[nodiscard]] Status announce_removals(const std::set<SiteId>& sites, UnixMillis now);
  /// Forgets the removals of a deleted site, because the server removes all rows of the site.
  void forget_removals(SiteId site) { removing_.erase(site); }
  /// Tells the server that removals are complete on all sites except these.
  [[nodiscard]] Status withdraw_removals(const std::set<SiteId>& except, UnixMillis now);
  /// How far the node's events are shipped.
  struct Stand {
    EventId shipped = 0;
    bool is_all = false;  ///< Everything stored before `began` is shipped, with its changes.
    UnixMillis began{};
    UnixSeconds looked_since{};  ///< See Mark::looked_since.
    /// The journal contains all removals that the registry contained at this time.
    UnixSeconds removals_known{};
  };
  /// Ships the node's mark.
  [[nodiscard]] Status mark(const Stand& stand);
  /// Reads the event times of sites on all nodes, and publishes them to Options::times.
  [[nodiscard]] Status learn_times();

 private:
  /// Returns a version greater than all earlier versions, even if the clock was set back.
  [[nodiscard]] std::uint64_t next_version(UnixMillis now);

  [[nodiscard]] Status ship_removals(const std::set<SiteId>& sites, bool are_running,
                                     UnixMillis now);

  /// Ships the rows whose counts differ from `known`, the counts that the server has, and updates
  /// `known` to the counts of all rows.
  template <typename Row, typename Key>
  [[nodiscard]] Status ship_counts(const char* table, std::span<const NativeBlock::Column> columns,
                                   const std::vector<Row>& rows, std::map<Key, std::int64_t>& known,
                                   UnixMillis now);

  using DropKey = std::pair<SiteId, std::pair<UnixSeconds, EventOutcome>>;

  store::JournalReader& reader_;
  ClickHouse& server_;
  const Options options_;
  Mark mark_;                              ///< This node's mark, as the server has it.
  std::vector<store::JournalSite> sites_;  ///< Sites, as the server has them.
  /// Number of drops since drops_from_, as the server has it.
  std::map<DropKey, std::int64_t> drops_;
  UnixSeconds drops_from_{};
  /// Number of late events by site and day, as the server has it.
  std::map<std::pair<SiteId, Days>, std::int64_t> late_;
  std::set<SiteId> removing_;  ///< Sites whose events are being removed, as the server has them.
  std::uint64_t version_ = 0;  ///< Last version that next_version() has returned.
};

}  // namespace analytics::cluster
