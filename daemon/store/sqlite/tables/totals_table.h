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

/// Returns the kind of texts whose numbers stand for a field's values in totals: the kind that
/// events use if they store the value as a text, else kTotal.
[[nodiscard]] StringKind kind_of_totals(Field field);

/// Owns the tables daily_totals and total_batches. Totals are made in batches, which readers see
/// only when they are complete. Used inside the writer's transactions; throws SqliteError.
class TotalsTable {
 public:
  /// Discards the batch that an earlier run was making. `connection` must outlive this object.
  explicit TotalsTable(Connection& connection);

  /// Begins a batch of a site's totals for days from `first` on. Discards an earlier unfinished
  /// batch, because there is only one at a time.
  [[nodiscard]] TotalsBatch begin(SiteId site, Days first);
  /// Creates a batch for an import's totals, which queries see at once.
  [[nodiscard]] TotalsBatch begin_imported(SiteId site, ImportId import, Days first);
  /// Returns true while the batch is being made. A removal of events of the site discards it.
  [[nodiscard]] bool is_making(TotalsBatch batch);
  /// Adds totals of a day by one dimension. Values are numbers of texts of kind_of_totals().
  void add(TotalsBatch batch, SiteId site, const std::string& dimension, Days day,
           const std::vector<totals::ValueSums>& values);
  /// Makes the batch visible to queries.
  void finish(TotalsBatch batch);
  void discard(TotalsBatch batch);

  /// Discards the batch that is being made for a site, because events of the site will be removed.
  static void discard_site(Connection& connection, SiteId site);
  /// Drops all totals of the site except imported ones.
  void drop_kept(SiteId site);
  /// Drops all totals of the site.
  void drop(SiteId site);
  /// Drops the totals of an import.
  static void drop_import(Connection& connection, ImportId import);

  /// Returns a site with dropped totals that are still stored.
  [[nodiscard]] std::optional<SiteId> next_leaving();
  /// Removes some dropped totals of the site.
  void remove_some(SiteId site);

  /// Calls `use` with the values of some rows after the id `after`, and with the kind of their
  /// texts. Returns the id of the last row; nullopt if no rows follow.
  using Use = std::function<void(StringKind kind, const std::vector<totals::ValueSums>& values)>;
  [[nodiscard]] std::optional<std::int64_t> each_row(SiteId site, std::int64_t after,
                                                     const Use& use);

 private:
  void discard_all();
  void set_state(TotalsBatch batch, int state);

  Connection& connection_;
};

/// A span of days, `first` and `last` included.
struct DaySpan {
  Days first{};
  Days last{};
};
using WantsTotals = std::function<bool(Days, ImportId)>;
using UseTotals = std::function<void(Days, ImportId, const std::vector<totals::ValueSums>&)>;
/// Calls `use` with the totals by a dimension of each day and import, in order of days, in the
/// reader's snapshot. The import is 0 for events that were stored here. Leaves out totals that
/// `wants` rejects. Throws parts::Damaged.
void each_day(Connection& connection, SiteId site, std::string_view dimension, const DaySpan& days,
              const WantsTotals& wants, const UseTotals& use);
/// Calls `found` with the site and day of all totals that cannot be read.
void each_damaged(Connection& connection, const std::function<void(SiteId, Days)>& found);
/// Returns true if a site has imported totals for any day.
[[nodiscard]] bool has_imported_totals(Connection& connection, SiteId site);

/// The origin of totals: events that were stored here, or an import.
enum class TotalsOrigin { kHere, kImport };
/// Returns the days of a site that have totals by a dimension (or kImportedDays), each with the
/// latest import that has such totals; 0 for totals of stored events.
[[nodiscard]] std::map<Days, ImportId> days_with_totals(Connection& connection, SiteId site,
                                                        std::string_view dimension,
                                                        const DaySpan& days, TotalsOrigin origin);

}  // namespace analytics::sqlite
