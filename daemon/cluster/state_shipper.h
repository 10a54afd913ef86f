#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/published.h"
#include "daemon/cluster/marks.h"
#include "daemon/store/journal.h"

namespace analytics::cluster {

/// When a site had events on any node.
struct SiteTimes {
  UnixSeconds first{};
  UnixSeconds last{};
};
/// As the cluster knew at a moment.
struct TimesOfSites {
  std::unordered_map<SiteId, SiteTimes> sites{};
  std::optional<std::chrono::steady_clock::time_point> read_at{};  ///< None: nobody has asked yet.
};
/// Asks for one site, or for all. Errors: as of ClickHouse.
[[nodiscard]] Result<TimesOfSites> read_times(ClickHouse& server, const Marks& marks,
                                              std::optional<SiteId> site = {});

/// Ships what a node has beside events and visits, as state: the newest version counts. Its sites,
/// what it has dropped, and how far it has come. One thread.
class StateShipper {
 public:
  struct Options {
    std::string node{};                        ///< The name that people know it by.
    std::string cluster{};                     ///< See Marks; empty: the node shares nothing.
    Published<TimesOfSites>* times = nullptr;  ///< Gets what all nodes have said; or null.
  };
  /// All must outlive the object.
  StateShipper(store::JournalReader& reader, ClickHouse& server, Options options)
      : reader_(reader), server_(server), options_(std::move(options)) {}

  /// Begins anew: nothing is known to be there. Errors, here and below: as of ClickHouse and of
  /// JournalReader.
  [[nodiscard]] Status begin(NodeNumber node, UnixMillis now);
  /// As the node's last mark says: see Mark.
  [[nodiscard]] UnixSeconds looked_since() const { return mark_.looked_since; }
  /// Ships the sites that have changed.
  [[nodiscard]] Status ship_sites(UnixMillis now);
  /// True if looking at all of them takes too long to do it all the time.
  [[nodiscard]] bool has_many_sites() const { return sites_.size() > 1'000; }
  /// Ships the drops that have changed.
  [[nodiscard]] Status ship_drops(UnixMillis now);
  /// How far events have come.
  struct Stand {
    EventId shipped = 0;
    bool is_all = false;  ///< What was stored before `began` is there, and what became of it.
    UnixMillis began{};
    UnixSeconds looked_since{};    ///< See Mark.
    UnixSeconds removals_known{};  ///< The journal knows of those that the registry had by then.
  };
  [[nodiscard]] Status mark(const Stand& stand);
  /// Learns what all nodes have said of sites.
  [[nodiscard]] Status learn_times();

 private:
  /// Greater than all before, also where the clock was set back.
  [[nodiscard]] std::uint64_t next_version(UnixMillis now);

  using DropKey = std::pair<SiteId, std::pair<UnixSeconds, EventOutcome>>;

  store::JournalReader& reader_;
  ClickHouse& server_;
  const Options options_;
  Mark mark_;                              ///< As the server has it.
  std::vector<store::JournalSite> sites_;  ///< As the server has them.
  std::map<DropKey, std::int64_t> drops_;  ///< As the server has them, from drops_from_ on.
  UnixSeconds drops_from_{};
  std::uint64_t version_ = 0;  ///< The last one.
};

}  // namespace analytics::cluster
