#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
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
/// Event times of sites, as the cluster had them when they were read.
struct TimesOfSites {
  std::unordered_map<SiteId, SiteTimes> sites{};
  std::optional<std::chrono::steady_clock::time_point> read_at{};  ///< nullopt: not read yet.
};
/// Reads the times of a site, or of all sites. Errors: as of ClickHouse.
[[nodiscard]] Result<TimesOfSites> read_times(ClickHouse& server, const Marks& marks,
                                              std::optional<SiteId> site = {});

/// Ships a node's sites, drops, late events, removals and mark as state: the newest version of a
/// row counts. One thread.
class StateShipper {
 public:
  struct Options {
    std::string node{};     ///< Name of the node, as operators see it.
    std::string cluster{};  ///< See Marks; empty: the node shares no registry.
    /// Receives the times of sites on all nodes; or null.
    Published<TimesOfSites>* times = nullptr;
  };
  /// All must outlive the object.
  StateShipper(store::JournalReader& reader, ClickHouse& server, Options options)
      : reader_(reader), server_(server), options_(std::move(options)) {}

  /// Starts over: assumes that the server has no sites, late events and recent drops of this node.
  /// Errors, here and below: as of ClickHouse and of JournalReader.
  [[nodiscard]] Status begin(NodeNumber node, UnixMillis now);
  /// Returns `looked_since` of the node's last mark: see Mark.
  [[nodiscard]] UnixSeconds looked_since() const { return mark_.looked_since; }
  /// Ships the sites that have changed.
  [[nodiscard]] Status ship_sites(UnixMillis now);
  /// Returns true if there are too many sites to check on every round.
  [[nodiscard]] bool has_many_sites() const { return sites_.size() > 1'000; }
  /// Ships the drops that have changed.
  [[nodiscard]] Status ship_drops(UnixMillis now);
  /// Ships the counts of late events that have changed.
  [[nodiscard]] Status ship_late_events(UnixMillis now);
  /// Tells the server that events of these sites are being removed. REQUIRES: nothing of these
  /// removals has been shipped.
  [[nodiscard]] Status announce_removals(const std::set<SiteId>& sites, UnixMillis now);
  /// Forgets the removals of a deleted site, whose rows are removed from the server.
  void forget_removals(SiteId site) { removing_.erase(site); }
  /// Tells the server that the removals of all other sites are complete.
  [[nodiscard]] Status withdraw_removals(const std::set<SiteId>& except, UnixMillis now);
  /// How far the node's events are shipped.
  struct Stand {
    EventId shipped = 0;
    bool is_all = false;  ///< Everything stored before `began` is shipped, with its changes.
    UnixMillis began{};
    UnixSeconds looked_since{};    ///< See Mark.
    UnixSeconds removals_known{};  ///< The journal has all removals that the registry had then.
  };
  /// Ships the node's mark.
  [[nodiscard]] Status mark(const Stand& stand);
  /// Reads the times of sites on all nodes, and publishes them to Options::times.
  [[nodiscard]] Status learn_times();

 private:
  /// Returns a version greater than all before, even if the clock was set back.
  [[nodiscard]] std::uint64_t next_version(UnixMillis now);

  [[nodiscard]] Status ship_removals(const std::set<SiteId>& sites, bool are_running,
                                     UnixMillis now);

  using DropKey = std::pair<SiteId, std::pair<UnixSeconds, EventOutcome>>;

  store::JournalReader& reader_;
  ClickHouse& server_;
  const Options options_;
  Mark mark_;                              ///< This node's mark, as the server has it.
  std::vector<store::JournalSite> sites_;  ///< Sites, as the server has them.
  std::map<DropKey, std::int64_t> drops_;  ///< Drops from drops_from_ on, as the server has them.
  UnixSeconds drops_from_{};
  std::map<std::pair<SiteId, Days>, std::int64_t> late_;  ///< Late events, as the server has them.
  std::set<SiteId> removing_;  ///< Sites with removals, as the server has them.
  std::uint64_t version_ = 0;  ///< Last version that was given out.
};

}  // namespace analytics::cluster
