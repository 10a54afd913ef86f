#include "daemon/store/sqlite/stats_filter.h"

#include <algorithm>

#include "daemon/model/client_names.h"

namespace analytics::sqlite {

namespace {

/// Values as they are stored: how nothing reads is the empty text, and a browser or system may be
/// asked for by a name of before or by Plausible's.
TextMatch stored_form(const Filter& filter) {
  auto match = filter.match;
  const bool is_whole = match.kind == MatchKind::kEquals;
  if (!is_whole && match.kind != MatchKind::kContains) return match;
  for (auto& value : match.values) {
    if (filter.dimension.field == Field::kBrowser) value = meant_browser(value);
    if (filter.dimension.field == Field::kOs) value = meant_os(value);
    if (is_whole && reads_as_empty(filter.dimension.field, value, match.any_case)) value.clear();
  }
  return match;
}

}  // namespace

/// A condition on a dimension's text.
struct FilterPlan::Value {
  enum class Verdict : char { kUnknown, kAccepted, kRefused };

  bool accepts(const EventRow& row) {
    const auto number = column.number(row);
    if (number >= verdicts.size()) {
      const auto size = std::max<std::size_t>(number + std::size_t{1}, 2 * verdicts.size());
      budget.charge(size - verdicts.size());
      verdicts.resize(size);
    }
    auto& verdict = verdicts[number];
    if (verdict == Verdict::kUnknown) {
      const auto& text = column.text(number);
      const bool accepted = needs_text && text.empty() ? false : matcher.matches(text) != negated;
      verdict = accepted ? Verdict::kAccepted : Verdict::kRefused;
    }
    return verdict == Verdict::kAccepted;
  }

  Column& column;
  Budget& budget;
  TextMatcher matcher;
  bool negated;
  bool needs_text;  ///< Neither part of what is not there is in anything, nor not in it.
  std::vector<Verdict> verdicts;  ///< By the column's numbers.
};

/// A condition on the goals an event meets.
struct FilterPlan::GoalValue {
  bool accepts(const EventRow& row) {
    const auto& met = column.numbers(row);
    const bool meets = std::any_of(met.begin(), met.end(), [&](auto goal) { return meant[goal]; });
    return meets != negated;
  }

  GoalColumn& column;
  std::vector<bool> meant;  ///< By the goals' places.
  bool negated;
};

void ask_for(const Filter& filter, Columns& columns) {
  if (filter.kind == Filter::Kind::kValue) return ask_for(filter.dimension.field, columns);
  if (filter.kind == Filter::Kind::kHasDone) {  // its part is judged in a scan of its own
    columns.visit_id = true;
    return;
  }
  for (const auto& part : filter.parts) ask_for(part, columns);
}

FilterPlan::FilterPlan(Connection& connection, FilterColumns& columns, const Filter& filter)
    : kind_(filter.kind) {
  const auto& selection = columns.selection();
  auto& texts = columns.texts();
  auto& budget = texts.budget();
  if (kind_ == Filter::Kind::kValue) {
    if (filter.dimension.field == Field::kGoal) {
      const TextMatcher matcher(filter.match);
      std::vector<bool> meant;
      for (const auto& goal : selection.goals) meant.push_back(matcher.matches(goal_name(goal)));
      goal_.reset(new GoalValue{columns.goals(), std::move(meant), filter.negated});
    } else {
      const bool is_part = filter.match.kind != MatchKind::kEquals;
      value_.reset(new Value{columns.column(filter.dimension),
                             budget,
                             TextMatcher(stored_form(filter)),
                             filter.negated,
                             is_part && filter.dimension.field == Field::kProp,
                             {}});
    }
    return;
  }
  for (const auto& part : filter.parts) {
    parts_.emplace_back(connection, columns, part);
  }
  if (kind_ != Filter::Kind::kHasDone) return;
  Columns asked;
  asked.visit_id = true;
  ask_for(filter.parts.front(), asked);
  EventScan scan(connection, texts, selection, asked);
  for (std::uint64_t i = 1; scan.next(); ++i) {
    if (i % kLookEvery == 0) budget.check(memory());
    const auto& row = scan.row();
    if (row.visit_id != 0 && parts_.front().accepts(row)) {
      visits_.insert(static_cast<std::uint64_t>(row.visit_id));
    }
  }
}

FilterPlan::~FilterPlan() = default;
FilterPlan::FilterPlan(FilterPlan&&) noexcept = default;

bool FilterPlan::accepts(const EventRow& row) {
  const auto holds = [&](FilterPlan& part) { return part.accepts(row); };
  switch (kind_) {
    case Filter::Kind::kAll: return std::all_of(parts_.begin(), parts_.end(), holds);
    case Filter::Kind::kAny: return std::any_of(parts_.begin(), parts_.end(), holds);
    case Filter::Kind::kNot: return !parts_.front().accepts(row);
    case Filter::Kind::kHasDone:
      return row.visit_id != 0 && visits_.contains(static_cast<std::uint64_t>(row.visit_id));
    case Filter::Kind::kValue: break;
  }
  return goal_ != nullptr ? goal_->accepts(row) : value_->accepts(row);
}

std::size_t FilterPlan::memory() const {
  std::size_t bytes = visits_.memory();
  for (const auto& part : parts_) bytes += part.memory();
  return bytes;
}

}  // namespace analytics::sqlite
