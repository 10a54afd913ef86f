#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "daemon/query/events/budget.h"
#include "daemon/store/counters.h"
#include "daemon/store/event_reader.h"
#include "daemon/store/event_store.h"
#include "daemon/store/housekeeping.h"
#include "daemon/store/journal.h"
#include "daemon/store/registry.h"
#include "daemon/store/registry_reader.h"
#include "daemon/store/salts.h"
#include "daemon/store/shared_registry.h"
#include "daemon/store/stats_store.h"

namespace analytics::store {

/// Limits of an open store: those of its events, and those of queries.
struct Limits {
  StoreLimits events;
  query::Limits stats;
};

/// The interfaces through which one worker thread reads the store.
struct Reader {
  std::unique_ptr<RegistryReader> registry;
  std::unique_ptr<StatsStore> stats;
  std::unique_ptr<EventReader> events;
};

/// Sizes of the store's files, in bytes.
struct Sizes {
  std::uint64_t database = 0;
  /// Size of the write-ahead log, which contains changes not yet in the database file.
  std::uint64_t log = 0;
};

/// Counts of the parts and events that are stored as columns.
struct ColumnCounts {
  struct Parts {
    std::int64_t parts = 0;
    std::int64_t events = 0;
    std::int64_t bytes = 0;
  };
  Parts copies;                    ///< Parts with copies of events that are also stored as rows.
  Parts sealed;                    ///< Sealed parts, the only place with their events.
  std::int64_t unsealed_days = 0;  ///< Days that still have unsealed rows, summed over sites.
  // Work done since the daemon started: events moved into sealed parts, and sealed parts
  // rewritten.
  std::int64_t sealed_events = 0;
  std::int64_t rewritten_parts = 0;
};

/// An open store. Its functions are called on the writer thread, except where noted. The readers
/// that it opens are used on other threads.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual EventStore& events() = 0;
  virtual Registry& registry() = 0;
  virtual Salts& salts() = 0;
  virtual Counters& counters() = 0;
  virtual Journal& journal() = 0;
  virtual SharedRegistry& shared_registry() = 0;
  /// Returns the store's background jobs, which the caller must run periodically.
  [[nodiscard]] virtual std::vector<Housekeeping> housekeeping() = 0;
  /// Opens the read interfaces for a worker thread. Throws if the database cannot be opened.
  virtual Reader open_reader() = 0;
  /// Opens a reader of the journal. Throws if the database cannot be opened. REQUIRES:
  /// Journal::has_begun().
  virtual std::unique_ptr<JournalReader> open_journal_reader() = 0;
  // The next three functions may be called on any thread.
  [[nodiscard]] virtual Sizes sizes() const = 0;
  /// Returns the approximate memory of the store's caches, in bytes.
  [[nodiscard]] virtual std::size_t cache_bytes() const = 0;
  [[nodiscard]] virtual ColumnCounts columns() const = 0;
  /// Completes all pending housekeeping that makes parts, removes rows and shrinks the file.
  /// Returns the number of events that are still rows. Writer thread only.
  virtual Result<std::int64_t> compact(UnixSeconds now) = 0;
  /// Completes all pending removals of events before it returns. Writer thread only. Errors: as
  /// shed().
  virtual Status finish_removals() = 0;
  /// Removes all events up to `last` before it returns, because a cluster stores them. Does not
  /// record the removal in the journal. Imports that lose events can no longer be undone. If it is
  /// interrupted, call it again with the same `last`. Writer thread only. Errors: kOverloaded,
  /// kInternal.
  virtual Status shed(EventId last, UnixSeconds now) = 0;
  /// Sets the limits for events that arrive and queries that begin after this call. Writer thread
  /// only.
  virtual void set_limits(const Limits& limits) = 0;
};

/// Thrown if the database file is damaged, belongs to another program or was written by a newer
/// version.
struct StoreUnusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace analytics::store
