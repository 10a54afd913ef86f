#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/query/events/budget.h"
#include "daemon/query/events/event_batch.h"

namespace analytics::query {

/// Returns true if removing the events that the filter refuses can change visits. A filter whose
/// conditions are all on dimensions of visits, such as the source, hides whole visits and does not
/// change the others.
[[nodiscard]] bool changes_visits(const Filter& filter);

/// Moves the selection's view (the filter of a shared link) into the selection's filter, and
/// excludes imported totals, because whether these count depends on all events of their day.
/// Returns the selection unchanged if it has no view or if the view changes visits.
[[nodiscard]] Selection with_plain_view(Selection selection);

/// An EventSource that hides the events that a filter refuses, as if they had never been sent.
/// Visits are made from the remaining events by the rules for stored events, so they reveal nothing
/// about refused events. The filter's conditions on visits apply to these visits.
///
/// To complete the visits at both ends of a requested range, EventView also reads events before and
/// after it: on each side for the length of the range, but at least Limits::least_around and at
/// most 2 days. Visits that extend further are cut off there.
class EventView final : public EventSource {
 public:
  struct Limits {
    UnixSeconds begin{};  ///< Events before this time are hidden, too.
    /// Minimum time to read on each side of a requested range.
    std::chrono::seconds least_around = std::chrono::hours(6);
  };
  /// `goals`: the goals that the filter's conditions refer to. The arguments must outlive the
  /// object; `goals`, `budget` and the texts of `all` must also outlive the scans that the object
  /// returns.
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

/// Divides a selection with a view (the filter of a shared link) into a selection without a view
/// and an EventSource of the events that the view shows.
class Seen {
 public:
  /// `all` and `budget` must outlive the object and the scans of events().
  Seen(const Selection& selection, EventSource& all, Budget& budget);
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  /// Returns the selection without a view.
  [[nodiscard]] const Selection& selection() const { return selection_; }
  /// Returns the EventSource that shows only the events of the view; `all` if the selection has no
  /// view.
  [[nodiscard]] EventSource& events() { return view_ ? *view_ : all_; }

 private:
  EventSource& all_;
  Selection selection_;
  const Filter filter_;  ///< The selection's view; accepts everything if there is none.
  std::optional<EventView> view_{};
};

}  // namespace analytics::query
