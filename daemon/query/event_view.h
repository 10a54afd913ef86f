#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/query/events/budget.h"
#include "daemon/query/events/event_batch.h"

namespace analytics::query {

/// Returns true if visits can change when the events that the filter refuses are removed. A filter
/// with only conditions on whole visits hides visits, but does not change the others.
[[nodiscard]] bool changes_visits(const Filter& filter);

/// Returns the selection with its view (the filter of a shared link) moved into its filter, unless
/// the view changes visits. Such a selection excludes imported totals, because whether they count
/// depends on all events of their day.
[[nodiscard]] Selection with_plain_view(Selection selection);

/// A site's events as if those that a filter refuses had never been sent. Visits are made from the
/// remaining events by the rules for stored events, so they reveal nothing about refused events.
/// The filter's conditions on visits apply to these visits.
///
/// Also reads events before and after the requested range, on each side for the length of the
/// range, but for `least_around` at least and 2 days at most. Longer visits are cut off there.
class EventView final : public EventSource {
 public:
  struct Limits {
    UnixSeconds begin{};  ///< Earlier events are hidden, too.
    /// Least time to read on each side of a range.
    std::chrono::seconds least_around = std::chrono::hours(6);
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

/// A selection, and a source of the events that its view shows.
class Seen {
 public:
  /// `all` and `budget` must outlive the object and the results from events().
  Seen(const Selection& selection, EventSource& all, Budget& budget);
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  /// Returns the selection without a view.
  [[nodiscard]] const Selection& selection() const { return selection_; }
  [[nodiscard]] EventSource& events() { return view_ ? *view_ : all_; }

 private:
  EventSource& all_;
  Selection selection_;
  const Filter filter_;  ///< The view, split off from the selection.
  std::optional<EventView> view_{};
};

}  // namespace analytics::query
