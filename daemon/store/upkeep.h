#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/text/time.h"
#include "daemon/model/event.h"
#include "daemon/store/outcome_counts.h"

/// What the functions that maintain a store's files are asked and return.
namespace analytics::store {

/// Description of a copy of a store: its schema version and its number of events.
struct CopyInfo {
  std::int64_t schema = 0;
  std::int64_t events = 0;
};

/// A summary of a store for its operator.
struct Overview {
  struct Site {
    std::string domain;
    std::string account;
    std::optional<UnixSeconds> last_event{};
  };
  /// Number of a site's events that were dropped for one reason.
  struct Drop {
    std::string domain;
    EventOutcome reason = EventOutcome::kStored;
    std::int64_t count = 0;
  };
  struct Key {
    std::string prefix;
    std::string account;
    std::optional<UnixSeconds> expires_at{};
  };
  std::vector<Site> sites;  ///< All sites, in order of creation.
  /// Drops, grouped by site, with the most frequent reason of each site first.
  std::vector<Drop> drops;
  std::vector<UnknownSite> unknown_sites;  ///< The most frequent unknown domains.
  std::vector<Key> keys;
  std::optional<UnixSeconds> last_backup{};
};

/// Schema version of a store, and the newest version, to which opening it upgrades it.
struct Schemas {
  std::int64_t stored = 0;
  std::int64_t newest = 0;
};

/// Options for the check of a store.
struct CheckScope {
  bool quick = false;  ///< True to check only database pages and checksums, not their contents.
  /// True to also count events one by one and compare query results with these counts.
  bool recounts = false;
  std::string site{};  ///< Domain to recount; empty for all sites.
};

}  // namespace analytics::store
