#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "common/revenue.h"
#include "common/time.h"

namespace analytics::test {

/// An event with all that a query can ask of it, as texts.
struct CountedEvent {
  int visitor = 0;
  UnixMillis time{};
  std::map<std::string, std::string>
      values;  ///< By the dimension's name; what is not here is empty.
  std::map<std::string, std::string> props;
  std::optional<Revenue> revenue;
  bool interactive = true;
  std::size_t visit = 0;  ///< Its place in Recount::visits.
};

}  // namespace analytics::test
