#include "daemon/stats/alert_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace analytics {

nlohmann::ordered_json to_json(const Alert& alert) {
  nlohmann::ordered_json json = {{"site", alert.site.domain},
                                 {"kind", alert_kind_name(alert.kind)},
                                 {"since", format_rfc3339(alert.since)}};
  if (alert.kind == AlertKind::kSpike) {
    constexpr double kTenths = 10;
    json["visitors"] = alert.visitors;
    json["usual"] = std::round(alert.usual * kTenths) / kTenths;
  }
  json["text"] = alert.text;
  return json;
}

}  // namespace analytics
