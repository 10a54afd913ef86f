#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "daemon/parts/part_builder.h"
#include "daemon/query/event_part.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// A site and a UTC day.
using SiteDay = std::pair<SiteId, Days>;

/// Keeps parts: copies of a site's events of one UTC day as columns. The rows of events stay what
/// is true: once an event or a visit of a day changes, in the same transaction its parts are no
/// longer read. Owns the tables parts, part_columns and part_days. Used on the writer thread,
/// inside its transactions; throws SqliteError.
class PartTable {
 public:
  explicit PartTable(Connection& connection);  ///< `connection` must outlive this object.

  /// Events or visits of these days change in this transaction.
  void touch(SiteId site, UnixMillis from, UnixMillis to);
  void committed() { has_changed_ = false; }
  void rolled_back();
  /// Removes what is kept of a deleted site.
  void forget_site(SiteId site);

  /// Returns a day that is over, has changed since its parts were made, and not within `quiet`.
  /// Days that changed since the last call are taken to have changed now.
  [[nodiscard]] std::optional<SiteDay> next_due(UnixSeconds now, std::chrono::seconds quiet);

  /// Begins to make the parts of a day. One day at a time; if it is touched, finish() discards
  /// them.
  void begin(const SiteDay& day) { making_ = {day, false, {}}; }
  [[nodiscard]] bool is_touched() const { return making_ && making_->is_touched; }
  [[nodiscard]] query::PartId add_part(const parts::PartHead& head);
  void add_column(query::PartId part, std::uint32_t column, std::string_view bytes);
  /// Replaces the parts of the day by those that were added: none, if it is to stay rows. False if
  /// it was touched meanwhile: it stays due, and what was added leaves.
  bool finish();
  /// What was added leaves; the day is left alone until it is touched again, or the next start.
  void give_up();

  /// True if there are parts that nobody reads any more.
  [[nodiscard]] bool has_leaving();
  /// Removes some of them. True while there may be more to do.
  bool remove_some();

 private:
  struct Making {
    SiteDay day;
    bool is_touched = false;
    std::vector<query::PartId> parts{};
  };
  /// A day that has changed since its parts were made.
  struct Due {
    std::optional<UnixSeconds> changed{};  ///< None: since the last next_due().
    bool is_left_alone = false;
  };

  void read_days();
  void touch(const SiteDay& day);
  [[nodiscard]] std::optional<query::PartId> next_leaving();

  Connection& connection_;
  std::set<SiteDay> copied_;  ///< Days with parts that are read; none of them is due.
  std::map<SiteDay, Due> due_;
  std::optional<Making> making_;
  bool has_changed_ = false;  ///< In this transaction, copied_ or due_.
  Statement note_due_;
  Statement leave_;
  Statement find_leaving_;
  Statement settle_;
  Statement add_part_;
  Statement add_column_;
};

struct StoredPart {
  query::PartId id = 0;
  Days day{};
};
/// Returns the parts of a site that hold events of a range, in the reader's snapshot.
[[nodiscard]] std::vector<StoredPart> parts_of(Connection& connection, SiteId site,
                                               const TimeRange& range);
/// Returns the bytes of a column. Throws parts::Damaged unless they are there and whole.
[[nodiscard]] std::string read_column(Connection& connection, query::PartId part,
                                      std::uint32_t column);

}  // namespace analytics::sqlite
