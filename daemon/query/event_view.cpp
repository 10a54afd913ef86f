#include "daemon/query/event_view.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "common/event/event_payload.h"
#include "daemon/query/events/made_visit.h"
#include "daemon/query/filter_plan.h"

namespace analytics::query {
namespace {

using Members = std::vector<const RawEvent*>;

bool is_earlier_of_visit(const RawEvent* one, const RawEvent* other) {
  return std::tie(one->visit, one->order) < std::tie(other->visit, other->order);
}

/// Returns a range around `range` that is to be read so that the visits at its ends are complete,
/// within `limits`.
TimeRange around(const TimeRange& range, const EventView::Limits& limits) {
  using std::chrono::seconds;
  const auto length =
      std::clamp<seconds>(range.to - range.from, limits.least_around, std::chrono::days(2));
  return {std::max(range.from - length, limits.begin), range.to + length};
}

/// Returns true if the remaining events of a visit still form one visit, as they do if no event
/// was refused. REQUIRES: the events are in order of time.
bool are_one_visit(std::span<const RawEvent* const> events) {
  Activity active;
  bool has_event = false;
  for (const auto* event : events) {
    const auto member = event->member();
    if (active != Activity() && !event->is_named && !active.reaches(member.activity)) return false;
    active.add(member.activity);
    has_event = has_event || event->role != VisitRole::kStay;
  }
  return has_event;
}

bool asks_visits(const Filter& filter) {
  if (filter.kind == Filter::Kind::kHasDone) return true;
  if (filter.kind == Filter::Kind::kValue) return is_of_visit(filter.dimension.field);
  return std::any_of(filter.parts.begin(), filter.parts.end(), asks_visits);
}

/// Returns one of two filters that together accept the same events as `filter`: its conditions on
/// visits if `on_visits` is true, else its other conditions.
Filter conditions_of(const Filter& filter, bool on_visits) {
  Filter all;
  if (filter.kind == Filter::Kind::kAll) {
    for (const auto& part : filter.parts) {
      auto some = conditions_of(part, on_visits);
      if (!is_everything(some)) all.parts.push_back(std::move(some));
    }
  } else if (asks_visits(filter) == on_visits) {
    all.parts.push_back(filter);
  }
  return all;
}

/// Applies a filter to raw events.
class Judge {
 public:
  Judge(const Filter& filter, Texts& texts, ConditionNumbers& conditions)
      : accepts_all_(is_everything(filter)),
        filter_(filter, texts.number(Column::kName, kEngagement), conditions),
        columns_(columns_of(filter)),
        writer_(columns_) {}

  [[nodiscard]] bool accepts_all() const { return accepts_all_; }
  /// Replaces `rows` with the indexes of those of `events` that the filter accepts.
  /// `visit_of(index)` returns the visit of an event. REQUIRES: `events` are whole visits if the
  /// filter has conditions on visits.
  template <typename VisitOf>
  void judge(std::span<const RawEvent* const> events, const VisitOf& visit_of, RowList& rows) {
    if (events.size() > capacity_) {
      capacity_ = events.size();
      batch_.emplace(columns_, capacity_);
    }
    rows.resize(events.size());
    std::iota(rows.begin(), rows.end(), 0U);
    for (const auto row : rows) writer_.write(*batch_, row, *events[row], visit_of(row));
    batch_->set_size(rows.size());
    filter_.keep_accepted(*batch_, rows);
  }
  /// Returns the memory in use that is not charged to the budget, in bytes.
  [[nodiscard]] std::size_t memory() const {
    return writer_.columns() * capacity_ * sizeof(std::int64_t) + filter_.memory();
  }

 private:
  /// Adds the columns of all conditions, including those inside kHasDone.
  static void add_all_columns_of(const Filter& filter, ColumnSet& columns) {
    add_columns_of(filter, columns);
    for (const auto& part : filter.parts) add_all_columns_of(part, columns);
  }
  static ColumnSet columns_of(const Filter& filter) {
    ColumnSet columns;
    add_all_columns_of(filter, columns);
    columns.add(Column::kName);
    columns.add(Column::kVisit);
    return columns;
  }

  const bool accepts_all_;
  FilterPlan filter_;
  const ColumnSet columns_;
  const RowWriter writer_;
  std::optional<EventBatch> batch_{};
  std::size_t capacity_ = 0;
};

/// Reads the events, or the engagements, that an EventView shows in a range.
class ViewScan final : public BatchSource {
 public:
  enum class Of { kEvents, kEngagements };

  ViewScan(EventSource& all, const Filter& filter, const std::vector<Goal>& goals,
           const TimeRange& range, const EventView::Limits& limits, const ColumnSet& columns, Of of,
           Budget& budget)
      : of_(of),
        range_(range),
        begin_(limits.begin),
        charges_(budget),
        conditions_(goals, all.texts(), charges_),
        of_events_(conditions_of(filter, false), all.texts(), conditions_),
        of_visits_(conditions_of(filter, true), all.texts(), conditions_),
        writer_(columns),
        raw_(all.scan_raw(around(range, limits))) {}

  bool next(EventBatch& batch) override {
    while (at_ == shown_.size()) {
      if (!make_next()) {
        batch.set_size(0);
        return false;
      }
    }
    const auto rows = std::min(EventBatch::kCapacity, shown_.size() - at_);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto place = shown_[at_++];
      writer_.write(batch, row, *members_[place], visit_of(place));
    }
    batch.set_size(rows);
    return true;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// First id of the visits that ViewScan makes; the numbers of PartVisits are lower.
  static constexpr std::int64_t kMadeVisits = EventBatch::kPassingVisits + (std::int64_t{1} << 61);

  /// Reads the next events and makes visits from them. Returns false if there are no more events.
  bool make_next() {
    if (raw_ == nullptr) return false;
    while (raw_->next(group_)) {
      charges_.budget().check(memory());
      list(group_.events);
      remove_refused(of_events_);
      if (group_.has_whole_visits) {
        make();
        return true;
      }
      for (const auto* event : members_) loose_.push_back(*event);
    }
    raw_.reset();
    list(loose_);
    make();
    return true;
  }

  void list(const std::vector<RawEvent>& events) {
    members_.clear();
    for (const auto& event : events) {
      if (event.order.first >= begin_) members_.push_back(&event);
    }
    visits_of_.assign(members_.size(), kNone);
  }

  void make() {
    sort();
    do {
      make_visits();
    } while (remove_refused(of_visits_));
    shown_.clear();
    at_ = 0;
    for (std::uint32_t place = 0; place < members_.size(); ++place) {
      const auto& event = *members_[place];
      const bool is_stay = event.role == VisitRole::kStay;
      const bool is_meant =
          of_ == Of::kEngagements ? is_stay && visits_of_[place] != kNone : !is_stay;
      const auto time = std::chrono::floor<std::chrono::seconds>(event.order.first);
      if (is_meant && range_.from <= time && time < range_.to) shown_.push_back(place);
    }
  }

  /// Sorts members_ by visit. The events of a part are already sorted, except for its engagements.
  void sort() {
    const auto middle = std::is_sorted_until(members_.begin(), members_.end(), is_earlier_of_visit);
    std::sort(middle, members_.end(), is_earlier_of_visit);
    std::inplace_merge(members_.begin(), middle, members_.end(), is_earlier_of_visit);
  }

  void make_visits() {
    visits_.clear();
    visits_of_.assign(members_.size(), kNone);
    for (std::size_t from = 0; from < members_.size();) {
      const auto to = end_of_visit(from);
      if (members_[from]->visit != 0) divide(from, to);
      from = to;
    }
    charges_.budget().check(memory());
  }

  [[nodiscard]] std::size_t end_of_visit(std::size_t from) const {
    auto to = from + 1;
    while (to < members_.size() && members_[to]->visit == members_[from]->visit) ++to;
    return to;
  }

  /// Makes one or more visits from members_[from] to members_[to - 1], the remaining events of a
  /// stored visit.
  void divide(std::size_t from, std::size_t to) {
    const auto events = std::span(members_).subspan(from, to - from);
    const auto first = visits_.size();
    const auto make = [&](std::size_t count) {
      for (; count > 0; --count) visits_.push_back({kMadeVisits + next_visit_++});
    };
    if (are_one_visit(events)) {
      make(1);
      for (; from < to; ++from) add(from, first);
      return;
    }
    std::vector<VisitMember> found;
    for (const auto* event : events) found.push_back(event->member());
    const auto numbers = divide_into_visits(found, events.front()->is_named);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!numbers[i]) continue;
      if (first + *numbers[i] >= visits_.size()) make(first + *numbers[i] + 1 - visits_.size());
      add(from + i, first + *numbers[i]);
    }
  }

  void add(std::size_t place, std::size_t visit) {
    visits_[visit].add(*members_[place]);
    visits_of_[place] = static_cast<std::uint32_t>(visit);
  }

  [[nodiscard]] const MadeVisit* visit_of(std::size_t place) const {
    return visits_of_[place] == kNone ? nullptr : &visits_[visits_of_[place]];
  }

  /// Removes from members_ the events that the judge refuses. Returns false if the judge accepts
  /// all.
  bool remove_refused(Judge& judge) {
    if (judge.accepts_all()) return false;
    Members accepted;
    RowList rows;
    for (std::size_t from = 0; from < members_.size();) {
      auto to = std::min(from + EventBatch::kCapacity, members_.size());
      const bool needs_whole = &judge == &of_visits_ && members_[to - 1]->visit != 0;
      if (needs_whole) to = end_of_visit(to - 1);
      charges_.budget().check_time();
      judge.judge(
          std::span(members_).subspan(from, to - from),
          [&](std::size_t row) { return visit_of(from + row); }, rows);
      for (const auto row : rows) accepted.push_back(members_[from + row]);
      from = to;
    }
    const bool has_refused = accepted.size() < members_.size();
    members_ = std::move(accepted);
    return has_refused;
  }

  /// Returns the memory in use that is not charged to the budget, in bytes.
  [[nodiscard]] std::size_t memory() const {
    return (group_.events.capacity() + loose_.capacity()) * sizeof(RawEvent) +
           members_.capacity() * sizeof(void*) + visits_.capacity() * sizeof(visits_[0]) +
           of_events_.memory() + of_visits_.memory();
  }

  const Of of_;
  const TimeRange range_;
  const UnixSeconds begin_;
  Charges charges_;
  ConditionNumbers conditions_;
  Judge of_events_;
  Judge of_visits_;
  const RowWriter writer_;
  std::unique_ptr<RawSource> raw_;  ///< Source of the events; null after its last event.
  RawEvents group_;                 ///< The events that raw_ returned last.
  /// Events whose visits may have further events that are not read yet.
  std::vector<RawEvent> loose_;
  Members members_;  ///< The events that visits are made from.
  std::vector<MadeVisit> visits_;
  /// For each of members_: index of its visit in visits_; kNone if it has none.
  std::vector<std::uint32_t> visits_of_;
  std::vector<std::uint32_t> shown_;  ///< Indexes in members_ of the events to return.
  std::size_t at_ = 0;
  std::int64_t next_visit_ = 0;
};

}  // namespace

bool changes_visits(const Filter& filter) {
  if (filter.kind == Filter::Kind::kHasDone) return true;
  if (filter.kind == Filter::Kind::kValue) return !is_of_visit(filter.dimension.field);
  return std::any_of(filter.parts.begin(), filter.parts.end(), changes_visits);
}

Selection with_plain_view(Selection selection) {
  if (is_everything(selection.view) || changes_visits(selection.view)) return selection;
  auto all = std::exchange(selection.view, {});
  // A kAll filter around the view can take further conditions.
  if (all.kind != Filter::Kind::kAll) {
    Filter list;
    list.parts.push_back(std::move(all));
    all = std::move(list);
  }
  if (selection.filter.kind == Filter::Kind::kAll) {
    all.parts.insert(all.parts.end(), selection.filter.parts.begin(), selection.filter.parts.end());
  } else {
    all.parts.push_back(std::move(selection.filter));
  }
  selection.filter = std::move(all);
  selection.with_imports = false;
  return selection;
}

Seen::Seen(const Selection& selection, EventSource& all, Budget& budget)
    : all_(all),
      selection_(with_plain_view(selection)),
      filter_(std::exchange(selection_.view, {})) {
  if (!is_everything(filter_))
    view_.emplace(all, filter_, selection_.goals, budget, EventView::Limits());
}

std::unique_ptr<BatchSource> EventView::scan(const TimeRange& range, const ColumnSet& columns) {
  return std::make_unique<ViewScan>(all_, filter_, goals_, range, limits_, columns,
                                    ViewScan::Of::kEvents, budget_);
}

std::unique_ptr<BatchSource> EventView::scan_engagements(const TimeRange& range,
                                                         const ColumnSet& columns) {
  return std::make_unique<ViewScan>(all_, filter_, goals_, range, limits_, columns,
                                    ViewScan::Of::kEngagements, budget_);
}

}  // namespace analytics::query
