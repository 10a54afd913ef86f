#include "daemon/query/funnel.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "daemon/query/event_view.h"
#include "daemon/query/events/flat_table.h"
#include "daemon/query/filter_plan.h"
#include "daemon/query/part_lists.h"
#include "daemon/query/part_selection.h"

namespace analytics::query {
namespace {

using Steps = std::uint8_t;  // a bit for each step of the funnel that an event meets
static_assert(kMaxFunnelSteps <= 8);

/// An event that meets at least one step of the funnel.
struct Met {
  std::int64_t time = 0;    ///< Time of the event in Unix milliseconds.
  std::uint32_t order = 0;  ///< Position among events at the same time.
  Steps steps = 0;          ///< The steps that the event meets.
};
bool is_before(const Met& one, const Met& other) {
  return std::tie(one.time, one.order) < std::tie(other.time, other.order);
}

/// An event that meets a step of the funnel and whose visit or visitor may have events in other
/// parts or in rows.
struct Loose : Met {
  std::int64_t visit = 0;
  std::uint32_t visitor = 0;
};

Steps steps_of(const std::vector<std::uint32_t>& met) {
  Steps steps = 0;
  for (const auto step : met) steps |= static_cast<Steps>(1U << step);
  return steps;
}

/// Returns how many steps of the funnel the events take, each with the earliest possible event.
/// REQUIRES: the events are in order of time.
template <typename Events>
std::size_t progress(const Events& events) {
  std::size_t taken = 0;
  for (const auto& event : events) taken += (event.steps >> taken) & 1U;
  return taken;
}

std::vector<GoalGroup> groups_of(const std::vector<Goal>& steps) {
  std::vector<GoalGroup> groups;
  groups.reserve(steps.size());
  for (const auto& step : steps) groups.push_back({goal_name(step), {step}});
  return groups;
}

ColumnSet columns_of(const FunnelQuery& funnel) {
  ColumnSet columns;
  add_columns_of(funnel.selection.filter, columns);
  add_columns_of(Field::kGoal, columns);
  for (const auto column : {Column::kTime, Column::kMillis, Column::kVisitor, Column::kVisit}) {
    columns.add(column);
  }
  return columns;
}

/// Counts how far each visitor came in the funnel. Most visitors are counted within a part; events
/// of the others are collected and evaluated at the end.
class FunnelTally {
 public:
  FunnelTally(std::size_t steps, FunnelWithin within) : counts_(steps + 1), within_(within) {}

  /// Adds visitors that are already counted: visitors[n] of them took n steps.
  void add(const std::vector<std::int64_t>& visitors) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += visitors[i];
  }
  /// Registers a visitor who took at least `steps` steps and may have events in other parts or
  /// rows. Returns the visitor's number.
  std::uint32_t add_visitor(std::uint64_t id, std::size_t steps) {
    const auto visitor = visitors_.number(id);
    if (visitor == best_.size()) best_.push_back(0);
    best_[visitor] = std::max(best_[visitor], steps);
    return visitor;
  }
  void add(const Loose& event) { loose_.push_back(event); }
  [[nodiscard]] std::size_t memory() const {
    return visitors_.memory() + best_.capacity() * sizeof(best_[0]) +
           loose_.capacity() * sizeof(Loose);
  }

  FunnelVisitors finish() {
    std::sort(loose_.begin(), loose_.end(), [this](const Loose& one, const Loose& other) {
      const auto first = whole_of(one);
      const auto second = whole_of(other);
      return first != second ? first < second : is_before(one, other);
    });
    for (auto from = loose_.begin(); from != loose_.end();) {
      const auto whole = whole_of(*from);
      const auto to = std::find_if(from, loose_.end(),
                                   [&](const Loose& event) { return whole_of(event) != whole; });
      auto& best = best_[from->visitor];
      best = std::max(best, progress(std::span(from, to)));
      from = to;
    }
    for (const auto steps : best_) ++counts_[steps];
    FunnelVisitors visitors(counts_.size() - 1);
    std::int64_t further = 0;
    for (auto step = visitors.size(); step-- > 0;) {
      further += counts_[step + 1];
      visitors[step] = further;
    }
    return visitors;
  }

 private:
  /// Returns the key of the visit or day in which all steps of the funnel must happen. Events
  /// without a visit belong to a day of their visitor.
  [[nodiscard]] std::pair<std::int64_t, std::uint32_t> whole_of(const Loose& event) const {
    const bool is_visit = within_ == FunnelWithin::kVisit && event.visit != 0;
    return is_visit ? std::pair(event.visit, 0U) : std::pair(std::int64_t{0}, event.visitor);
  }

  /// Number of visitors, by the number of steps that they took.
  std::vector<std::int64_t> counts_;
  Numbering visitors_;             ///< Visitors whose events may not all be in one part.
  std::vector<std::size_t> best_;  ///< By number in visitors_: greatest number of steps taken.
  std::vector<Loose> loose_;
  const FunnelWithin within_;
};

/// Counts how far the visitors of a part came in the funnel. In a part, the events of a visitor are
/// next to each other.
class FunnelPart final : public PartTask {
 public:
  FunnelPart(std::unique_ptr<EventPart> part, const FunnelQuery& funnel, FilterPlan& filter,
             GoalNumbers& goals, FunnelTally& tally, std::mutex& mutex, const Budget& budget)
      : part_(std::move(part)),
        within_(funnel.within),
        tally_(tally),
        budget_(budget),
        selection_(*part_, funnel.selection.range, columns_of(funnel), filter, mutex),
        lists_(goals, *part_, mutex),
        counts_(funnel.steps.size() + 1) {
    for (const auto& shared : part_->shared_visits()) {
      shared_.emplace(shared.visit, shared.id);
      shared_visitors_.emplace(part_->by_visit(Column::kVisitor)[shared.visit], shared.visitor);
    }
    budget.check(filter.memory() + tally.memory() + memory());
  }

  void run() override {
    const auto begin = part_->range().from.time_since_epoch().count();
    RowList rows;
    while (selection_.next(rows)) {
      budget_.check_time();
      if (rows.empty()) continue;
      auto& block = selection_.rows();
      lists_.begin(block);
      const auto visitors = block[Column::kVisitor];
      const auto visits = block[Column::kVisit];
      const auto times = block[Column::kTime];
      for (const auto row : rows) {
        const auto steps = steps_of(lists_.of(row));
        if (steps == 0) continue;
        if (visitors[row] != visitor_) end_visitor();
        if (visits[row] != visit_) end_visit();
        visitor_ = visitors[row];
        visit_ = visits[row];
        events_.push_back(
            {(begin + times[row]) * 1'000, static_cast<std::uint32_t>(block.first() + row), steps});
      }
    }
    end_visitor();
  }

  void finish() override {
    tally_.add(counts_);
    for (const auto& [id, steps, events] : open_) {
      const auto visitor = tally_.add_visitor(id, steps);
      for (auto event : events) {
        event.visitor = visitor;
        tally_.add(event);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// A visitor with a shared visit, whose other events may be in other parts or in rows.
  struct OpenVisitor {
    std::uint64_t id = 0;
    std::size_t steps = 0;
    std::vector<Loose> events{};
  };

  void end_visit() {
    if (within_ == FunnelWithin::kDay || events_.empty()) return;
    if (const auto shared = shared_.find(visit_); shared != shared_.end()) {
      for (const auto& event : events_) loose_.push_back({event, shared->second});
    } else {
      steps_ = std::max(steps_, progress(events_));
    }
    events_.clear();
  }

  void end_visitor() {
    const auto shared = shared_visitors_.find(visitor_);
    const bool is_shared = shared != shared_visitors_.end();
    if (within_ == FunnelWithin::kDay) {
      if (is_shared) {
        for (const auto& event : events_) loose_.push_back({event});
      } else {
        std::sort(events_.begin(), events_.end(), is_before);
        steps_ = progress(events_);
      }
      events_.clear();
    }
    end_visit();
    if (is_shared) {
      open_.push_back({shared->second, steps_, std::exchange(loose_, {})});
    } else if (steps_ > 0) {
      ++counts_[steps_];
    }
    steps_ = 0;
    visit_ = kNone;
  }

  [[nodiscard]] std::size_t memory() const {
    return (shared_.size() + shared_visitors_.size()) * 64;
  }

  const std::unique_ptr<EventPart> part_;
  const FunnelWithin within_;
  FunnelTally& tally_;
  const Budget& budget_;
  PartSelection selection_;
  PartLists lists_;
  /// Ids of the shared visits and of their visitors, by index of the visit or visitor in the part.
  std::unordered_map<std::uint32_t, VisitId> shared_;
  std::unordered_map<std::uint32_t, std::uint64_t> shared_visitors_;
  std::vector<std::int64_t> counts_;
  std::vector<OpenVisitor> open_;
  // The members below describe the visitor and the visit whose events are being read.
  std::uint32_t visitor_ = kNone;
  std::uint32_t visit_ = kNone;
  std::vector<Met> events_;
  std::vector<Loose> loose_;
  std::size_t steps_ = 0;
};

void add_rows(const FunnelQuery& funnel, EventSource& events, FilterPlan& filter,
              GoalNumbers& goals, FunnelTally& tally, const Budget& budget) {
  EventBatch batch(columns_of(funnel));
  RowList rows;
  std::uint32_t order = 0;
  const auto scan = events.scan(funnel.selection.range, batch.columns());
  while (scan->next(batch)) {
    rows.resize(batch.size());
    std::iota(rows.begin(), rows.end(), 0U);
    filter.keep_accepted(batch, rows);
    for (const auto row : rows) {
      const auto steps = steps_of(goals.of(batch, row));
      if (steps == 0) continue;
      const auto visitor =
          tally.add_visitor(static_cast<std::uint64_t>(batch[Column::kVisitor][row]), 0);
      const auto time = batch[Column::kTime][row] * 1'000 + batch[Column::kMillis][row];
      tally.add({{time, order++, steps}, batch[Column::kVisit][row], visitor});
    }
    budget.check(filter.memory() + tally.memory());
  }
}

}  // namespace

FunnelVisitors count_funnel(const FunnelQuery& query, EventSource& all, Budget& budget,
                            Cores& cores) {
  const auto core = cores.use();
  Seen seen(query.selection, all, budget);
  auto funnel = query;
  funnel.selection = seen.selection();
  const auto& selection = funnel.selection;
  auto& events = seen.events();
  Charges charges(budget);
  ConditionNumbers conditions(selection.goals, events.texts(), charges);
  PartRunner parts(cores);
  FilterPlan filter(selection.filter, selection.range, events, parts, conditions);
  const auto groups = groups_of(funnel.steps);
  GoalNumbers goals(groups, events.texts(), charges);
  FunnelTally tally(funnel.steps.size(), funnel.within);
  parts.run(events.parts(selection.range), [&](PartId id) {
    return std::make_unique<FunnelPart>(events.open_part(id), funnel, filter, goals, tally,
                                        parts.mutex(), budget);
  });
  add_rows(funnel, events, filter, goals, tally, budget);
  return tally.finish();
}

}  // namespace analytics::query
