#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
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
class TotalsReader final {
 public:
  /// The arguments must outlive the object, and the object what it adds to.
  TotalsReader(Connection& connection, const Selection& selection, DictionaryReader& texts,
               query::Budget& budget);

  /// Counts events as query::aggregate() does.
  using Count = std::function<std::vector<std::unique_ptr<Groups>>(const Aggregation&)>;
  /// Adds the totals that the selection wants to what was found among the events of `counted`, by
  /// `groupings`, which must outlive it. Imported totals only count on days without events: `count`
  /// tells which these are, if there are such totals.
  void add_to(store::StatsStore::Found& found, const std::vector<Grouping>& groupings,
              const TimeRange& counted, const Count& count);

 private:
  /// Texts of one kind.
  class Texts final : public totals::ValueTexts {
   public:
    Texts(DictionaryReader& texts, StringKind kind) : texts_(texts), kind_(kind) {}
    [[nodiscard]] bool are_of_events() const override { return kind_ != StringKind::kTotal; }
    [[nodiscard]] std::string text(std::uint32_t value) override {
      return texts_.text(kind_, value);
    }
    [[nodiscard]] std::uint32_t number(std::string_view text) override {
      return static_cast<std::uint32_t>(texts_.number(kind_, text));
    }

   private:
    DictionaryReader& texts_;
    const StringKind kind_;
  };
  /// Says what imports know of a grouping.
  struct Known {
    std::set<ImportId> imports;  ///< Those that have totals of one of its sources, of any day.
    std::set<Days> days;         ///< Those that have some.
  };
  void look_for_kept(TotalsUse& use);
  [[nodiscard]] std::map<Days, ImportId> imported_days_without_events(const TimeRange& counted,
                                                                      const Count& count) const;
  void look_for_imported(TotalsUse& use);
  [[nodiscard]] std::unique_ptr<Groups> with_totals(std::unique_ptr<Groups> found,
                                                    const Grouping& grouping, TotalsUse& use);
  void add_source(const totals::Source& source, totals::AddedTotals& all, TotalsUse& use,
                  Known& known);
  [[nodiscard]] bool lacks_some(const Known& known) const;
  [[nodiscard]] Texts& texts_of(const std::optional<Dimension>& dimension);

  Connection& connection_;
  const Selection& selection_;
  DictionaryReader& texts_;
  query::Budget& budget_;
  const DaySpan touched_;                ///< Days that the range has a part of.
  const DaySpan whole_;                  ///< Days that lie in it.
  std::map<Days, ImportId> imported_{};  ///< Days whose imported totals count.
  bool can_add_kept_ = false;      ///< There are totals of events that were here, of whole days.
  bool can_add_imported_ = false;  ///< There are imported ones of whole days.
  std::deque<Texts> kinds_{};
};

}  // namespace analytics::sqlite
