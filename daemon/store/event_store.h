#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/retention.h"
#include "common/time.h"
#include "daemon/model/event.h"
#include "daemon/model/event_selection.h"
#include "daemon/model/import.h"
#include "daemon/totals/imported_total.h"

namespace analytics::store {

/// The result of a bulk request.
struct BulkResult {
  std::vector<EventOutcome> outcomes;  ///< One per event; kDuplicate where its site had the range.
  /// For each line: its outcome when one of its sites first stored the range. Shorter than the
  /// lines, or empty, where nothing was stored before.
  std::vector<std::optional<EventOutcome>> first_outcomes;
  std::vector<bool> was_known;       ///< By event: its site had the range. Empty: none had.
  std::vector<bool> drop_was_known;  ///< By drop: its site had the range.
  bool was_sent = false;             ///< Some site of the request had the range already.
  bool range_known = false;          ///< Every site of the request had it.
  bool is_repeat = false;            ///< As range_known, and under the same Import-Id.
  std::optional<std::string>
      first_answer;  ///< The key was spent on the same body: nothing was done.
};

/// An event of a bulk request that is not to be stored, of a site that there is.
struct BulkDrop {
  SiteId site = 0;
  std::uint32_t line = 0;
  EventOutcome reason = EventOutcome::kStored;
};

/// The events of a bulk request, and what makes it happen once.
struct BulkRequest {
  std::span<Event> events;  ///< The store sets their import.
  /// By event: its line, from 0, in order. Empty: each event is a line of its own.
  std::span<const std::uint32_t> lines;
  std::span<const BulkDrop> drops;  ///< Their sites keep the range too.
  const ImportRange* range = nullptr;
  const BatchKey* key = nullptr;
  /// Makes the answer that is kept with the key, inside the transaction.
  std::function<std::string(const BulkResult&)> answer;
};

/// Daily totals that another service has counted for a site.
struct TotalsRequest {
  SiteId site = 0;
  const ImportRange& range;  ///< What makes it happen once.
  std::span<const totals::ImportedTotal> totals;
};
/// What the site knew of a range before.
enum class RangeState {
  kNew,
  kRepeated,   ///< It has stored the range under the same Import-Id,
  kElsewhere,  ///< or under another.
};

/// Decides if one more event may be stored; empty: all may. Called once per event, before its key
/// is spent.
using Admit = std::function<bool(const Event&)>;

/// Texts that were stored as "(other)", because strangers had brought too many new ones.
struct ReplacedTexts {
  SiteId site = 0;
  std::string_view kind;  ///< "path", "referrer", …
  std::int64_t count = 0;
  bool is_first = false;  ///< First replacement today for this site and kind.
};

struct StoreLimits {
  // New texts per site, UTC day and kind; one sender may use a tenth. The rest is "(other)".
  std::int64_t max_new_texts = 200'000;
  std::int64_t max_new_text_bytes = 67'108'864;
  std::int64_t removal_rows = 3'000;  ///< Rows that leave in one slice of a removal.
  // A day's events are copied into columns once it is over and nothing of it has changed for a
  // while.
  std::chrono::seconds part_quiet{60};
  std::int64_t part_events = 2'000;  ///< A day with fewer is read as fast from its rows.
  // Once nobody of a day can come back, its events are kept as columns alone.
  std::int64_t sealed_events = 4'096;  ///< Fewer wait for those of other days, for a month at most.
  std::uint32_t most_events_of_part = 262'144;
  std::chrono::seconds keep_rows{0};  ///< Younger days stay rows; kForever: all do.
  /// Older days leave a journal, once the cluster has them for good; 0: none does.
  std::chrono::seconds journal_keep{0};
  /// The log is emptied of what was deleted no more often: what ends together shares it.
  std::chrono::seconds between_truncations{60};
  Retention default_keep{};  ///< Applies to sites that say nothing themselves.
  static constexpr std::chrono::seconds kForever = std::chrono::seconds::max();
};

/// Stores events. Used by one thread at a time, the writer.
class EventStore {
 public:
  virtual ~EventStore() = default;

  /// Stores all of the batch, synced to disk, or none of it; `outcomes[i]` says what became of
  /// `events[i]`: stored, or not because its key was seen, its site is gone, or an engagement has
  /// no visit. Errors: kOverloaded (disk full or busy: worth retrying), kInternal (this batch never
  /// will). Throws StoreLost when nobody can know whether the batch is on disk.
  virtual Status append(std::span<const Event* const> events, std::span<EventOutcome> outcomes,
                        UnixSeconds now, const Admit& admit) = 0;

  /// Returns the outcome that append() would have now. Stores nothing and spends no idempotency
  /// key. Errors: as append().
  virtual Result<EventOutcome> judge(const Event& event, UnixSeconds now, const Admit& admit) = 0;

  /// Stores a bulk request, synced to disk, or none of it. Errors: as append(); kRangeOverlap with
  /// the stored ranges under `errors`; kIdempotencyMismatch.
  virtual Result<BulkResult> append_bulk(const BulkRequest& request, UnixSeconds now) = 0;

  /// Stores imported totals, synced to disk, or none of them if the site has the range. Errors: as
  /// append(); kRangeOverlap with the stored ranges under `errors`; kSiteNotFound.
  virtual Result<RangeState> append_totals(const TotalsRequest& request, UnixSeconds now) = 0;

  /// From now on what is selected leaves, by housekeeping. Once nothing of it is left in the files,
  /// `done` gets the number of events; it gets an error if nobody can wait so long, after which the
  /// removal still goes on. Not called if this fails. Errors: as append(); kTooOldForCluster if
  /// this store does not have all of an import.
  using Removed = std::function<void(Result<std::int64_t>)>;
  virtual Status remove(const EventSelection& what, UnixSeconds now, Removed done) = 0;
  /// Those who wait for a removal are told that the service ends.
  virtual void stop_waiting() = 0;

  /// The texts that were replaced since the last call.
  virtual std::vector<ReplacedTexts> take_replaced_texts() = 0;

  /// Lets StatsStore::run() see all that was appended. What a crash takes of this work is made
  /// again from the events.
  virtual Status publish() = 0;

  /// Between two batches: work that no commit should wait for. True if it did some.
  virtual Result<bool> after_batch() = 0;

  /// At the end, with no reader left: leaves the files as the next start reads them fastest.
  virtual Status finish() = 0;

  /// Writes and syncs what means nothing: whether an event could be stored now.
  virtual Status probe(UnixSeconds now) = 0;
};

/// A sync failed: what is on disk is unknown. The process must end without another answer; the next
/// start reads what is really there.
struct StoreLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace analytics::store
