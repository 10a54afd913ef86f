#pragma once

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/tables/dictionary.h"
#include "daemon/store/sqlite/tables/event_table.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/row_walk.h"
#include "daemon/store/sqlite/tables/string_table.h"
#include "daemon/store/sqlite/tables/totals_table.h"

namespace analytics::sqlite {

/// Removes the texts of a site that no event uses any more, after events were removed, because a
/// URL may be the reason for the removal. Runs in slices, each inside a transaction of the writer.
/// A sweep first goes through all events of the site, then through its sealed parts and daily
/// totals, then through the texts. An unfinished sweep begins again after a restart.
class TextSweep {
 public:
  /// The owners of the texts, and of the tables that use them.
  struct Tables {
    EventTable& events;
    PartTable& parts;
    TotalsTable& totals;
    StringTable& strings;
    Dictionary& dictionary;
  };
  /// A slice reads `rows` events, or as many texts. All references must outlive this object.
  TextSweep(Connection& connection, const Tables& tables, std::int64_t rows)
      : connection_(connection), tables_(tables), rows_(rows) {}

  /// Requests a sweep of the site's texts. Called in the transaction that has removed events of the
  /// site.
  void request(SiteId site);
  /// Like request(), but the sweep waits for start_later(), because more events of the site are
  /// about to be removed. After a restart the sweep begins without waiting.
  void request_later(SiteId site);
  void start_later() { later_.clear(); }
  /// Withdraws the request for a sweep of the site's texts.
  void forget(SiteId site);
  /// Returns true if a sweep is requested. Otherwise discards the progress of a sweep that ended
  /// because its site was deleted, if there is any.
  [[nodiscard]] bool is_due();
  /// Does the next slice of a sweep. Returns false if no sweep is requested, true if there may be
  /// more to do. REQUIRES: EventHours has written the hours of all events.
  bool slice();
  /// Forgets the progress of the sweep, because it may be based on changes that were rolled back.
  void rolled_back() { pass_.reset(); }

 private:
  struct Pass {
    SiteId site = 0;
    RowWalk rows;
    query::PartId part = 0;   ///< The last sealed part that was read.
    std::int64_t totals = 0;  ///< The last row of daily totals that was read.
    /// For each of kEventFields, then for kTotal: true at the id of each text that is used.
    std::array<std::vector<bool>, kEventFields.size() + 1> used;
    StringTable::Stored looked;  ///< The last text that was checked.
  };

  std::optional<SiteId> next_site();
  bool look_at_events();
  bool look_at_parts();
  bool look_at_totals();
  void use(std::size_t field, std::int64_t number);
  [[nodiscard]] std::size_t most_of(std::size_t field);
  bool remove_texts();

  Connection& connection_;
  const Tables tables_;
  const std::int64_t rows_;
  std::optional<Pass> pass_;
  std::set<SiteId> later_;
};

}  // namespace analytics::sqlite
