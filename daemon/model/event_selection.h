#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/text/time.h"
#include "daemon/model/import.h"
#include "daemon/model/site.h"

namespace analytics {

/// Identifies an event as long as it is stored, even when it moves into a part: its time and a
/// keyed hash of all its data except the visitor. Two events can have the same id.
struct LastingId {
  UnixMillis time{};
  std::uint64_t hash = 0;
  bool operator==(const LastingId&) const = default;
};
/// Encodes the id as 28 hex digits.
[[nodiscard]] std::string to_text(const LastingId& id);
[[nodiscard]] std::optional<LastingId> parse_lasting_id(std::string_view text);

/// Selects the events of a site that meet all given conditions.
struct EventSelection {
  struct Prop {
    std::string key;
    std::optional<std::string> value{};  ///< Nullopt: any value.
  };

  SiteId site = 0;
  UnixSeconds from = UnixSeconds::min();
  UnixSeconds to = UnixSeconds::max();  ///< Exclusive.
  ImportId import = 0;                  ///< 0: events of any import or of no import.
  std::optional<std::string> page{};    ///< A path pattern, as in a page goal.
  std::optional<std::string> source{};  ///< Source of the visit; empty: visits without a source.
  std::optional<Prop> prop{};
  /// Selects all events of this event's visitor on its UTC day.
  std::optional<LastingId> visitor_of{};
  std::optional<std::uint64_t> visitor{};  ///< Id of that visitor if the events are still rows.

  [[nodiscard]] bool is_by_time() const {
    return import == 0 && !page && !source && !prop && !visitor_of;
  }
  [[nodiscard]] bool has_time(UnixSeconds time) const { return from <= time && time < to; }
};

}  // namespace analytics
