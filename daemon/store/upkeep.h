#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/fs.h"
#include "common/result.h"
#include "common/time.h"
#include "daemon/store/counters.h"
#include "daemon/store/journal.h"

namespace analytics::store {

/// What is in a copy of a store.
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
  std::vector<Drop> drops;                 ///< By site, the most frequent reason first.
  std::vector<UnknownSite> unknown_sites;  ///< The most frequent ones.
  std::vector<Key> keys;
  std::optional<UnixSeconds> last_backup{};
};

/// Versions of what is stored.
struct Schemas {
  std::int64_t stored = 0;
  std::int64_t newest = 0;
};

/// How much of a store is checked.
struct CheckScope {
  bool quick = false;  ///< Pages and checksums alone, and not what is in them.
  bool recounts =
      false;           ///< What queries answer is compared with a plain count of all events, too:
  std::string site{};  ///< of this domain; empty: of all sites.
};

/// What an operator does with the files of a store, beside a daemon or without one. All throw
/// StoreUnusable for what is damaged, no store, or of a newer version.
struct Upkeep {
  /// Writes a copy of the store, as of one moment, to an open, empty file, checks and syncs it. The
  /// salts stay behind unless they are wanted, too. No commit waits for it. Errors: kOverloaded
  /// (busy or full), kInternal.
  Result<CopyInfo> (*write_copy)(const std::filesystem::path& database, const FileDescriptor& copy,
                                 bool with_salts);
  /// Returns the schema of a store, 0 if there is none yet, and the one that opening it brings it
  /// to. Errors: kOverloaded, kInternal.
  Result<Schemas> (*schemas)(const std::filesystem::path& database);
  /// Checks a copy that is to become a store.
  Result<CopyInfo> (*check_copy)(const FileDescriptor& copy);
  /// Brings everything into the one file of a store. Errors: as write_copy(). REQUIRES: the lock.
  Status (*settle)(const std::filesystem::path& database);
  /// Destroys the salts in a store that is kept aside, and leaves it in one file. REQUIRES: nobody
  /// uses it.
  Status (*forget_salts)(const std::filesystem::path& database);
  /// Calls `found` with a sentence for everything that is wrong. Errors: as write_copy();
  /// kSiteNotFound.
  Status (*check)(const std::filesystem::path& database, const CheckScope& scope,
                  const std::function<void(const std::string& problem)>& found);
  /// Returns an overview, with drops and unknown sites since that time. Errors: as write_copy().
  Result<Overview> (*overview)(const std::filesystem::path& database, UnixSeconds since);
  /// Opens the journal of a store, to be read. Errors: kInvalidParameter if it is none; as
  /// write_copy().
  Result<std::unique_ptr<JournalReader>> (*open_journal)(const std::filesystem::path& database);
};

}  // namespace analytics::store
