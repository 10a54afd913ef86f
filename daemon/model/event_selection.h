#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/text/time.h"
#include "daemon/model/import.h"
#include "daemon/model/site.h"

namespace analytics {

/// An event's id for exports and removals, which never changes while the event is stored: its time
/// and a keyed hash of all its data except the visitor. Not unique, because two visitors can send
/// equal events at the same time.
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
    std::optional<std::string> value{};  ///< Value of the property; nullopt for any value.
  };

  SiteId site = 0;
  UnixSeconds from = UnixSeconds::min();
  UnixSeconds to = UnixSeconds::max();  ///< Exclusive end of the events' times.
  ImportId import = 0;  ///< Import that the events belong to; 0 if imports do not matter.
  std::optional<std::string> page{};  ///< Pattern of the event's path, as in a page goal.
  /// Source of the visit; an empty text for visits without a source.
  std::optional<std::string> source{};
  std::optional<Prop> prop{};
  /// Id of an event: selects only events of the same visitor on the same UTC day. Nullopt if the
  /// visitor does not matter.
  std::optional<LastingId> visitor_of{};
  /// Id of the visitor of `visitor_of`, set by store::EventReader::resolve(). Nullopt if only
  /// sealed parts contain the events, because these store no visitor ids.
  std::optional<std::uint64_t> visitor{};

  /// Returns true if the selection has no other conditions than the site and the time.
  [[nodiscard]] bool is_by_time() const {
    return import == 0 && !page && !source && !prop && !visitor_of;
  }
  [[nodiscard]] bool has_time(UnixSeconds time) const { return from <= time && time < to; }
};

}  // namespace analytics
