#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/model/import.h"
#include "daemon/model/query.h"
#include "daemon/store/sqlite/db/event_fields.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/totals/day_totals.h"

namespace analytics::sqlite {

using TotalsBatch = std::int64_t;

/// Returns the kind of the texts whose ids represent a field's values in daily totals: the kind
/// that events use if they store the field's value as a text, else kTotal.
[[nodiscard]] StringKind kind_of_totals(Field field);

/// Stores daily totals. They are made in batches, which readers see only when they are complete.
/// Owns the tables daily_totals and total_batches. Used inside the writer's transactions; throws
/// SqliteError.
class TotalsTable {
 public:
  /// Discards the batch that an earlier run had not completed. `connection` must outlive this
  /// object.
  explicit TotalsTable(Connection& connection);

  /// Begins a batch of a site's totals for days from `first` on. Only one batch is made at a time,
  /// so an earlier unfinished one is discarded.
  [[nodiscard]] TotalsBatch begin(SiteId site, Days first);
  /// Creates a batch for the totals of an import. Queries see its totals at once.
  [[nodiscard]] TotalsBatch begin_imported(SiteId site, ImportId import, Days first);
  /// Returns true until the batch is finished or discarded. A removal of events of the site
  /// discards it.
  [[nodiscard]] bool is_making(TotalsBatch batch);
  /// Adds the totals of a day by one dimension to a batch. The values in `values` are ids of texts
  /// of the kind kind_of_totals().
  void add(TotalsBatch batch, SiteId site, const std::string& dimension, Days day,
           const std::vector<totals::ValueSums>& values);
  /// Makes the batch visible to queries.
  void finish(TotalsBatch batch);
  /// Discards a batch: readers never see it, and remove_some() deletes its totals.
  void discard(TotalsBatch batch);

  /// Discards the unfinished batch of a site, if any, because events of the site will be removed.
  static void discard_site(Connection& connection, SiteId site);
  /// Discards all totals of the site except imported ones. Readers no longer see the discarded
  /// totals, and remove_some() deletes them.
  void drop_kept(SiteId site);
  /// Discards all totals of the site, imported ones too: see drop_kept().
  void drop(SiteId site);
  /// Discards the totals of an import: see drop_kept().
  static void drop_import(Connection& connection, ImportId import);

  /// Returns a site whose discarded totals are still stored; nullopt if none exists.
  [[nodiscard]] std::optional<SiteId> next_leaving();
  /// Deletes some discarded totals of the site.
  void remove_some(SiteId site);

  /// Calls `use` with the values of some of the site's rows of totals, with ids above `after`, and
  /// with the kind of their texts. Returns the id of the last of these rows; nullopt if no rows
  /// follow.
  using Use = std::function<void(StringKind kind, const std::vector<totals::ValueSums>& values)>;
  [[nodiscard]] std::optional<std::int64_t> each_row(SiteId site, std::int64_t after,
                                                     const Use& use);

 private:
  void discard_all();
  void set_state(TotalsBatch batch, int state);

  Connection& connection_;
};

/// A range of days, `first` and `last` included.
struct DaySpan {
  Days first{};
  Days last{};
};
/// Returns true if each_day() must read the totals of this day and import.
using WantsTotals = std::function<bool(Days, ImportId)>;
/// Receives the totals of a day and import from each_day().
using UseTotals = std::function<void(Days, ImportId, const std::vector<totals::ValueSums>&)>;
/// Calls `use` with the site's totals by a dimension, for each day and import, in order of days,
/// in the snapshot of the reader's transaction. The import is 0 for totals of events that were
/// stored here. Leaves out totals for which `wants` returns false. Throws parts::Damaged.
void each_day(Connection& connection, SiteId site, std::string_view dimension, const DaySpan& days,
              const WantsTotals& wants, const UseTotals& use);
/// Calls `found` with the site and day of each row of totals that cannot be read.
void each_damaged(Connection& connection, const std::function<void(SiteId, Days)>& found);
/// Returns true if a site has imported totals for any day.
[[nodiscard]] bool has_imported_totals(Connection& connection, SiteId site);

/// Origin of daily totals: events that were stored here, or an import.
enum class TotalsOrigin { kHere, kImport };
/// Returns the days of a site that have totals of the origin by a dimension (or kImportedDays),
/// each with the latest import that has such totals; 0 for totals of stored events.
[[nodiscard]] std::map<Days, ImportId> days_with_totals(Connection& connection, SiteId site,
                                                        std::string_view dimension,
                                                        const DaySpan& days, TotalsOrigin origin);

}  // namespace analytics::sqlite
