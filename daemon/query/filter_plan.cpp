#include "daemon/query/filter_plan.h"

#include "daemon/query/filter_tree.h"
#include "daemon/query/part_selection.h"

namespace analytics::query {

void add_columns_of(const Filter& filter, ColumnSet& columns) {
  switch (filter.kind) {
    case Filter::Kind::kValue: return add_columns_of(filter.dimension.field, columns);
    case Filter::Kind::kHasDone:  // a separate scan evaluates the condition of kHasDone
      return columns.add(Column::kVisit);
    case Filter::Kind::kAll:
    case Filter::Kind::kAny:
    case Filter::Kind::kNot: break;
  }
  for (const auto& part : filter.parts) add_columns_of(part, columns);
}

/// Finds a part's visits that have at least one event that a filter accepts.
class FilterPlan::VisitSearch final : public PartTask {
 public:
  VisitSearch(FilterPlan& plan, std::unique_ptr<EventPart> part, const TimeRange& range,
              const ColumnSet& columns, std::mutex& mutex, const Budget& budget)
      : plan_(plan),
        part_(std::move(part)),
        budget_(budget),
        selection_(*part_, range, columns, plan.parts_.front(), mutex),
        done_(part_->visits(), 0) {}

  void run() override {
    const auto is_visit = part_->by_visit(Column::kVisit);
    RowList rows;
    while (selection_.next(rows)) {
      budget_.check_time();
      if (rows.empty()) continue;
      const auto visits = selection_.rows()[Column::kVisit];
      for (const auto row : rows) done_[visits[row]] = 1;
    }
    for (std::size_t i = 0; i < done_.size(); ++i) {
      if (is_visit[i] == 0) done_[i] = 0;
    }
  }

  void finish() override {
    for (const auto& shared : part_->shared_visits()) {
      if (done_[shared.visit] != 0) plan_.visits_.insert(static_cast<std::uint64_t>(shared.id));
    }
    plan_.visits_of_parts_.emplace(part_->id(), std::move(done_));
    budget_.check(plan_.memory());
  }

 private:
  FilterPlan& plan_;
  const std::unique_ptr<EventPart> part_;
  const Budget& budget_;
  PartSelection selection_;
  std::vector<char> done_;
};

FilterPlan::FilterPlan(const Filter& filter, const TimeRange& range, EventSource& events,
                       PartRunner& parts, ConditionNumbers& numbers)
    : kind_(filter.kind) {
  if (prepare_value(filter, numbers)) return;
  for (const auto& part : filter.parts) parts_.emplace_back(part, range, events, parts, numbers);
  if (kind_ == Filter::Kind::kHasDone) {
    find_visits(filter.parts.front(), range, events, parts, numbers.charges().budget());
  }
}

FilterPlan::FilterPlan(const Filter& filter, std::int64_t engagement, ConditionNumbers& numbers)
    : kind_(filter.kind), engagement_(engagement) {
  if (prepare_value(filter, numbers)) return;
  for (const auto& part : filter.parts) parts_.emplace_back(part, engagement, numbers);
}

bool FilterPlan::prepare_value(const Filter& filter, ConditionNumbers& numbers) {
  if (kind_ != Filter::Kind::kValue) return false;
  if (filter.dimension.field == Field::kGoal) {
    goal_ = std::make_unique<GoalCondition>(filter, numbers);
  } else {
    value_ = std::make_unique<ValueCondition>(filter, numbers);
  }
  return true;
}

void FilterPlan::find_visits(const Filter& part, const TimeRange& range, EventSource& events,
                             PartRunner& parts, const Budget& budget) {
  ColumnSet columns;
  columns.add(Column::kVisit);
  add_columns_of(part, columns);
  parts.run(events.parts(range), [&](PartId id) {
    return std::make_unique<VisitSearch>(*this, events.open_part(id), range, columns, parts.mutex(),
                                         budget);
  });
  EventBatch batch(columns);
  RowList rows;
  const auto scan = events.scan(range, columns);
  while (scan->next(batch)) {
    const auto visits = batch[Column::kVisit];
    rows.clear();
    for (std::uint32_t row = 0; row < batch.size(); ++row) {
      if (visits[row] != 0) rows.push_back(row);
    }
    parts_.front().keep_accepted(batch, rows);
    for (const auto row : rows) visits_.insert(static_cast<std::uint64_t>(visits[row]));
    budget.check(memory());
  }
}

/// Finds the visits of the batch that kHasDone accepts.
void FilterPlan::find_visits(const EventBatch& batch) {
  const auto visits = batch[Column::kVisit];
  const auto names = batch[Column::kName];
  RowList rows;
  for (std::uint32_t row = 0; row < batch.size(); ++row) {
    if (visits[row] != 0 && names[row] != *engagement_) rows.push_back(row);
  }
  parts_.front().keep_accepted(batch, rows);
  visits_ = {};
  for (const auto row : rows) visits_.insert(static_cast<std::uint64_t>(visits[row]));
}

/// Returns true if kHasDone accepts the visit. `visit`: the visit's value in the column kVisit of a
/// batch.
bool FilterPlan::has_done(std::int64_t visit) {
  if (visits_.contains(static_cast<std::uint64_t>(visit))) return true;
  if (visit < EventBatch::kPassingVisits) return false;
  const auto place = PartVisit::of(visit);
  const auto part = visits_of_parts_.find(place.part);
  return part != visits_of_parts_.end() && part->second.at(place.visit) != 0;
}

std::vector<char> FilterPlan::visits_of(EventPart& part) {
  auto done = visits_of_parts_.at(part.id());
  // The event that makes kHasDone accept a shared visit may be in another part or in rows.
  for (const auto& shared : part.shared_visits()) {
    done[shared.visit] = visits_.contains(static_cast<std::uint64_t>(shared.id)) ? 1 : 0;
  }
  return done;
}

void FilterPlan::keep_accepted(const EventBatch& batch, RowList& rows) {
  if (value_ != nullptr) return value_->keep_accepted(batch, rows);
  if (goal_ != nullptr) return goal_->keep_accepted(batch, rows);
  if (kind_ != Filter::Kind::kHasDone) {
    return keep_combined(kind_, parts_, rows,
                         [&](FilterPlan& part, RowList& some) { part.keep_accepted(batch, some); });
  }
  if (engagement_) find_visits(batch);
  const auto visits = batch[Column::kVisit];
  std::erase_if(rows,
                [&](std::uint32_t row) { return visits[row] == 0 || !has_done(visits[row]); });
}

std::size_t FilterPlan::memory() const {
  std::size_t bytes = visits_.memory();
  for (const auto& [part, visits] : visits_of_parts_) bytes += visits.size();
  for (const auto& part : parts_) bytes += part.memory();
  return bytes;
}

}  // namespace analytics::query
