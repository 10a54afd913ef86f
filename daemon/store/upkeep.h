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

/// Schema and size of a copy of a store.
struct CopyInfo {
  std::int64_t schema = 0;
  std::int64_t events = 0;
};

/// The facts that an operator looks at first.
struct Overview {
  struct Site {
    std::string domain;
    std::string account;
    std::optional<UnixSeconds> last_event{};
  };
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
  std::vector<Site> sites;                 ///< In order of creation.
  std::vector<Drop> drops;                 ///< Grouped by site, the most frequent reason first.
  std::vector<UnknownSite> unknown_sites;  ///< The most frequent unknown domains.
  std::vector<Key> keys;
  std::optional<UnixSeconds> last_backup{};
};

/// Schema versions of a store.
struct Schemas {
  std::int64_t stored = 0;
  std::int64_t newest = 0;
};

/// Options for the check of a store.
struct CheckScope {
  bool quick = false;     ///< Checks only pages and checksums, not their contents.
  bool recounts = false;  ///< Also compares query results with a plain count.
  std::string site{};     ///< Domain to recount; empty: all sites.
};

/// Maintenance of a store's files, beside a daemon or without one. All functions throw
/// StoreUnusable if the file is damaged, is not a store or has a newer version.
struct Upkeep {
  /// Writes a consistent copy of the store to an open, empty file, then checks and syncs the copy.
  /// Leaves out the salts unless `with_salts` is set. Does not block commits. Errors: kOverloaded
  /// (busy or full), kInternal.
  Result<CopyInfo> (*write_copy)(const std::filesystem::path& database, const FileDescriptor& copy,
                                 bool with_salts);
  /// Returns the schema version of a store, 0 if the store is empty, and the version that opening
  /// it upgrades it to. Errors: kOverloaded, kInternal.
  Result<Schemas> (*schemas)(const std::filesystem::path& database);
  /// Checks a copy before it becomes a store.
  Result<CopyInfo> (*check_copy)(const FileDescriptor& copy);
  /// Moves the log of a store into its main file. Errors: as write_copy(). REQUIRES: the caller
  /// holds the store's lock.
  Status (*merge_log)(const std::filesystem::path& database);
  /// Destroys the salts in a store that was set aside, and leaves a single file. REQUIRES: no
  /// process uses the store.
  Status (*forget_salts)(const std::filesystem::path& database);
  /// Calls `found` with a sentence for each problem. Returns the domains of sites that are not
  /// recounted because their events are being removed or sealed. Errors: as write_copy();
  /// kSiteNotFound.
  Result<std::vector<std::string>> (*check)(
      const std::filesystem::path& database, const CheckScope& scope,
      const std::function<void(const std::string& problem)>& found);
  /// Returns an overview, with drops and unknown sites since that time. Errors: as write_copy().
  Result<Overview> (*overview)(const std::filesystem::path& database, UnixSeconds since);
  /// Opens the journal of a store for reading. Errors: kInvalidParameter if the store is not
  /// a journal; as write_copy().
  Result<std::unique_ptr<JournalReader>> (*open_journal)(const std::filesystem::path& database);
};

}  // namespace analytics::store
