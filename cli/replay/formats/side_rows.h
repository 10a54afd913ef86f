#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// Looks up data about an event in a service's other tables, by the ids in the event's row.
class SideRows {
 public:
  virtual ~SideRows() = default;
  /// Returns a JSON object of the columns that were found, as texts.
  [[nodiscard]] virtual std::string find(std::string_view session, std::string_view event,
                                         std::string_view website) = 0;
};

}  // namespace analytics::cli
