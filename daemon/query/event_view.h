#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/query/budget.h"
#include "daemon/query/event_batch.h"

namespace analytics::query {

/// Returns true if visits may be others without the events that the filter refuses. A filter that
/// only has conditions on whole visits hides visits, but changes none of the others.
[[nodiscard]] bool changes_visits(const Filter& filter);

/// Returns the selection with its view as part of the filter, unless the view changes visits.
/// Imported totals do not count under a view: whether they do depends on all events of their day.
[[nodiscard]] Selection with_plain_view(Selection selection);

/// A site's events as if those that a filter refuses had never been sent. Visits are made from the
/// others by the rules for stored events, so nothing about a refused event can be seen in them.
/// The filter's conditions on visits are about these visits, too.
///
/// Reads events around the requested range, too: as long a time as the range before it and after
/// it, but 2 days at most. A longer visit is taken to begin or end there.
class EventView final : public EventSource {
 public:
  struct Limits {
    UnixSeconds begin{};  ///< Events before it are hidden, too.
    std::chrono::seconds least_around = std::chrono::hours(6);  ///< Read around any range.
  };
  /// `goals`: the goals that the filter's conditions refer to. The arguments must outlive the
  /// object; `goals`, `budget` and the texts of `all` must also outlive the results from it.
  EventView(EventSource& all, const Filter& filter, const std::vector<Goal>& goals, Budget& budget,
            const Limits& limits)
      : all_(all), filter_(filter), goals_(goals), budget_(budget), limits_(limits) {}

  [[nodiscard]] std::unique_ptr<BatchSource> scan(const TimeRange& range,
                                                  const ColumnSet& columns) override;
  [[nodiscard]] std::unique_ptr<BatchSource> scan_engagements(const TimeRange& range,
                                                              const ColumnSet& columns) override;
  [[nodiscard]] Texts& texts() override { return all_.texts(); }

 private:
  EventSource& all_;
  const Filter& filter_;
  const std::vector<Goal>& goals_;
  Budget& budget_;
  const Limits limits_;
};

/// A selection, and the events that it sees.
class Seen {
 public:
  /// The references must outlive the object, and `all` the results from events().
  Seen(const Selection& selection, EventSource& all, Budget& budget);
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  /// Returns the selection without a view.
  [[nodiscard]] const Selection& selection() const { return selection_; }
  [[nodiscard]] EventSource& events() { return view_ ? *view_ : all_; }

 private:
  EventSource& all_;
  Selection selection_;
  const Filter filter_;  ///< The view's.
  std::optional<EventView> view_{};
};

}  // namespace analytics::query
