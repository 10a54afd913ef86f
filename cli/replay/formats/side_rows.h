#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// Looks up the rows in a service's other tables that belong to an event, such as its session.
class SideRows {
 public:
  virtual ~SideRows() = default;
  /// Returns a JSON object with the columns of all rows that belong to these ids.
  [[nodiscard]] virtual std::string find(std::string_view session, std::string_view event,
                                         std::string_view website) = 0;
};

}  // namespace analytics::cli
