#include "daemon/query/executor.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "daemon/query/filter_plan.h"
#include "daemon/query/part_tally.h"
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
  [[nodiscard]] Numbering& numbering() { return numbering_; }

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

/// Tallies that read a part's rows together.
struct PartPass {
  ColumnSet columns{};
  std::vector<Tally*> tallies{};
};

/// Tallies of visits have a pass of their own: a part has fewer of them than events.
std::array<PartPass, 2> passes_of(const Filter& filter, std::vector<Tally>& tallies) {
  std::array<PartPass, 2> passes;
  for (auto& tally : tallies) {
    ColumnSet columns;
    add_columns_of(filter, columns);
    add_columns_of(tally.grouping(), columns);
    auto& pass = passes[PartRows::reads_events(columns) ? 0 : 1];
    pass.columns.add(columns);
    pass.tallies.push_back(&tally);
  }
  return passes;
}

void sum_part(EventPart& part, const TimeRange& range, const PartPass& pass, FilterPlan& filter,
              Numbering& visits, const Budget& budget) {
  if (pass.tallies.empty()) return;
  std::vector<PartTally> in_part;
  in_part.reserve(pass.tallies.size());
  for (auto* tally : pass.tallies) in_part.emplace_back(*tally, part, visits);
  PartRows block(part, range, pass.columns);
  RowList rows;
  while (block.next()) {
    budget.check_time();
    block.select(rows);
    filter.keep_accepted(block, rows);
    for (auto& each : in_part) each.add(block, rows);
  }
  for (auto& each : in_part) each.finish();
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
  const auto passes = passes_of(selection.filter, tallies);
  for (const auto id : events.parts(selection.range)) {
    const auto part = events.open_part(id);
    for (const auto& pass : passes) {
      sum_part(*part, selection.range, pass, filter, visits.numbering(), budget);
    }
  }
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
