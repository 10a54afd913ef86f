#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "daemon/model/import.h"
#include "daemon/parts/part_builder.h"
#include "daemon/query/event_part.h"
#include "daemon/store/backend.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// A site and a UTC day.
using SiteDay = std::pair<SiteId, Days>;

/// UTC days of a site, both included.
struct SiteDays {
  SiteId site = 0;
  Days first{};
  Days last{};
  [[nodiscard]] bool has(const SiteDay& day) const {
    return day.first == site && first <= day.second && day.second <= last;
  }
  [[nodiscard]] TimeRange range() const { return {first, last + std::chrono::days(1)}; }
};

/// Keeps parts: events of a site as columns. A copy has the events of one UTC day, whose rows stay
/// what is true: once an event or a visit of the day changes, in the same transaction its copies
/// are no longer read. A sealed part has events whose rows are gone, or leave: it is the only place
/// that has them, and never changes. Owns the tables parts, part_columns, part_imports, part_days
/// and unsealed_days. Used on the writer thread, inside its transactions; throws SqliteError.
class PartTable {
 public:
  explicit PartTable(Connection& connection);  ///< `connection` must outlive this object.

  /// Events or visits of these days change in this transaction.
  void touch(SiteId site, UnixMillis from, UnixMillis to);
  void committed();
  void rolled_back();
  /// Removes what is kept of a deleted site.
  void forget_site(SiteId site);

  /// What there is, as of the last commit. Any thread.
  [[nodiscard]] store::ColumnCounts counts() const;

  /// Returns a day that is over, has changed since its parts were made, and not within `quiet`.
  /// Days that changed since the last call are taken to have changed now.
  [[nodiscard]] std::optional<SiteDay> next_due(UnixSeconds now, std::chrono::seconds quiet);

  /// Returns the next site behind `after` that has days up to `last` which no sealing has looked at
  /// and which have no salt, and the first of these days.
  [[nodiscard]] std::optional<SiteDay> next_unsealed(SiteId after, Days last);

  /// Begins to make parts of some days, or of another part of them. One making at a time.
  enum class Kind { kCopies, kSealed, kRewrite };
  void begin(const SiteDays& days, Kind kind) { making_ = {days, kind, false, {}}; }
  /// True if what is being made is of no use: rows of the days have changed since begin(), the site
  /// is gone, or a transaction was rolled back.
  [[nodiscard]] bool is_touched() const { return making_ && making_->is_touched; }
  [[nodiscard]] query::PartId add_part(const parts::PartBytes& part);
  void add_column(query::PartId part, std::uint32_t column, std::string_view bytes);
  // One of these ends the making:
  /// The parts that were added are copies of one day, in place of those there were: none, if it is
  /// to stay rows. REQUIRES: it was not touched.
  void finish_copies();
  /// The parts that were added are sealed ones of the days, whose copies leave. REQUIRES: they were
  /// not touched. `events`: how many there are in them. `rows_stay`: there are others.
  void finish_sealed(std::int64_t events, bool rows_stay);
  /// The parts that were added take the place of sealed ones.
  void finish_rewrite(const std::vector<query::PartId>& replaced);
  /// The parts that were added leave. A day that was to be copied is left alone until it is
  /// touched, unless it was meanwhile, or until the next start.
  void give_up();

  struct SealedPart {
    query::PartId id = 0;
    SiteId site = 0;
    std::int64_t first_time = 0;  ///< Seconds.
    std::int64_t end_time = 0;    ///< Exclusive.
    std::int64_t events = 0;
  };
  /// Returns the first site behind `after` that has sealed parts.
  [[nodiscard]] std::optional<SiteId> next_with_sealed(SiteId after);
  /// Returns two neighbouring sealed parts of a site that are worth being one of at most `most`
  /// events: the younger has at least half as many as the older, so that an event is written again
  /// only as often as the size of its part grows by half. Empty if there are none.
  [[nodiscard]] std::vector<SealedPart> mergeable(SiteId site, std::int64_t most);
  /// Returns the next sealed part behind `after`, up to `last`, that may have events of a range
  /// and, unless it is 0, of an import.
  [[nodiscard]] std::optional<SealedPart> next_sealed(SiteId site, const TimeRange& range,
                                                      ImportId import, query::PartId after,
                                                      query::PartId last);
  /// The events of a sealed part are to be removed.
  void drop(const SealedPart& part);
  /// Returns the second of the earliest event that a site's sealed parts have.
  [[nodiscard]] std::optional<std::int64_t> first_sealed(SiteId site);
  /// Returns the site's first sealed part behind `after`.
  [[nodiscard]] std::optional<query::PartId> next_sealed(SiteId site, query::PartId after);

  /// True if there are parts that nobody reads any more.
  [[nodiscard]] bool has_leaving();
  /// Removes some of them. True while there may be more to do.
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
    std::optional<UnixSeconds> changed{};  ///< None: since the last next_due().
    bool is_left_alone = false;
  };

  void read_days();
  void count();
  void touch(const SiteDay& day);
  void drop_copies(const SiteDay& day);
  void set_state(const std::vector<query::PartId>& parts, int state);
  [[nodiscard]] std::optional<query::PartId> next_leaving();

  Connection& connection_;
  std::set<SiteDay> copied_;  ///< Days with parts that are read; none of them is due.
  std::map<SiteDay, Due> due_;
  std::optional<Making> making_;
  bool has_changed_ = false;  ///< In this transaction, copied_ or due_.
  store::ColumnCounts made_;  ///< Since the start, with this transaction.
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
  Days first{};  ///< The first and the last day that it has events of.
  Days last{};
  bool is_copy = false;
};
/// Returns the second of the last event that a site's sealed parts have.
[[nodiscard]] std::optional<std::int64_t> last_sealed(Connection& connection, SiteId site);
/// Returns the number of events in sealed parts.
[[nodiscard]] std::int64_t sealed_events(Connection& connection);
/// Returns the parts of a site that hold events of a range, in the reader's snapshot.
[[nodiscard]] std::vector<StoredPart> parts_of(Connection& connection, SiteId site,
                                               const TimeRange& range);
/// Returns the bytes of a column. Throws parts::Damaged unless they are there and whole.
[[nodiscard]] std::string read_column(Connection& connection, query::PartId part,
                                      std::uint32_t column);

/// True if events of some days are kept as columns alone.
[[nodiscard]] bool has_sealed_parts(Connection& connection);

}  // namespace analytics::sqlite
