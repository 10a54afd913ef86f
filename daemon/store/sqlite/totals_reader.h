#pragma once

#include <memory>
#include <vector>

#include "daemon/model/query.h"
#include "daemon/query/budget.h"
#include "daemon/store/sqlite/dictionary_reader.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/sqlite/totals_table.h"
#include "daemon/store/stats_store.h"
#include "daemon/totals/added_totals.h"

namespace analytics::sqlite {

/// Adds the daily totals of a range to what was found among its events, in the snapshot that the
/// connection's transaction sees.
class TotalsReader final : private totals::ValueTexts {
 public:
  /// The arguments must outlive the object, and the object what it adds to.
  TotalsReader(Connection& connection, const Selection& selection, query::Budget& budget);

  /// Adds the totals that the selection wants. `groupings` are those of what was found, and must
  /// outlive it.
  void add_to(store::StatsStore::Found& found, const std::vector<Grouping>& groupings);

 private:
  [[nodiscard]] std::string text(std::uint32_t value) override {
    return texts_.text(StringKind::kTotal, value);
  }
  [[nodiscard]] std::uint32_t number(std::string_view text) override {
    return static_cast<std::uint32_t>(texts_.number(StringKind::kTotal, text));
  }
  [[nodiscard]] std::unique_ptr<Groups> with_totals(std::unique_ptr<Groups> found,
                                                    const Grouping& grouping, const DaySpan& days);

  Connection& connection_;
  const Selection& selection_;
  query::Budget& budget_;
  DictionaryReader texts_;
};

}  // namespace analytics::sqlite
