#pragma once

#include <string>
#include <string_view>

#include "common/text/time.h"
#include "daemon/model/site.h"

namespace analytics {

/// A kind of trouble with a site. The numbers are stored: never change one.
enum class AlertKind {
  kSilent = 1,  ///< The site had events, but none in the last hours.
  kSpike = 2,   ///< The site has far more visitors than usual at this hour.
};
[[nodiscard]] constexpr std::string_view alert_kind_name(AlertKind kind) {
  return kind == AlertKind::kSilent ? "silent" : "spike";
}

struct Alert {
  Site site;
  AlertKind kind = AlertKind::kSilent;
  UnixSeconds since{};  ///< Time of the last event if silent; the beginning of the hour if a spike.
  std::int64_t visitors = 0;  ///< Spike: visitors of that hour.
  double usual = 0;  ///< Spike: mean number of visitors at that hour on the 28 days before.
  std::string text;  ///< A sentence for a person.
};

}  // namespace analytics
