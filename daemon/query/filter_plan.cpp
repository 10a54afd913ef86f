#include "daemon/query/filter_plan.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "daemon/query/part_lists.h"

namespace analytics::query {
namespace {

std::vector<GoalGroup> one_group_each(const std::vector<Goal>& goals) {
  std::vector<GoalGroup> groups;
  groups.reserve(goals.size());
  for (const auto& goal : goals) groups.push_back({goal_name(goal), {goal}});
  return groups;
}

RowList without(const RowList& rows, const RowList& removed) {
  RowList rest;
  std::set_difference(rows.begin(), rows.end(), removed.begin(), removed.end(),
                      std::back_inserter(rest));
  return rest;
}

}  // namespace

ConditionNumbers::ConditionNumbers(const std::vector<Goal>& goals, Texts& texts, Budget& budget)
    : texts_(texts),
      budget_(budget),
      goal_groups_(one_group_each(goals)),
      goal_numbers_(goal_groups_, texts, budget) {}

ValueNumbers& ConditionNumbers::values(const Dimension& dimension) {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const auto& each) { return each.first == dimension; });
  if (found != values_.end()) return *found->second;
  auto numbers = std::make_unique<ValueNumbers>(dimension, std::string(), texts_, budget_);
  return *values_.emplace_back(dimension, std::move(numbers)).second;
}

/// A condition on a dimension's text.
class FilterPlan::ValueCondition {
 public:
  ValueCondition(const Filter& filter, ConditionNumbers& numbers)
      : values_(numbers.values(filter.dimension)),
        budget_(numbers.budget()),
        matcher_(filter.match),
        negated_(filter.negated),
        needs_value_(filter.needs_value) {}

  void keep_accepted(PartRows& block, RowList& rows) {
    auto& part = block.part();
    if (part_ != part.id()) judge_all(part);
    const auto codes = block[values_.column()];
    std::size_t kept = 0;
    for (const auto row : rows) {
      rows[kept] = row;
      kept += accepted_codes_[codes[row]];
    }
    rows.resize(kept);
  }

  void keep_accepted(const EventBatch& batch, RowList& rows) {
    values_.assign(batch, rows, numbers_);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (accepts(numbers_[i])) rows[kept++] = rows[i];
    }
    rows.resize(kept);
  }

 private:
  enum class Verdict : char { kUnknown, kAccepted, kRefused };

  void judge_all(EventPart& part) {
    accepted_codes_.clear();
    for (const auto stored : part.numbers(values_.column())) {
      accepted_codes_.push_back(accepts(values_.number_of(stored)) ? 1 : 0);
    }
    part_ = part.id();
  }

  bool accepts(std::uint32_t number) {
    if (number >= verdicts_.size()) {
      const auto size = std::max<std::size_t>(number + std::size_t{1}, 2 * verdicts_.size());
      budget_.charge(size - verdicts_.size());
      verdicts_.resize(size);
    }
    auto& verdict = verdicts_[number];
    if (verdict == Verdict::kUnknown) {
      verdict = judge(values_.text(number)) ? Verdict::kAccepted : Verdict::kRefused;
    }
    return verdict == Verdict::kAccepted;
  }
  [[nodiscard]] bool judge(const std::string& text) const {
    if (needs_value_ && text.empty()) return false;
    return matcher_.matches(text) != negated_;
  }

  ValueNumbers& values_;
  Budget& budget_;
  const TextMatcher matcher_;
  const bool negated_;
  const bool needs_value_;
  std::vector<Verdict> verdicts_;             ///< By number.
  std::optional<PartId> part_;                ///< The part of the next.
  std::vector<std::uint8_t> accepted_codes_;  ///< By code, 1 or 0.
  std::vector<std::uint32_t> numbers_;
};

/// A condition on the goals that an event meets.
class FilterPlan::GoalCondition {
 public:
  GoalCondition(const Filter& filter, ConditionNumbers& numbers)
      : goals_(numbers.goals()), negated_(filter.negated) {
    const TextMatcher matcher(filter.match);
    for (const auto& goal : numbers.goal_groups()) is_meant_.push_back(matcher.matches(goal.name));
  }

  void keep_accepted(const EventBatch& batch, RowList& rows) {
    std::erase_if(rows, [&](std::uint32_t row) { return !accepts(goals_.of(batch, row)); });
  }

  void keep_accepted(PartRows& block, RowList& rows) {
    if (part_ != block.part().id()) lists_.emplace(goals_, block.part());
    part_ = block.part().id();
    lists_->begin(block);
    std::erase_if(rows, [&](std::uint32_t row) { return !accepts(lists_->of(row)); });
  }

 private:
  [[nodiscard]] bool accepts(const std::vector<std::uint32_t>& met) const {
    const bool meets =
        std::any_of(met.begin(), met.end(), [&](std::uint32_t goal) { return is_meant_[goal]; });
    return meets != negated_;
  }

  GoalNumbers& goals_;
  std::vector<bool> is_meant_;  ///< By goal.
  const bool negated_;
  std::optional<PartId> part_;  ///< The part of the next.
  std::optional<PartLists> lists_;
};

void add_columns_of(const Filter& filter, ColumnSet& columns) {
  switch (filter.kind) {
    case Filter::Kind::kValue: return add_columns_of(filter.dimension.field, columns);
    case Filter::Kind::kHasDone:  // its part is judged in a scan of its own
      return columns.add(Column::kVisit);
    case Filter::Kind::kAll:
    case Filter::Kind::kAny:
    case Filter::Kind::kNot: break;
  }
  for (const auto& part : filter.parts) add_columns_of(part, columns);
}

FilterPlan::FilterPlan(const Filter& filter, const TimeRange& range, EventSource& events,
                       ConditionNumbers& numbers)
    : kind_(filter.kind) {
  if (kind_ == Filter::Kind::kValue) {
    if (filter.dimension.field == Field::kGoal) {
      goal_ = std::make_unique<GoalCondition>(filter, numbers);
    } else {
      value_ = std::make_unique<ValueCondition>(filter, numbers);
    }
    return;
  }
  for (const auto& part : filter.parts) parts_.emplace_back(part, range, events, numbers);
  if (kind_ == Filter::Kind::kHasDone) {
    find_visits(filter.parts.front(), range, events, numbers.budget());
  }
}

FilterPlan::~FilterPlan() = default;
FilterPlan::FilterPlan(FilterPlan&&) noexcept = default;

void FilterPlan::find_visits(const Filter& part, const TimeRange& range, EventSource& events,
                             const Budget& budget) {
  ColumnSet columns;
  columns.add(Column::kVisit);
  add_columns_of(part, columns);
  for (const auto id : events.parts(range)) {
    const auto opened = events.open_part(id);
    find_visits(*opened, range, columns, budget);
  }
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

void FilterPlan::find_visits(EventPart& part, const TimeRange& range, const ColumnSet& columns,
                             const Budget& budget) {
  auto& done = visits_of_parts_[part.id()];
  done.assign(part.visits(), 0);
  const auto is_visit = part.by_visit(Column::kVisit);
  PartRows block(part, range, columns);
  RowList rows;
  while (block.next()) {
    block.select(rows);
    const auto visits = block[Column::kVisit];
    std::erase_if(rows, [&](std::uint32_t row) { return is_visit[visits[row]] == 0; });
    parts_.front().keep_accepted(block, rows);
    for (const auto row : rows) done[visits[row]] = 1;
  }
  for (const auto& [visit, id] : part.shared_visits()) {
    if (done[visit] != 0) visits_.insert(static_cast<std::uint64_t>(id));
  }
  budget.check(memory());
}

void FilterPlan::keep_done(const EventBatch& batch, RowList& rows) {
  const auto visits = batch[Column::kVisit];
  std::erase_if(rows, [&](std::uint32_t row) {
    return visits[row] == 0 || !visits_.contains(static_cast<std::uint64_t>(visits[row]));
  });
}

void FilterPlan::keep_done(PartRows& block, RowList& rows) {
  auto& done = visits_of_parts_.at(block.part().id());
  if (block.first() == 0) {  // other parts, or rows, may know more of these
    for (const auto& [visit, id] : block.part().shared_visits()) {
      done[visit] = visits_.contains(static_cast<std::uint64_t>(id)) ? 1 : 0;
    }
  }
  const auto visits = block[Column::kVisit];
  std::erase_if(rows, [&](std::uint32_t row) { return done[visits[row]] == 0; });
}

void FilterPlan::keep_accepted(const EventBatch& batch, RowList& rows) { keep(batch, rows); }
void FilterPlan::keep_accepted(PartRows& block, RowList& rows) { keep(block, rows); }

template <typename Rows>
void FilterPlan::keep(Rows& batch, RowList& rows) {
  switch (kind_) {
    case Filter::Kind::kAll:
      for (auto& part : parts_) part.keep_accepted(batch, rows);
      return;
    case Filter::Kind::kAny: return keep_any(batch, rows);
    case Filter::Kind::kNot: {
      auto accepted = rows;
      parts_.front().keep_accepted(batch, accepted);
      rows = without(rows, accepted);
      return;
    }
    case Filter::Kind::kHasDone: return keep_done(batch, rows);
    case Filter::Kind::kValue: break;
  }
  goal_ != nullptr ? goal_->keep_accepted(batch, rows) : value_->keep_accepted(batch, rows);
}

/// Each part judges only what no part before it has accepted.
template <typename Rows>
void FilterPlan::keep_any(Rows& batch, RowList& rows) {
  auto rest = std::move(rows);
  rows.clear();
  for (auto& part : parts_) {
    auto accepted = rest;
    part.keep_accepted(batch, accepted);
    rest = without(rest, accepted);
    const auto middle = static_cast<std::ptrdiff_t>(rows.size());
    rows.insert(rows.end(), accepted.begin(), accepted.end());
    std::inplace_merge(rows.begin(), rows.begin() + middle, rows.end());
  }
}

std::size_t FilterPlan::memory() const {
  std::size_t bytes = visits_.memory();
  for (const auto& [part, visits] : visits_of_parts_) bytes += visits.size();
  for (const auto& part : parts_) bytes += part.memory();
  return bytes;
}

}  // namespace analytics::query
