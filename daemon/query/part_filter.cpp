#include "daemon/query/part_filter.h"

#include <algorithm>

#include "daemon/query/filter_tree.h"

namespace analytics::query {
namespace {

/// Keeps the rows whose value has the mark 1, and removes those whose value has the mark 0.
template <typename Marks>
void keep_marked(std::span<const std::uint32_t> values, const Marks& marks, RowList& rows) {
  std::size_t kept = 0;
  for (const auto row : rows) {
    rows[kept] = row;
    kept += static_cast<std::size_t>(marks[values[row]]);
  }
  rows.resize(kept);
}

}  // namespace

PartFilter::PartFilter(FilterPlan& plan, EventPart& part, std::mutex& mutex) : kind_(plan.kind()) {
  if (auto* value = plan.value(); value != nullptr) {
    column_ = value->column();
    judges_visits_ = is_of_visit(column_);
    for (const auto stored : part.numbers(column_)) {
      accepted_codes_.push_back(value->accepts_stored(stored) ? 1 : 0);
    }
  } else if (plan.goal() != nullptr) {
    goal_ = plan.goal();
    goals_.emplace(goal_->goals(), part, mutex);
    judges_visits_ = false;
  } else if (kind_ == Filter::Kind::kHasDone) {
    done_ = plan.visits_of(part);
  } else {
    for (auto& each : plan.parts()) {
      parts_.emplace_back(each, part, mutex);
      judges_visits_ = judges_visits_ && parts_.back().judges_visits_;
    }
  }
}

void PartFilter::keep_accepted(PartRows& block, RowList& rows) {
  if (goal_ != nullptr) {
    goals_->begin(block);
    std::erase_if(rows, [&](std::uint32_t row) { return !goal_->accepts(goals_->of(row)); });
  } else if (kind_ == Filter::Kind::kValue) {
    keep_marked(block[column_], accepted_codes_, rows);
  } else if (kind_ == Filter::Kind::kHasDone) {
    keep_marked(block[Column::kVisit], done_, rows);
  } else {
    keep_combined(kind_, parts_, rows,
                  [&](PartFilter& part, RowList& some) { part.keep_accepted(block, some); });
  }
}

bool PartFilter::refuses_visits() const {
  if (kind_ != Filter::Kind::kAll) return judges_visits_;
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const auto& part) { return part.refuses_visits(); });
}

void PartFilter::keep_visits(PartRows& block, RowList& visits) {
  if (judges_visits_) return keep_accepted(block, visits);
  if (kind_ != Filter::Kind::kAll) return;
  for (auto& part : parts_) part.keep_visits(block, visits);
}

void PartFilter::keep_events(PartRows& block, RowList& events) {
  if (judges_visits_) return;
  if (kind_ != Filter::Kind::kAll) return keep_accepted(block, events);
  for (auto& part : parts_) part.keep_events(block, events);
}

}  // namespace analytics::query
