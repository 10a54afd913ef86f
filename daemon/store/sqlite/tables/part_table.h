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
#include "daemon/store/sizes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// A site and a UTC day.
using SiteDay = std::pair<SiteId, Days>;

/// A range of UTC days of a site, `first` and `last` included.
struct SiteDays {
  SiteId site = 0;
  Days first{};
  Days last{};
  [[nodiscard]] bool has(const SiteDay& day) const {
    return day.first == site && first <= day.second && day.second <= last;
  }
  [[nodiscard]] TimeRange range() const { return {first, last + std::chrono::days(1)}; }
};

/// Stores parts: events of a site as columns. A copy contains the events of a UTC day whose rows
/// still exist. When an event or visit of the day changes, the day's copies are marked for deletion
/// in the same transaction. A sealed part contains events whose rows are gone or are being removed;
/// it is the only place with these events and never changes. Owns the tables parts, part_columns,
/// part_imports, part_days and unsealed_days. Used on the writer thread, inside its transactions;
/// throws SqliteError.
class PartTable {
 public:
  explicit PartTable(Connection& connection);  ///< `connection` must outlive this object.

  /// Notes that events or visits of the days from `from` to `to` change in this transaction, and
  /// marks for deletion the parts that copy the rows of these days.
  void touch(SiteId site, UnixMillis from, UnixMillis to);
  /// Called after each transaction, to keep or undo what this object has noted in it.
  void committed();
  void rolled_back();
  /// Marks all parts of a deleted site for deletion, and deletes the site's rows in part_days and
  /// unsealed_days.
  void forget_site(SiteId site);

  /// Returns the numbers of parts and of their events, as of the last commit. Any thread.
  [[nodiscard]] store::ColumnCounts counts() const;

  /// Returns a past day whose rows have changed since they were last copied to parts, but not
  /// within the last `quiet`; nullopt if there is no such day. Days that have changed since the
  /// last call count as changed now.
  [[nodiscard]] std::optional<SiteDay> next_due(UnixSeconds now, std::chrono::seconds quiet);

  /// Returns the first unsealed day, up to `last`, that has no salt any more, of the next site
  /// after `after` with such a day; nullopt if none exists. A day is unsealed if its rows have
  /// changed since a sealing last looked at them.
  [[nodiscard]] std::optional<SiteDay> next_unsealed(SiteId after, Days last);

  /// Kinds of parts that begin() begins to make, one kind at a time: copies of a day's rows, sealed
  /// parts from the rows of some days, or parts that replace sealed parts.
  enum class Kind { kCopies, kSealed, kRewrite };
  void begin(const SiteDays& days, Kind kind) { making_ = {days, kind, false, {}}; }
  /// Returns true if the parts that are being made have become useless: rows of their days have
  /// changed since begin(), the site was deleted, or a transaction was rolled back.
  [[nodiscard]] bool is_touched() const { return making_ && making_->is_touched; }
  /// Adds a part without its columns, and returns its id. Readers do not see the part until
  /// finish_copies(), finish_sealed() or finish_rewrite() makes it a copy or a sealed part.
  [[nodiscard]] query::PartId add_part(const parts::PartBytes& part);
  /// Stores a column of an added part, with a checksum.
  void add_column(query::PartId part, std::uint32_t column, std::string_view bytes);
  // finish_copies(), finish_sealed(), finish_rewrite() and discard() each end the making of parts.

  /// Replaces the day's copies with the added parts; if none were added, the day then has no
  /// copies. REQUIRES: !is_touched().
  void finish_copies();
  /// Makes the added parts the sealed parts of their days, and marks the copies of these days for
  /// deletion. `events`: number of events in the parts. `rows_stay`: true if other events of these
  /// days stay rows. REQUIRES: !is_touched().
  void finish_sealed(std::int64_t events, bool rows_stay);
  /// Replaces the sealed parts `replaced` with the added parts.
  void finish_rewrite(const std::vector<query::PartId>& replaced);
  /// Discards the added parts. If they were to be copies of a day that has not changed meanwhile,
  /// next_due() skips the day until it changes or the daemon restarts.
  void discard();

  /// A sealed part, with the time range and the number of its events.
  struct SealedPart {
    query::PartId id = 0;
    SiteId site = 0;
    std::int64_t first_time = 0;  ///< Time of the first event, in Unix seconds.
    std::int64_t end_time = 0;    ///< End of the time range, in Unix seconds, exclusive.
    std::int64_t events = 0;
  };
  /// Returns the first site after `after` that has sealed parts; nullopt if none exists.
  [[nodiscard]] std::optional<SiteId> next_with_sealed(SiteId after);
  /// Returns two neighbouring sealed parts of a site that should be merged into one part of at
  /// most `most` events; empty if none exist. The younger part has at least half as many
  /// events as the older one, so that an event is rewritten only when its part grows by at least
  /// half.
  [[nodiscard]] std::vector<SealedPart> mergeable(SiteId site, std::int64_t most);
  /// Marks a sealed part for deletion, because all of its events are removed.
  void drop(const SealedPart& part);
  /// Returns the time, in Unix seconds, of the earliest event in a site's sealed parts;
  /// engagements do not count. Nullopt if there is no such event.
  [[nodiscard]] std::optional<std::int64_t> first_sealed(SiteId site);
  /// Returns the site's sealed part with the lowest id above `after`; nullopt if none exists.
  [[nodiscard]] std::optional<query::PartId> next_sealed(SiteId site, query::PartId after);

  /// Returns true if data of parts that are marked for deletion is still stored. Readers no longer
  /// use these parts.
  [[nodiscard]] bool has_leaving();
  /// Deletes some data of parts that are marked for deletion. Returns true while there may be more
  /// to do.
  bool remove_some();

 private:
  /// The parts that are being made.
  struct Making {
    SiteDays days;
    Kind kind = Kind::kCopies;
    bool is_touched = false;
    std::vector<query::PartId> parts{};
  };
  /// State of a day whose rows have changed since they were last copied to parts.
  struct Due {
    /// Time of the first call of next_due() after the change; nullopt before that call.
    std::optional<UnixSeconds> changed{};
    bool is_left_alone = false;  ///< True after discard(), so that next_due() skips the day.
  };

  void read_days();
  void count();
  void touch(const SiteDay& day);
  void drop_copies(const SiteDay& day);
  void set_state(const std::vector<query::PartId>& parts, int state);
  [[nodiscard]] std::optional<query::PartId> next_leaving();

  Connection& connection_;
  std::set<SiteDay> copied_;  ///< Days with copies that readers use. These days are not in due_.
  std::map<SiteDay, Due> due_;
  std::optional<Making> making_;
  bool has_changed_ = false;  ///< True if this transaction has changed copied_ or due_.
  store::ColumnCounts made_;  ///< Work done since the daemon started, including this transaction.
  mutable std::mutex mutex_;
  store::ColumnCounts counts_;  // result of counts(); guarded by mutex_
  Statement note_due_;
  Statement note_unsealed_;
  Statement leave_;
  Statement find_leaving_;
  Statement settle_;
  Statement add_part_;
  Statement add_column_;
};

/// A part that readers use.
struct StoredPart {
  query::PartId id = 0;
  Days first{};  ///< First UTC day of the part's events; `last` is the last one.
  Days last{};
  bool is_copy = false;
};
/// Returns up to `most` sealed parts that may have selected events, with ids above `after` and up
/// to `last`, in order of their ids.
[[nodiscard]] std::vector<PartTable::SealedPart> selected_parts(Connection& connection,
                                                                const EventSelection& what,
                                                                query::PartId after,
                                                                query::PartId last,
                                                                std::int64_t most = INT64_MAX);
/// Returns true if the selection certainly includes all events of the part.
[[nodiscard]] inline bool selects_all(const EventSelection& what,
                                      const PartTable::SealedPart& part) {
  return what.is_by_time() && what.from <= to_time(part.first_time) &&
         to_time(part.end_time) <= what.to;
}
/// Returns the time, in Unix seconds, of the last event in a site's sealed parts; nullopt if it
/// has no sealed parts.
[[nodiscard]] std::optional<std::int64_t> last_sealed(Connection& connection, SiteId site);
/// Returns the number of events in the sealed parts of all sites.
[[nodiscard]] std::int64_t sealed_events(Connection& connection);
/// Returns the copies and sealed parts of a site that may have events of the range, in the
/// snapshot of the reader's transaction.
[[nodiscard]] std::vector<StoredPart> parts_of(Connection& connection, SiteId site,
                                               const TimeRange& range);
/// Returns the bytes of a part's column, without their checksum. Throws parts::Damaged if they are
/// missing or damaged.
[[nodiscard]] std::string read_column(Connection& connection, query::PartId part,
                                      std::uint32_t column);

/// Returns true if the file has sealed parts: events that are kept only as columns.
[[nodiscard]] bool has_sealed_parts(Connection& connection);

}  // namespace analytics::sqlite
