#pragma once

#include <string>
#include <string_view>

#include "common/time.h"
#include "daemon/model/site.h"

namespace analytics {

/// A kind of trouble with a site. The numbers are stored: never change one.
enum class AlertKind {
  kSilent = 1,  ///< It had events, and has none for some hours.
  kSpike = 2,   ///< Far more visitors than usual at this hour.
};
[[nodiscard]] constexpr std::string_view alert_kind_name(AlertKind kind) {
  return kind == AlertKind::kSilent ? "silent" : "spike";
}

struct Alert {
  Site site;
  AlertKind kind = AlertKind::kSilent;
  UnixSeconds since{};        ///< The last event; or the beginning of the hour.
  std::int64_t visitors = 0;  ///< Spike: of that hour.
  double usual = 0;           ///< Spike: the mean of the same hour of the 28 days before.
  std::string text;           ///< A sentence for a person.
};

}  // namespace analytics
