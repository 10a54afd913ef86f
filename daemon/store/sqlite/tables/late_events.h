#pragma once

#include <compare>
#include <map>
#include <vector>

#include "common/wire/caveats.h"
#include "daemon/model/import.h"
#include "daemon/model/query.h"
#include "daemon/store/journal_rows.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Counts late events: those that arrived after the salt of their day was destroyed. The site's
/// earlier visitors of that day could no longer be recognised, so they are counted again. Owns the
/// tables salt_days, late_days and late_events. Used inside the writer's transactions; throws
/// SqliteError.
class LateEvents {
 public:
  explicit LateEvents(Connection& connection);  ///< `connection` must outlive this object.

  /// The site, UTC day and import under which late events are counted. `import` is 0 for events
  /// that were not imported.
  struct Key {
    SiteId site = 0;
    Days day{};
    ImportId import = 0;
    auto operator<=>(const Key&) const = default;
  };
  /// Counts `events` events that are being stored, if they are late. REQUIRES: EventHours has not
  /// yet written the hours of this transaction's events.
  void add(const Key& key, std::int64_t events);

 private:
  [[nodiscard]] bool is_late(SiteId site, Days day, std::int64_t salts);

  Connection& connection_;
  Statement salts_;
  Statement since_;
  Statement set_since_;
  Statement count_;
};

/// Counts the events of a transaction by site, day and import; write() passes the counts to
/// LateEvents.
class BatchDays {
 public:
  /// `late` must outlive this object.
  explicit BatchDays(LateEvents& late) : late_(late) {}
  /// Counts an event that was stored in this transaction.
  void note(SiteId site, UnixMillis time, ImportId import) {
    ++events_[{site, std::chrono::floor<std::chrono::days>(time), import}];
  }
  void write() {
    for (const auto& [key, events] : events_) late_.add(key, events);
  }

 private:
  LateEvents& late_;
  std::map<LateEvents::Key, std::int64_t> events_;
};

/// Records that a new salt was made for the day.
void count_salt(Connection& connection, Days day);
/// Deletes the counts of late events of an import that is being undone, or of a deleted site.
void forget_late_events(Connection& connection, ImportId import);
void forget_late_events_of_site(Connection& connection, SiteId site);
/// Returns each day of a range, or of an import, that has late events, with the number of its late
/// events, in the snapshot of the connection's transaction.
[[nodiscard]] std::vector<Caveats::LostDay> late_events_of(Connection& connection, SiteId site,
                                                           const TimeRange& range);
[[nodiscard]] std::vector<Caveats::LostDay> late_events_of(Connection& connection, ImportId import);
/// Returns the days of all sites for which events arrived after the day's first salt was
/// destroyed, with the number of late events.
[[nodiscard]] std::vector<store::LateDay> late_days_of_all(Connection& connection);

}  // namespace analytics::sqlite
