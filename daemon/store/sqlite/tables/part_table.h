#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "daemon/model/event_selection.h"
#include "daemon/parts/part_builder.h"
#include "daemon/query/events/event_part.h"
#include "daemon/store/backend.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// A site and a UTC day.
using SiteDay = std::pair<SiteId, Days>;

/// UTC days of a site, `first` and `last` included.
struct SiteDays {
  SiteId site = 0;
  Days first{};
  Days last{};
  [[nodiscard]] bool has(const SiteDay& day) const {
    return day.first == site && first <= day.second && day.second <= last;
  }
  [[nodiscard]] TimeRange range() const { return {first, last + std::chrono::days(1)}; }
};

/// Stores parts: events of a site as columns. A copy contains the events of a UTC day, whose rows
/// stay authoritative. A change of an event or visit of the day drops its copies in the same
/// transaction. A sealed part contains events whose rows are gone or are being removed. It is the
/// only place with these events and never changes. Owns the tables parts, part_columns,
/// part_imports, part_days and unsealed_days. Used on the writer thread, inside its transactions;
/// throws SqliteError.
class PartTable {
 public:
  explicit PartTable(Connection& connection);  ///< `connection` must outlive this object.

  /// Notes that events or visits of these days change in this transaction.
  void touch(SiteId site, UnixMillis from, UnixMillis to);
  void committed();
  void rolled_back();
  /// Drops all parts of a deleted site, and forgets its days.
  void forget_site(SiteId site);

  /// Returns the numbers of parts and their events as of the last commit. Any thread.
  [[nodiscard]] store::ColumnCounts counts() const;

  /// Returns a past day that has changed since its parts were made, but not within `quiet`. Days
  /// that have changed since the last call count as changed now.
  [[nodiscard]] std::optional<SiteDay> next_due(UnixSeconds now, std::chrono::seconds quiet);

  /// Returns the first unsealed day without a salt, up to `last`, of the next site after `after`
  /// that has one. A day is unsealed if its rows have changed since a sealing last looked at them.
  [[nodiscard]] std::optional<SiteDay> next_unsealed(SiteId after, Days last);

  /// Begins to make parts from the rows or the sealed parts of some days. Only one job at a time.
  enum class Kind { kCopies, kSealed, kRewrite };
  void begin(const SiteDays& days, Kind kind) { making_ = {days, kind, false, {}}; }
  /// Returns true if the parts being made are useless: rows of the days have changed since begin(),
  /// the site is gone, or a transaction was rolled back.
  [[nodiscard]] bool is_touched() const { return making_ && making_->is_touched; }
  [[nodiscard]] query::PartId add_part(const parts::PartBytes& part);
  void add_column(query::PartId part, std::uint32_t column, std::string_view bytes);
  // One of these functions ends the making of parts:
  /// Makes the added parts the copies of their day, instead of earlier ones. Without added parts,
  /// the day has no copies. REQUIRES: the day was not touched.
  void finish_copies();
  /// Makes the added parts sealed parts of the days, whose copies are dropped. `events`: number of
  /// events in the parts. `rows_stay`: other events of the days stay rows. REQUIRES: the days were
  /// not touched.
  void finish_sealed(std::int64_t events, bool rows_stay);
  /// Replaces sealed parts with the added parts.
  void finish_rewrite(const std::vector<query::PartId>& replaced);
  /// Discards the added parts. If they were copies of a day that has not changed meanwhile,
  /// next_due() skips the day until it changes or the daemon restarts.
  void discard();

  struct SealedPart {
    query::PartId id = 0;
    SiteId site = 0;
    std::int64_t first_time = 0;  ///< In Unix seconds.
    std::int64_t end_time = 0;    ///< In Unix seconds, exclusive.
    std::int64_t events = 0;
  };
  /// Returns the first site after `after` that has sealed parts.
  [[nodiscard]] std::optional<SiteId> next_with_sealed(SiteId after);
  /// Returns two neighbouring sealed parts of a site that should be merged into one part of at most
  /// `most` events. The younger has at least half as many events as the older, so that an event is
  /// rewritten only when its part grows by half. Empty if there are no such parts.
  [[nodiscard]] std::vector<SealedPart> mergeable(SiteId site, std::int64_t most);
  /// Drops a sealed part whose events are removed.
  void drop(const SealedPart& part);
  /// Returns the time, in seconds, of the earliest event in a site's sealed parts.
  [[nodiscard]] std::optional<std::int64_t> first_sealed(SiteId site);
  /// Returns the site's first sealed part after `after`.
  [[nodiscard]] std::optional<query::PartId> next_sealed(SiteId site, query::PartId after);

  /// Returns true if dropped parts, which are no longer read, are still stored.
  [[nodiscard]] bool has_leaving();
  /// Removes some data of dropped parts. Returns true while there may be more to do.
  bool remove_some();

 private:
  struct Making {
    SiteDays days;
    Kind kind = Kind::kCopies;
    bool is_touched = false;
    std::vector<query::PartId> parts{};
  };
  /// A day that has changed since its parts were made.
  struct Due {
    std::optional<UnixSeconds> changed{};  ///< First next_due() after the change; nullopt before.
    bool is_left_alone = false;
  };

  void read_days();
  void count();
  void touch(const SiteDay& day);
  void drop_copies(const SiteDay& day);
  void set_state(const std::vector<query::PartId>& parts, int state);
  [[nodiscard]] std::optional<query::PartId> next_leaving();

  Connection& connection_;
  std::set<SiteDay> copied_;  ///< Days with copies that are read. They are not due.
  std::map<SiteDay, Due> due_;
  std::optional<Making> making_;
  bool has_changed_ = false;  ///< True if copied_ or due_ changed in this transaction.
  store::ColumnCounts made_;  ///< Work since the start, including this transaction.
  mutable std::mutex mutex_;
  store::ColumnCounts counts_;  // guarded by mutex_
  Statement note_due_;
  Statement note_unsealed_;
  Statement leave_;
  Statement find_leaving_;
  Statement settle_;
  Statement add_part_;
  Statement add_column_;
};

struct StoredPart {
  query::PartId id = 0;
  Days first{};  ///< First and last day of its events.
  Days last{};
  bool is_copy = false;
};
/// Returns up to `most` sealed parts with ids above `after`, up to `last`, that may have selected
/// events, ordered by id.
[[nodiscard]] std::vector<PartTable::SealedPart> selected_parts(Connection& connection,
                                                                const EventSelection& what,
                                                                query::PartId after,
                                                                query::PartId last,
                                                                std::int64_t most = INT64_MAX);
/// Returns true if all events of a part are selected.
[[nodiscard]] inline bool selects_all(const EventSelection& what,
                                      const PartTable::SealedPart& part) {
  return what.is_by_time() && what.from <= to_time(part.first_time) &&
         to_time(part.end_time) <= what.to;
}
/// Returns the time, in seconds, of the last event in a site's sealed parts.
[[nodiscard]] std::optional<std::int64_t> last_sealed(Connection& connection, SiteId site);
/// Returns the number of events in sealed parts.
[[nodiscard]] std::int64_t sealed_events(Connection& connection);
/// Returns the parts of a site that contain events of a range, in the reader's snapshot.
[[nodiscard]] std::vector<StoredPart> parts_of(Connection& connection, SiteId site,
                                               const TimeRange& range);
/// Returns the bytes of a column. Throws parts::Damaged if they are missing or damaged.
[[nodiscard]] std::string read_column(Connection& connection, query::PartId part,
                                      std::uint32_t column);

/// Returns true if events of some days are kept only as columns.
[[nodiscard]] bool has_sealed_parts(Connection& connection);

}  // namespace analytics::sqlite
