#pragma once

#include <string>
#include <string_view>

namespace analytics::cli {

/// What other tables of a service say about an event, by the ids in its row.
class SideRows {
 public:
  virtual ~SideRows() = default;
  /// A JSON object of their columns, as texts.
  [[nodiscard]] virtual std::string find(std::string_view session, std::string_view event,
                                         std::string_view website) = 0;
};

}  // namespace analytics::cli
