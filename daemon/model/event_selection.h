#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/time.h"
#include "daemon/model/import.h"
#include "daemon/model/site.h"

namespace analytics {

/// Stands for a stored event as long as it is stored, wherever it is moved: its time, and a keyed
/// hash of all that is known of it but for its visitor. Two events may have the same.
struct LastingId {
  UnixMillis time{};
  std::uint64_t hash = 0;
  bool operator==(const LastingId&) const = default;
};
/// 28 hex digits.
[[nodiscard]] std::string to_text(const LastingId& id);
[[nodiscard]] std::optional<LastingId> parse_lasting_id(std::string_view text);

/// Selects events of a site: those for which everything holds that is given.
struct EventSelection {
  struct Prop {
    std::string key;
    std::optional<std::string> value{};  ///< None: any.
  };

  SiteId site = 0;
  UnixSeconds from = UnixSeconds::min();
  UnixSeconds to = UnixSeconds::max();  ///< Exclusive.
  ImportId import = 0;                  ///< 0: of any and of none.
  std::optional<std::string> page{};    ///< A pattern of paths, as that of a page goal.
  std::optional<std::string> source{};  ///< The visit has it; empty: it has none.
  std::optional<Prop> prop{};
  std::optional<LastingId> visitor_of{};   ///< All events of its visitor on its UTC day.
  std::optional<std::uint64_t> visitor{};  ///< The number of that visitor, if its events are rows.

  [[nodiscard]] bool is_by_time() const {
    return import == 0 && !page && !source && !prop && !visitor_of;
  }
  [[nodiscard]] bool has_time(UnixSeconds time) const { return from <= time && time < to; }
};

}  // namespace analytics
