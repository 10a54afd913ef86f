#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// Looks up the rows that belong to an event in a service's other tables, by the event's ids.
class SideRows {
 public:
  virtual ~SideRows() = default;
  /// Returns a JSON object with the columns of all rows found for these ids.
  [[nodiscard]] virtual std::string find(std::string_view session, std::string_view event,
                                         std::string_view website) = 0;
};

}  // namespace analytics::cli
