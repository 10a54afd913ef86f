#include "cli/commands/event_filter.h"

#include <utility>

namespace analytics::cli {

Parameters parameters_of(const EventFilter& filter) {
  Parameters all;
  for (const auto& [name, value] : {std::pair{"from", &filter.from},
                                    {"to", &filter.to},
                                    {"page", &filter.page},
                                    {"source", &filter.source},
                                    {"prop", &filter.prop},
                                    {"import", &filter.import},
                                    {"visitor_of", &filter.visitor_of}}) {
    if (!value->empty()) all.emplace_back(name, *value);
  }
  return all;
}

}  // namespace analytics::cli
