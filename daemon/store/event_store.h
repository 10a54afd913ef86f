#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"
#include "common/wire/retention.h"
#include "daemon/model/event.h"
#include "daemon/model/event_selection.h"
#include "daemon/model/import.h"
#include "daemon/store/failures.h"
#include "daemon/totals/imported_total.h"

namespace analytics::store {

/// The result of a bulk request.
struct BulkResult {
  /// The outcome of each event; kDuplicate if the event's site already had the import range.
  std::vector<EventOutcome> outcomes;
  /// For each line of the request: the outcome that it had when a site first stored the import
  /// range; nullopt if no outcome is stored. The list ends with the last line that has one.
  std::vector<std::optional<EventOutcome>> first_outcomes;
  /// For each event: true if its site already had the import range.
  std::vector<bool> was_known;
  /// For each of BulkRequest::drops: true if its site already had the import range.
  std::vector<bool> drop_was_known;
  /// True if at least one site of the request already had the import range.
  bool was_sent = false;
  bool range_known = false;  ///< True if every site of the request already had the import range.
  /// True if every site already had the import range, under the same Import-Id.
  bool is_repeat = false;
  /// The answer stored with the idempotency key, if the key was used before with the same body.
  /// The request then stores nothing.
  std::optional<std::string> first_answer;
};

/// An event of a bulk request that must not be stored although its site exists.
struct BulkDrop {
  SiteId site = 0;
  std::uint32_t line = 0;
  EventOutcome reason = EventOutcome::kStored;
};

/// The events of a bulk request, with the import range and the idempotency key that prevent
/// storing them twice.
struct BulkRequest {
  std::span<Event> events;  ///< Events to store. The store sets their `import`.
  /// Line number of each event, from 0, in ascending order. Empty if every line has one event.
  std::span<const std::uint32_t> lines;
  /// Events not to store. Their sites record the import range, too.
  std::span<const BulkDrop> drops;
  /// Import range of the events; null if they belong to no import.
  const ImportRange* range = nullptr;
  const BatchKey* key = nullptr;  ///< Idempotency key of the request; null if it has none.
  /// Builds the answer that is stored with the idempotency key. Called inside the transaction.
  std::function<std::string(const BulkResult&)> answer;
};

/// Daily totals of a site, counted by another service.
struct TotalsRequest {
  SiteId site = 0;
  const ImportRange& range;  ///< Import range of the totals; prevents storing them twice.
  std::span<const totals::ImportedTotal> totals;
};
/// State that an import range had at a site before a request with the range.
enum class RangeState {
  kNew,
  kRepeated,   ///< The range was already stored under the same Import-Id.
  kElsewhere,  ///< The range was already stored under another Import-Id.
};

/// Decides whether an event may be stored; an empty function accepts all events. Called once per
/// event, before the store records the event's idempotency key as used.
using Admit = std::function<bool(const Event&)>;

/// Number of texts of a site and kind that were stored as "(other)" because senders had sent too
/// many new ones.
struct ReplacedTexts {
  SiteId site = 0;
  std::string_view kind;  ///< Name of the kind, such as "path" or "referrer".
  std::int64_t count = 0;
  /// True if the texts include the day's first replaced text of this site and kind.
  bool is_first = false;
};

/// Limits of an event store, and the times at which its housekeeping acts.
struct StoreLimits {
  // Maximum numbers of new texts, and of their bytes, per site, UTC day and kind. A single sender
  // may use a tenth of each. Further texts are stored as "(other)".
  std::int64_t max_new_texts = 200'000;
  std::int64_t max_new_text_bytes = 67'108'864;
  /// Number of rows that a removal deletes in one slice of housekeeping.
  std::int64_t removal_rows = 3'000;
  // A day's events are copied into columns once the day is over and its events have not changed
  // for `part_quiet`.
  std::chrono::seconds part_quiet{60};
  /// Minimum number of events of a day that is copied. The rows of smaller days are read as fast.
  std::int64_t part_events = 2'000;
  // A day is sealed once its visitors can no longer return: its events are then kept only as
  // columns.

  /// Minimum number of events of days that are sealed together. Days with fewer events wait for up
  /// to a month, to be sealed together with more days.
  std::int64_t sealed_events = 4'096;
  std::uint32_t most_events_of_part = 262'144;  ///< Maximum number of events per part.
  /// Minimum age of days that are sealed; kForever if no day may be sealed.
  std::chrono::seconds keep_rows{0};
  /// Age after which a journal deletes the events of a day, once the cluster stores them
  /// permanently; 0 to keep all days.
  std::chrono::seconds journal_keep{0};
  /// Shortest interval between two truncations of the write-ahead log, each of which erases
  /// deleted data from it. Removals that end within one interval share a truncation.
  std::chrono::seconds between_truncations{60};
  Retention default_keep{};  ///< Retention of sites without their own setting.
  static constexpr std::chrono::seconds kForever = std::chrono::seconds::max();
};

/// Stores events. Used by one thread at a time, the writer.
class EventStore {
 public:
  virtual ~EventStore() = default;

  /// Stores the whole batch, synced to disk, or nothing. Sets `outcomes[i]` to the outcome of
  /// `events[i]`: stored, or rejected because its idempotency key was used before, its site does
  /// not exist, `admit` refused it or it is an engagement without a visit. Errors: kOverloaded
  /// (disk full or busy: worth retrying), kInternal (this batch can never be stored). Throws
  /// StoreLost if it is unknown whether the batch is on disk.
  virtual Status append(std::span<const Event* const> events, std::span<EventOutcome> outcomes,
                        UnixSeconds now, const Admit& admit) = 0;

  /// Returns the outcome that append() would give the event now. Stores nothing and does not use up
  /// the idempotency key. Errors: as append().
  virtual Result<EventOutcome> judge(const Event& event, UnixSeconds now, const Admit& admit) = 0;

  /// Stores a whole bulk request, synced to disk, or nothing. Errors: as append(); kRangeOverlap,
  /// whose fields list the stored ranges; kIdempotencyMismatch.
  virtual Result<BulkResult> append_bulk(const BulkRequest& request, UnixSeconds now) = 0;

  /// Stores imported daily totals, synced to disk, or nothing if the site already has the import
  /// range. Errors: as append(); kRangeOverlap, whose fields list the stored ranges;
  /// kSiteNotFound.
  virtual Result<RangeState> append_totals(const TotalsRequest& request, UnixSeconds now) = 0;

  /// Function that receives the result of remove(): the number of removed events, or an error.
  /// remove() begins to remove the selected events; housekeeping does the work. It calls `done`
  /// once the files contain no copy of these events. If the service stops first, it calls `done`
  /// with an error, and the removal continues after the next start. If remove() itself fails, it
  /// does not call `done`. Errors of remove(): as append(); kTooOldForCluster if `what` names an
  /// import whose events are no longer all in this store.
  using Removed = std::function<void(Result<std::int64_t>)>;
  virtual Status remove(const EventSelection& what, UnixSeconds now, Removed done) = 0;
  /// Calls `done` of every pending remove() with an error, because the service is stopping.
  virtual void stop_waiting() = 0;

  /// Returns counts of the texts that were stored as "(other)" since the last call.
  virtual std::vector<ReplacedTexts> take_replaced_texts() = 0;

  /// Makes all appended events visible to queries (StatsStore::run()). If a crash undoes the
  /// publication, the next start repeats it from the stored events.
  virtual Status publish() = 0;

  /// Does maintenance between two batches, so that no commit waits for it. Returns true if there
  /// was any to do.
  virtual Result<bool> after_batch() = 0;

  /// Prepares the files for a fast next start. Called last, after all readers are closed.
  virtual Status finish() = 0;

  /// Writes and syncs a meaningless value, to test whether an event could be stored now.
  virtual Status probe(UnixSeconds now) = 0;
};

}  // namespace analytics::store
