#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "daemon/query/budget.h"
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

/// The read interfaces of one worker thread.
struct Reader {
  std::unique_ptr<RegistryReader> registry;
  std::unique_ptr<StatsStore> stats;
  std::unique_ptr<EventReader> events;
};

/// Bytes on disk.
struct Sizes {
  std::uint64_t database = 0;
  std::uint64_t log = 0;  ///< Changes that are not in the database yet.
};

/// Events that are kept as columns.
struct ColumnCounts {
  struct Parts {
    std::int64_t parts = 0;
    std::int64_t events = 0;
    std::int64_t bytes = 0;
  };
  Parts copies;  ///< Beside rows, which are what is true.
  Parts sealed;  ///< In place of rows.
  std::int64_t unsealed_days =
      0;  ///< Days of a site with rows that may leave once nobody of them can come back.
  // Since the start:
  std::int64_t sealed_events = 0;
  std::int64_t rewritten_parts = 0;
};

/// An open store. Its parts, but for the readers, belong to the writer thread.
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
  virtual Reader open_reader() = 0;  ///< Throws when it cannot.
  /// Throws when it cannot. REQUIRES: the journal has begun.
  virtual std::unique_ptr<JournalReader> open_journal_reader() = 0;
  // Any thread:
  [[nodiscard]] virtual Sizes sizes() const = 0;
  [[nodiscard]] virtual ColumnCounts columns() const = 0;
  /// On the writer thread: does all the housekeeping there is to do for columns, at once. Returns
  /// how many events are still rows.
  virtual Result<std::int64_t> compact(UnixSeconds now) = 0;
  /// On the writer thread: all that is leaving leaves now. Errors: as shed().
  virtual Status finish_removals() = 0;
  /// On the writer thread: events up to `last` leave, without a word to the journal, because a
  /// cluster has them; their imports cannot be taken back any more. Takes as long as it needs; the
  /// same call goes on with what was interrupted. Errors: kOverloaded, kInternal.
  virtual Status shed(EventId last, UnixSeconds now) = 0;
  /// On the writer thread: for events and queries that begin from now on.
  virtual void set_limits(const Limits& limits) = 0;
};

/// The file is damaged, not ours, or of a newer version.
struct StoreUnusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace analytics::store
