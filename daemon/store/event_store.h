#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"
#include "common/wire/retention.h"
#include "daemon/model/event.h"
#include "daemon/model/event_selection.h"
#include "daemon/model/import.h"
#include "daemon/totals/imported_total.h"

namespace analytics::store {

/// The result of a bulk request.
struct BulkResult {
  /// The outcome of each event; kDuplicate if its site already had the import range.
  std::vector<EventOutcome> outcomes;
  /// For each line: the outcome when one of its sites first stored the range. Shorter than the
  /// request, or empty, if no earlier outcome is stored.
  std::vector<std::optional<EventOutcome>> first_outcomes;
  /// For each event: true if its site already had the range. Empty if no site had it.
  std::vector<bool> was_known;
  /// For each of the `drops`: true if its site already had the range.
  std::vector<bool> drop_was_known;
  bool was_sent = false;     ///< True if at least one site of the request already had the range.
  bool range_known = false;  ///< True if every site of the request already had the range.
  bool is_repeat = false;    ///< True if every site had it by the same import.
  /// The stored answer if the key was used before with the same body; nothing was stored this time.
  std::optional<std::string> first_answer;
};

/// An event of a bulk request that must not be stored although its site exists.
struct BulkDrop {
  SiteId site = 0;
  std::uint32_t line = 0;
  EventOutcome reason = EventOutcome::kStored;
};

/// The events of a bulk request, with the range and the key that prevent storing them twice.
struct BulkRequest {
  std::span<Event> events;  ///< Events to store. The store sets their `import`.
  /// Line number of each event, from 0, in ascending order. Empty: one event per line.
  std::span<const std::uint32_t> lines;
  std::span<const BulkDrop> drops;  ///< Events not to store. Their sites record the range, too.
  const ImportRange* range = nullptr;
  const BatchKey* key = nullptr;
  /// Builds the answer that is stored with the key. Called inside the transaction.
  std::function<std::string(const BulkResult&)> answer;
};

/// Daily totals that another service has counted for a site.
struct TotalsRequest {
  SiteId site = 0;
  const ImportRange& range;  ///< Prevents storing the totals twice.
  std::span<const totals::ImportedTotal> totals;
};
/// State of an import range at a site before a request.
enum class RangeState {
  kNew,
  kRepeated,   ///< Already stored under the same Import-Id.
  kElsewhere,  ///< Already stored under another Import-Id.
};

/// Returns true if the event may be stored. An empty function accepts all events. Called once
/// per event, before its idempotency key is spent.
using Admit = std::function<bool(const Event&)>;

/// Counts the texts of a site and kind that were stored as "(other)" because senders had brought
/// too many new ones.
struct ReplacedTexts {
  SiteId site = 0;
  std::string_view kind;  ///< Name of the kind, such as "path" or "referrer".
  std::int64_t count = 0;
  bool is_first = false;  ///< True if these are the day's first for this site and kind.
};

struct StoreLimits {
  // New texts per site, UTC day and kind. A sender may use a tenth of each limit. Further texts are
  // stored as "(other)".
  std::int64_t max_new_texts = 200'000;
  std::int64_t max_new_text_bytes = 67'108'864;
  std::int64_t removal_rows = 3'000;  ///< Rows removed per slice of a removal.
  // A day's events are copied into columns once the day is over and has not changed for
  // `part_quiet`.
  std::chrono::seconds part_quiet{60};
  std::int64_t part_events = 2'000;  ///< Days with fewer are not copied: rows are as fast.
  // Once the visitors of a day can no longer return, its events are kept only as columns.
  /// Days with fewer events wait up to a month, to be sealed together with other days.
  std::int64_t sealed_events = 4'096;
  std::uint32_t most_events_of_part = 262'144;
  std::chrono::seconds keep_rows{0};  ///< Younger days stay rows; kForever: all days stay rows.
  /// A journal deletes older days once the cluster has them for good; 0: it keeps all days.
  std::chrono::seconds journal_keep{0};
  /// Shortest interval between two truncations of the log that erase deleted data. Removals that
  /// end within it share a truncation.
  std::chrono::seconds between_truncations{60};
  Retention default_keep{};  ///< Retention of sites without their own setting.
  static constexpr std::chrono::seconds kForever = std::chrono::seconds::max();
};

/// Stores events. Used by one thread at a time, the writer.
class EventStore {
 public:
  virtual ~EventStore() = default;

  /// Stores the whole batch, synced to disk, or nothing. Sets `outcomes[i]` to the outcome of
  /// `events[i]`: stored, or rejected because its key was used before, its site does not exist or
  /// an engagement has no visit. Errors: kOverloaded (disk full or busy: worth retrying), kInternal
  /// (this batch can never be stored). Throws StoreLost if it is unknown whether the batch is on
  /// disk.
  virtual Status append(std::span<const Event* const> events, std::span<EventOutcome> outcomes,
                        UnixSeconds now, const Admit& admit) = 0;

  /// Returns the outcome that append() would have now. Stores nothing and spends no idempotency
  /// key. Errors: as append().
  virtual Result<EventOutcome> judge(const Event& event, UnixSeconds now, const Admit& admit) = 0;

  /// Stores a whole bulk request, synced to disk, or nothing. Errors: as append(); kRangeOverlap
  /// with the stored ranges under `errors`; kIdempotencyMismatch.
  virtual Result<BulkResult> append_bulk(const BulkRequest& request, UnixSeconds now) = 0;

  /// Stores imported totals, synced to disk, or nothing if the site already has the range. Errors:
  /// as append(); kRangeOverlap with the stored ranges under `errors`; kSiteNotFound.
  virtual Result<RangeState> append_totals(const TotalsRequest& request, UnixSeconds now) = 0;

  /// Begins to remove the selected events; housekeeping does the work. Once the files contain no
  /// copy of these events, calls `done` with their number. Calls it with an error if the service
  /// stops first; the removal then continues after the next start. Does not call it if this
  /// function fails. Errors: as append(); kTooOldForCluster if this store does not have all of an
  /// import.
  using Removed = std::function<void(Result<std::int64_t>)>;
  virtual Status remove(const EventSelection& what, UnixSeconds now, Removed done) = 0;
  /// Calls `done` of every pending remove() with an error, because the service is stopping.
  virtual void stop_waiting() = 0;

  /// Returns the texts that were replaced since the last call.
  virtual std::vector<ReplacedTexts> take_replaced_texts() = 0;

  /// Makes all appended events visible to StatsStore::run(). Work lost in a crash is redone from
  /// the stored events.
  virtual Status publish() = 0;

  /// Does work that no commit should wait for, between two batches. Returns true if there was such
  /// work.
  virtual Result<bool> after_batch() = 0;

  /// Prepares the files for a fast next start. Called last, after all readers are closed.
  virtual Status finish() = 0;

  /// Writes and syncs a meaningless value, to test if an event could be stored now.
  virtual Status probe(UnixSeconds now) = 0;
};

/// Thrown after a failed sync, when the contents of the disk are unknown. The process must end
/// without answering anything else; the next start reads what the disk really contains.
struct StoreLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace analytics::store
