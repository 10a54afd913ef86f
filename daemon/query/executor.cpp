#include "daemon/query/executor.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "daemon/query/event_view.h"
#include "daemon/query/filter_plan.h"
#include "daemon/query/part_selection.h"
#include "daemon/query/part_tally.h"
#include "daemon/query/tally.h"

namespace analytics::query {
namespace {

/// Gives the ids of visitors (or of visits) the numbers 0, 1, 2 … in the order in which they first
/// occur in a scan.
class IdNumbers {
 public:
  explicit IdNumbers(Column column) : column_(column) {}
  std::span<const std::uint32_t> assign(const EventBatch& batch, const RowList& rows) {
    const auto ids = batch[column_];
    numbers_.clear();
    for (const auto row : rows) {
      // Rows with equal ids often follow one another. Only the first of them needs a lookup.
      const bool goes_on = !numbers_.empty() && ids[row] == last_;
      numbers_.push_back(goes_on ? numbers_.back()
                                 : numbering_.number(static_cast<std::uint64_t>(ids[row])));
      last_ = ids[row];
    }
    return numbers_;
  }
  [[nodiscard]] std::size_t memory() const { return numbering_.memory(); }
  [[nodiscard]] Numbering& numbering() { return numbering_; }

 private:
  const Column column_;
  Numbering numbering_;
  std::vector<std::uint32_t> numbers_;
  std::int64_t last_ = 0;  ///< The id that assign() has numbered last.
};

ColumnSet columns_of(const Aggregation& aggregation) {
  ColumnSet columns;
  add_columns_of(aggregation.selection.filter, columns);
  for (const auto& grouping : aggregation.groupings) add_columns_of(grouping, columns);
  return columns;
}

using Tallies = std::vector<std::unique_ptr<Tally>>;

/// Returns the memory that the filter and the tallies use but have not charged to the budget, in
/// bytes.
std::size_t memory_of(const FilterPlan& filter, const Tallies& tallies) {
  auto bytes = filter.memory();
  for (const auto& tally : tallies) bytes += tally->memory();
  return bytes;
}

/// The tallies that share one pass over a part's rows, and the columns that they need.
struct PartPass {
  ColumnSet columns{};
  std::vector<Tally*> tallies{};
};

/// Divides the tallies into those that read events and those that read only visits. The tallies
/// that read only visits have their own pass, because a part has fewer visits than events.
std::array<PartPass, 2> passes_of(const Filter& filter, const Tallies& tallies) {
  std::array<PartPass, 2> passes;
  for (const auto& tally : tallies) {
    ColumnSet columns;
    add_columns_of(filter, columns);
    add_columns_of(tally->grouping(), columns);
    auto& pass = passes[PartRows::reads_events(columns) ? 0 : 1];
    pass.columns.add(columns);
    pass.tallies.push_back(tally.get());
  }
  return passes;
}

/// Sums the events of a part by all groupings of the query.
class SumPart final : public PartTask {
 public:
  SumPart(std::unique_ptr<EventPart> part, const TimeRange& range,
          const std::array<PartPass, 2>& passes, FilterPlan& filter, PartTally::ScanNumbers numbers,
          std::mutex& mutex, const Budget& budget)
      : part_(std::move(part)), budget_(budget) {
    for (const auto& pass : passes) {
      if (pass.tallies.empty()) continue;
      auto& reading = readings_.emplace_back();
      reading.selection =
          std::make_unique<PartSelection>(*part_, range, pass.columns, filter, mutex);
      for (auto* tally : pass.tallies) reading.tallies.emplace_back(*tally, *part_, numbers, mutex);
    }
    budget.check(filter.memory() + memory());
  }

  void run() override {
    RowList rows;
    for (auto& [selection, tallies] : readings_) {
      while (selection->next(rows)) {
        budget_.check_time();
        for (auto& tally : tallies) tally.add(selection->rows(), rows);
      }
    }
  }

  void finish() override {
    for (auto& reading : readings_) {
      for (auto& tally : reading.tallies) tally.finish();
    }
  }

 private:
  struct Reading {
    std::unique_ptr<PartSelection> selection{};
    std::vector<PartTally> tallies{};
  };

  [[nodiscard]] std::size_t memory() const {
    std::size_t bytes = 0;
    for (const auto& reading : readings_) {
      for (const auto& tally : reading.tallies) bytes += tally.memory();
    }
    return bytes;
  }

  const std::unique_ptr<EventPart> part_;
  const Budget& budget_;
  std::vector<Reading> readings_;
};

/// Sums engagements, which every EventSource returns only as rows.
void sum_engagements(const Aggregation& aggregation, EventSource& events, FilterPlan& filter,
                     const Tallies& tallies, const Budget& budget) {
  const auto columns = columns_of(aggregation);
  EventBatch batch(columns);
  RowList rows;
  const auto scan = events.scan_engagements(aggregation.selection.range, columns);
  while (scan->next(batch)) {
    const auto visits = batch[Column::kVisit];
    rows.clear();
    for (std::uint32_t row = 0; row < batch.size(); ++row) {
      if (visits[row] != 0) rows.push_back(row);
    }
    filter.keep_accepted(batch, rows);
    for (const auto& tally : tallies) tally->add({batch, rows, {}, {}});
    budget.check(memory_of(filter, tallies));
  }
}

/// Sums all events except engagements, from parts and from rows.
void sum_events(const Aggregation& aggregation, EventSource& events, FilterPlan& filter,
                const Tallies& tallies, const Budget& budget, PartRunner& parts) {
  std::size_t taken = 0;
  const auto check = [&] { budget.check(memory_of(filter, tallies)); };
  const auto take = [&](std::size_t grouping, const SourceGroup& group) {
    tallies[grouping]->add(group);
    if (++taken % EventBatch::kCapacity == 0) check();
  };
  if (events.sum(aggregation, take)) return check();
  const auto& selection = aggregation.selection;
  const auto& groupings = aggregation.groupings;
  const bool counts_visits =
      std::any_of(groupings.begin(), groupings.end(), [](const auto& each) { return each.visits; });
  IdNumbers visitors(Column::kVisitor);
  IdNumbers visits(Column::kVisit);
  const auto columns = columns_of(aggregation);
  const auto passes = passes_of(selection.filter, tallies);
  parts.run(events.parts(selection.range), [&](PartId id) {
    return std::make_unique<SumPart>(
        events.open_part(id), selection.range, passes, filter,
        PartTally::ScanNumbers{visitors.numbering(), visits.numbering()}, parts.mutex(), budget);
  });
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
    for (const auto& tally : tallies) tally->add(accepted);
    budget.check(memory_of(filter, tallies) + visitors.memory() + visits.memory());
  }
}

}  // namespace

std::vector<std::unique_ptr<Groups>> aggregate(const Aggregation& aggregation, EventSource& events,
                                               Budget& budget, Cores& cores) {
  const auto core = cores.use();
  Seen seen(aggregation.selection, events, budget);
  const auto& selection = seen.selection();
  auto& texts = events.texts();
  Tallies tallies;
  tallies.reserve(aggregation.groupings.size());
  for (const auto& grouping : aggregation.groupings) {
    tallies.push_back(std::make_unique<Tally>(grouping, texts, budget));
  }
  Charges charges(budget);
  ConditionNumbers conditions(selection.goals, texts, charges);
  PartRunner parts(cores);
  FilterPlan filter(selection.filter, selection.range, seen.events(), parts, conditions);
  const Aggregation counted{selection, aggregation.groupings};
  if (selection.engagements) {
    sum_engagements(counted, seen.events(), filter, tallies, budget);
  } else {
    sum_events(counted, seen.events(), filter, tallies, budget, parts);
  }
  for (const auto& tally : tallies) tally->finish();
  return {std::make_move_iterator(tallies.begin()), std::make_move_iterator(tallies.end())};
}

}  // namespace analytics::query
