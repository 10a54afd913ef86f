#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "common/event/revenue.h"
#include "common/text/time.h"

namespace analytics::test {

/// An event with every property that a query can refer to, as text.
struct CountedEvent {
  int visitor = 0;
  UnixMillis time{};
  std::map<std::string, std::string> values;  ///< By dimension name; empty if absent.
  std::map<std::string, std::string> props;
  std::optional<Revenue> revenue;
  bool interactive = true;
  std::size_t visit = 0;  ///< Index in Recount::visits.
};

}  // namespace analytics::test
