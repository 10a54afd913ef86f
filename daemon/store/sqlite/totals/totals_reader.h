#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/model/query.h"
#include "daemon/query/events/budget.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/tables/dictionary_reader.h"
#include "daemon/store/sqlite/tables/totals_table.h"
#include "daemon/store/stats_store.h"
#include "daemon/totals/added_totals.h"

namespace analytics::sqlite {

/// Adds daily totals to the results that a query has computed from stored events, in the snapshot
/// of the connection's transaction.
class TotalsReader final {
 public:
  /// The arguments must outlive this object, and this object must outlive the results that it adds
  /// to.
  TotalsReader(Connection& connection, const Selection& selection, DictionaryReader& texts,
               query::Budget& budget);

  /// Counts stored events as query::aggregate() does.
  using Count = std::function<std::vector<std::unique_ptr<Groups>>(const Aggregation&)>;
  /// Adds the totals that the selection asks for to `found`, the results for `groupings` from the
  /// events in the range `counted`. `groupings` must outlive `found`. Imported totals count only
  /// on days without events; `count` is called to find these days.
  void add_to(store::StatsStore::Found& found, const std::vector<Grouping>& groupings,
              const TimeRange& counted, const Count& count);

 private:
  /// Looks up the texts of a kind by id, and their ids by text.
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
  /// Imports that have totals by the dimension of a grouping, and the days that have such totals.
  struct Known {
    std::set<ImportId> imports;  ///< Imports that have totals by the dimension on any day.
    std::set<Days> days;         ///< Days that have totals by the dimension.
  };
  void look_for_kept(TotalsUse& use);
  [[nodiscard]] std::map<Days, ImportId> imported_days_without_events(const TimeRange& counted,
                                                                      const Count& count) const;
  void look_for_imported(TotalsUse& use);
  [[nodiscard]] std::unique_ptr<Groups> with_totals(std::unique_ptr<Groups> found,
                                                    const Grouping& grouping, TotalsUse& use);
  [[nodiscard]] bool add_source(const totals::Source& source, totals::AddedTotals& all,
                                Known& known);
  [[nodiscard]] bool add_days_without(const Dimension& property, std::set<Days>& added,
                                      totals::AddedTotals& all, totals::SourceValues& values);
  void subtract_overlaps(const std::string& name, const std::set<Days>& added,
                         totals::AddedTotals& all, totals::SourceValues& values);
  [[nodiscard]] bool is_whole(Days day) const { return whole_.first <= day && day <= whole_.last; }
  [[nodiscard]] bool lacks_some(const Known& known) const;
  [[nodiscard]] Texts& texts_of(const std::optional<Dimension>& dimension);

  Connection& connection_;
  const Selection& selection_;
  DictionaryReader& texts_;
  query::Budget& budget_;
  const DaySpan touched_;  ///< Days that are at least partly in the range of the selection.
  const DaySpan whole_;    ///< Days that are completely in the range of the selection.
  std::map<Days, ImportId> imported_{};  ///< Days whose imported totals count, with the import.
  std::set<Days> kept_{};                ///< Days in touched_ with totals computed from events.
  bool can_add_kept_ = false;            ///< True if totals of some day in kept_ can be added.
  bool can_add_imported_ = false;        ///< True if totals of some day in imported_ can be added.
  std::deque<Texts> kinds_{};
};

}  // namespace analytics::sqlite
