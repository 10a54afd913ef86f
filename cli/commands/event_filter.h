#pragma once

#include <string>

#include "cli/frame/api_client.h"

namespace analytics::cli {

/// Selects events of a site that meet every condition. An empty member sets no condition.
struct EventFilter {
  std::string from;  ///< First day in the site's time zone, or a time in RFC 3339.
  std::string to;    ///< Last day in the site's time zone (inclusive), or a time in RFC 3339.
  std::string page;  ///< Pattern of the page's path; `*` and `**` are wildcards.
  std::string source;
  std::string prop;  ///< Property, as "key=value" or "key".
  std::string import;
  std::string visitor_of;  ///< event_id of any event of the visitor.
};

/// Returns the filter as query parameters of the API.
[[nodiscard]] Parameters parameters_of(const EventFilter& filter);

}  // namespace analytics::cli
