#include "daemon/query/executor.h"

#include <algorithm>
#include <numeric>

#include "daemon/query/filter_plan.h"
#include "daemon/query/tally.h"

namespace analytics::query {
namespace {

/// Numbers of visitors, or of visits, in order of their first event in this scan.
class IdNumbers {
 public:
  explicit IdNumbers(Column column) : column_(column) {}
  std::span<const std::uint32_t> assign(const EventBatch& batch, const RowList& rows) {
    const auto ids = batch[column_];
    numbers_.clear();
    for (const auto row : rows) {
      numbers_.push_back(numbering_.number(static_cast<std::uint64_t>(ids[row])));
    }
    return numbers_;
  }
  [[nodiscard]] std::size_t memory() const { return numbering_.memory(); }

 private:
  const Column column_;
  Numbering numbering_;
  std::vector<std::uint32_t> numbers_;
};

ColumnSet columns_of(const Aggregation& aggregation) {
  ColumnSet columns;
  add_columns_of(aggregation.selection.filter, columns);
  for (const auto& grouping : aggregation.groupings) add_columns_of(grouping, columns);
  return columns;
}

}  // namespace

std::vector<std::vector<Group>> aggregate(const Aggregation& aggregation, EventSource& events,
                                          Budget& budget) {
  const auto& selection = aggregation.selection;
  const auto& groupings = aggregation.groupings;
  auto& texts = events.texts();
  const auto charged_before = budget.charged();
  ConditionNumbers conditions(selection.goals, texts, budget);
  FilterPlan filter(selection.filter, selection.range, events, conditions);
  std::vector<Tally> tallies;
  tallies.reserve(groupings.size());
  for (const auto& grouping : groupings) tallies.emplace_back(grouping, texts, budget);
  const bool counts_visits =
      std::any_of(groupings.begin(), groupings.end(), [](const auto& each) { return each.visits; });
  IdNumbers visitors(Column::kVisitor);
  IdNumbers visits(Column::kVisit);
  const auto columns = columns_of(aggregation);
  EventBatch batch(columns);
  RowList rows;
  const auto scan = events.scan(selection.range, columns);
  while (scan->next(batch)) {
    rows.resize(batch.size());
    std::iota(rows.begin(), rows.end(), 0U);
    filter.keep_accepted(batch, rows);
    const AcceptedRows accepted{
        batch, rows, visitors.assign(batch, rows),
        counts_visits ? visits.assign(batch, rows) : std::span<const std::uint32_t>()};
    auto memory = filter.memory() + visitors.memory() + visits.memory();
    for (auto& tally : tallies) {
      tally.add(accepted);
      memory += tally.memory();
    }
    budget.check(memory);
  }
  const auto charged_by_scan = budget.charged();
  std::vector<std::vector<Group>> groups;
  groups.reserve(tallies.size());
  for (auto& tally : tallies) groups.push_back(tally.finish());
  // The groups outlive this function, and only they.
  budget.release_to(charged_before + budget.charged() - charged_by_scan);
  return groups;
}

}  // namespace analytics::query
