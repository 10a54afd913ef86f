#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/io/fs.h"
#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/store/counters.h"
#include "daemon/store/journal.h"

namespace analytics::store {

/// Schema version of a copy of a store, and its number of events.
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
  /// Drops, grouped by site; the most frequent reason of a site comes first.
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

/// Functions that maintain a store's files, with or without a running daemon. They all throw
/// StoreUnusable if the file is damaged, is not a store or was written by a newer version.
struct Upkeep {
  /// Writes a consistent copy of the store to an open, empty file, then checks and syncs the copy.
  /// Leaves out the salts unless `with_salts` is true. Does not delay commits. Errors: kOverloaded
  /// (busy or full), kInternal.
  Result<CopyInfo> (*write_copy)(const std::filesystem::path& database, const FileDescriptor& copy,
                                 bool with_salts);
  /// Returns the schema versions of a store; `stored` is 0 if the store is empty. Errors:
  /// kOverloaded, kInternal.
  Result<Schemas> (*schemas)(const std::filesystem::path& database);
  /// Checks a copy before it is restored as a store. Errors: as write_copy().
  Result<CopyInfo> (*check_copy)(const FileDescriptor& copy);
  /// Moves the contents of a store's write-ahead log into the database file. Errors: as
  /// write_copy(). REQUIRES: the caller holds the store's lock.
  Status (*merge_log)(const std::filesystem::path& database);
  /// Destroys all salts of a store that was set aside, and merges its files into one. REQUIRES: no
  /// process uses the store.
  Status (*forget_salts)(const std::filesystem::path& database);
  /// Checks a store and calls `found` with a sentence for each problem. Returns the domains of
  /// sites that were not recounted because their events are being removed or sealed. Errors: as
  /// write_copy(); kSiteNotFound.
  Result<std::vector<std::string>> (*check)(
      const std::filesystem::path& database, const CheckScope& scope,
      const std::function<void(const std::string& problem)>& found);
  /// Returns an overview of a store, with its drops and unknown sites since `since`. Errors: as
  /// write_copy().
  Result<Overview> (*overview)(const std::filesystem::path& database, UnixSeconds since);
  /// Opens the journal of a store for reading. Errors: kInvalidParameter if the store is not
  /// a journal; as write_copy().
  Result<std::unique_ptr<JournalReader>> (*open_journal)(const std::filesystem::path& database);
};

}  // namespace analytics::store
