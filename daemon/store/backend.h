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

struct Limits {
  StoreLimits events;
  query::Limits stats;
};

/// The read interfaces of a worker thread.
struct Reader {
  std::unique_ptr<RegistryReader> registry;
  std::unique_ptr<StatsStore> stats;
  std::unique_ptr<EventReader> events;
};

/// Sizes of the store's files, in bytes.
struct Sizes {
  std::uint64_t database = 0;
  std::uint64_t log = 0;  ///< The write-ahead log: changes not yet in the database file.
};

/// Counts of the parts and events that are stored as columns.
struct ColumnCounts {
  struct Parts {
    std::int64_t parts = 0;
    std::int64_t events = 0;
    std::int64_t bytes = 0;
  };
  Parts copies;                    ///< Parts that copy rows; the rows stay authoritative.
  Parts sealed;                    ///< Sealed parts, which have replaced rows.
  std::int64_t unsealed_days = 0;  ///< Days with rows that are not sealed, summed over sites.
  // Work done since the daemon started:
  std::int64_t sealed_events = 0;
  std::int64_t rewritten_parts = 0;
};

/// An open store. Everything except the readers belongs to the writer thread.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual EventStore& events() = 0;
  virtual Registry& registry() = 0;
  virtual Salts& salts() = 0;
  virtual Counters& counters() = 0;
  virtual Journal& journal() = 0;
  virtual SharedRegistry& shared_registry() = 0;
  [[nodiscard]] virtual std::vector<Housekeeping> housekeeping() = 0;
  virtual Reader open_reader() = 0;  ///< Throws if the database cannot be opened.
  /// Opens a reader of the journal. Throws if the database cannot be opened. REQUIRES: the journal
  /// has begun.
  virtual std::unique_ptr<JournalReader> open_journal_reader() = 0;
  // Any thread:
  [[nodiscard]] virtual Sizes sizes() const = 0;
  /// Returns about how many bytes of memory the store's caches take.
  [[nodiscard]] virtual std::size_t cache_bytes() const = 0;
  [[nodiscard]] virtual ColumnCounts columns() const = 0;
  /// Runs all pending housekeeping for columns to its end. Returns the number of events that are
  /// still rows. Writer thread only.
  virtual Result<std::int64_t> compact(UnixSeconds now) = 0;
  /// Completes all pending removals before it returns. Writer thread only. Errors: as shed().
  virtual Status finish_removals() = 0;
  /// Removes the events up to `last` without recording that in the journal, because a cluster has
  /// them. Their imports can no longer be undone. Takes as long as it needs; after an interruption,
  /// the same call continues. Writer thread only. Errors: kOverloaded, kInternal.
  virtual Status shed(EventId last, UnixSeconds now) = 0;
  /// Sets the limits for events and queries that begin after this call. Writer thread only.
  virtual void set_limits(const Limits& limits) = 0;
};

/// Thrown if the file is damaged, belongs to another program or was written by a newer version.
struct StoreUnusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace analytics::store
