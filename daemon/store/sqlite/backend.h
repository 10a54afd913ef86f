#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/event.h"
#include "daemon/store/event_store.h"
#include "daemon/store/housekeeping.h"
#include "daemon/store/limits.h"
#include "daemon/store/reader.h"
#include "daemon/store/salts.h"
#include "daemon/store/sizes.h"
#include "daemon/store/sqlite/db/counters.h"
#include "daemon/store/sqlite/journal/journal.h"
#include "daemon/store/sqlite/journal/journal_reader.h"
#include "daemon/store/sqlite/registry/registry.h"

namespace analytics::sqlite {

/// An open store. Its functions are called on the writer thread, except where noted. The readers
/// that it opens are used on other threads.
class Backend {
 public:
  /// Used by open_backend(). Throws SqliteError and store::StoreUnusable.
  Backend(const std::filesystem::path& file, const store::Limits& limits);
  ~Backend();
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  [[nodiscard]] store::EventStore& events();
  [[nodiscard]] Registry& registry();
  [[nodiscard]] store::Salts& salts();
  [[nodiscard]] Counters& counters();
  [[nodiscard]] Journal& journal();
  [[nodiscard]] SharedRegistry& shared_registry();
  /// Returns the store's background jobs, which the caller must run periodically.
  [[nodiscard]] std::vector<store::Housekeeping> housekeeping();
  /// Opens the read interfaces for a worker thread. Throws if the database cannot be opened.
  store::Reader open_reader();
  /// Opens a reader of the journal. Throws if the database cannot be opened. REQUIRES:
  /// Journal::has_begun().
  std::unique_ptr<JournalReader> open_journal_reader();
  // The next three functions may be called on any thread.
  [[nodiscard]] store::Sizes sizes() const;
  /// Returns the approximate memory of the store's caches, in bytes.
  [[nodiscard]] std::size_t cache_bytes() const;
  [[nodiscard]] store::ColumnCounts columns() const;
  /// Completes all pending housekeeping that makes parts, removes rows and shrinks the file.
  /// Returns the number of events that are still rows. Writer thread only.
  Result<std::int64_t> compact(UnixSeconds now);
  /// Completes all pending removals of events before it returns. Writer thread only. Errors: as
  /// shed().
  Status finish_removals();
  /// Removes all events up to `last` before it returns, because a cluster stores them. Does not
  /// record the removal in the journal. Imports that lose events can no longer be undone. If it is
  /// interrupted, call it again with the same `last`. Writer thread only. Errors: kOverloaded,
  /// kInternal.
  Status shed(EventId last, UnixSeconds now);
  /// Sets the limits for events that arrive and queries that begin after this call. Writer thread
  /// only.
  void set_limits(const store::Limits& limits);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Opens the store in a SQLite file. Creates a missing file and upgrades an older schema.
/// REQUIRES: the caller holds the file's lock. Throws store::StoreUnusable, or std::runtime_error
/// if the file cannot be opened at all.
[[nodiscard]] std::unique_ptr<Backend> open_backend(const std::filesystem::path& file,
                                                    const store::Limits& limits);

/// Returns a sentence that says why a database must not be in its folder: on a network file system,
/// SQLite's locks and shared memory do not work. Empty if the folder is suitable.
[[nodiscard]] std::string place_problem(const std::filesystem::path& file);

}  // namespace analytics::sqlite
