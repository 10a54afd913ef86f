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
#include "daemon/store/sqlite/event_fields.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/totals/day_totals.h"

namespace analytics::sqlite {

using TotalsBatch = std::int64_t;

/// Returns the kind of texts whose numbers a field's values have in totals: that of events where
/// these have the value as a text of its own, and else kTotal.
[[nodiscard]] StringKind kind_of_totals(Field field);

/// The tables daily_totals and total_batches. Totals are made in batches, of which nobody sees
/// anything before all of it is there. Used inside the writer's transactions; throws SqliteError.
class TotalsTable {
 public:
  /// Gives up what an earlier run was making. `connection` must outlive this object.
  explicit TotalsTable(Connection& connection);

  /// Begins a batch of a site's totals, of days from `first` on. One at a time: what was being
  /// made is given up.
  [[nodiscard]] TotalsBatch begin(SiteId site, Days first);
  /// Makes a batch of an import's totals, which counts at once.
  [[nodiscard]] TotalsBatch begin_imported(SiteId site, ImportId import, Days first);
  /// False if the batch was given up, or events of the site began to be removed meanwhile.
  [[nodiscard]] bool is_making(TotalsBatch batch);
  /// Adds totals of a day by one dimension. Values are texts of kind_of_totals().
  void add(TotalsBatch batch, SiteId site, const std::string& dimension, Days day,
           const std::vector<totals::ValueSums>& values);
  /// From now on the batch counts.
  void finish(TotalsBatch batch);
  void give_up(TotalsBatch batch);

  /// Events of the site are to be removed: what is being made of them is given up.
  static void give_up_site(Connection& connection, SiteId site);
  /// None of the site's totals count any more, imported ones apart.
  void drop_kept(SiteId site);
  /// None of the site's totals count any more.
  void drop(SiteId site);
  /// Those of an import do not count any more.
  static void drop_import(Connection& connection, ImportId import);

  /// Returns a site of which totals that do not count are to be removed.
  [[nodiscard]] std::optional<SiteId> next_leaving();
  /// Removes some of them.
  void remove_some(SiteId site);

  /// Calls `use` with some rows behind `after`, and the kind of texts that their values are.
  /// Returns the last of these rows; none when there are no more.
  using Use = std::function<void(StringKind kind, const std::vector<totals::ValueSums>& values)>;
  [[nodiscard]] std::optional<std::int64_t> each_row(SiteId site, std::int64_t after,
                                                     const Use& use);

 private:
  void give_up_all();
  void set_state(TotalsBatch batch, int state);

  Connection& connection_;
};

/// Days, both included.
struct DaySpan {
  Days first{};
  Days last{};
};
using WantsTotals = std::function<bool(Days, ImportId)>;
using UseTotals = std::function<void(Days, ImportId, const std::vector<totals::ValueSums>&)>;
/// Calls `use` with the totals by one dimension of each day and import, in order of days, in the
/// reader's snapshot; the import is 0 for events that were here. Leaves out those that are not
/// wanted. Throws parts::Damaged.
void each_day(Connection& connection, SiteId site, std::string_view dimension, const DaySpan& days,
              const WantsTotals& wants, const UseTotals& use);
/// Calls `found` with the site and day of all totals that cannot be read.
void each_damaged(Connection& connection, const std::function<void(SiteId, Days)>& found);
/// True if days have totals of events that were here, but none by that dimension, because an
/// earlier version made them.
[[nodiscard]] bool lacks_totals(Connection& connection, SiteId site, std::string_view dimension,
                                const DaySpan& days);
/// True if a site has imported totals, of any day.
[[nodiscard]] bool has_imported_totals(Connection& connection, SiteId site);
/// True if a site has totals of one of these days, of events that were here.
[[nodiscard]] bool has_totals(Connection& connection, SiteId site, const DaySpan& days);

/// Whose totals they are: of events that were here, or of an import.
enum class TotalsOrigin { kHere, kImport };
/// Returns the days of a site that have totals by a dimension, or are kImportedDays, each with the
/// latest import that has them; 0: none.
[[nodiscard]] std::map<Days, ImportId> days_with_totals(Connection& connection, SiteId site,
                                                        std::string_view dimension,
                                                        const DaySpan& days, TotalsOrigin origin);

}  // namespace analytics::sqlite
