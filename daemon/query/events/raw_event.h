#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/event/engagement.h"
#include "daemon/model/visit.h"
#include "daemon/query/events/own_columns.h"

namespace analytics::query {

/// An event with all its stored values. Texts are represented by their ids in the site's
/// dictionary.
struct RawEvent {
  EventOrder order;
  std::uint64_t visitor = 0;
  VisitId visit = 0;  ///< Id of the event's visit; 0 if the event has no visit.
  VisitRole role = VisitRole::kPassive;
  /// True if the event was sent as not interactive, which a pageview can be, too.
  bool is_passive = false;
  bool is_named = false;    ///< True if an import named the visit.
  std::int64_t import = 0;  ///< Id of the event's import; 0 for no import.
  /// Revenue in millionths of the currency's unit; undefined if the event has no currency.
  std::int64_t micros = 0;
  Engagement engagement;
  /// Values that the event was sent with, in the order of kOwnColumns.
  std::array<std::uint32_t, kOwnColumns.size()> own{};

  /// Returns the value of a column. REQUIRES: one of kOwnColumns.
  [[nodiscard]] std::uint32_t operator[](Column column) const { return own[own_place(column)]; }
  void set(Column column, std::uint32_t number) { own[own_place(column)] = number; }
  /// Returns those values of the event that decide to which visit it belongs and what the visit
  /// counts.
  [[nodiscard]] VisitMember member() const {
    return {order, Activity(order.first, std::chrono::milliseconds(engagement.millis.value_or(0))),
            role};
  }
  bool operator==(const RawEvent&) const = default;
};

}  // namespace analytics::query
