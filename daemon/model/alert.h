#pragma once

#include <string>
#include <string_view>

#include "common/text/time.h"
#include "daemon/model/site.h"

namespace analytics {

/// A kind of problem with a site that the daemon reports. The numbers are stored: never change
/// one.
enum class AlertKind {
  kSilent = 1,  ///< The site had events, but none in the last hours.
  kSpike = 2,   ///< The site has far more visitors than usual at this hour.
};
[[nodiscard]] constexpr std::string_view alert_kind_name(AlertKind kind) {
  return kind == AlertKind::kSilent ? "silent" : "spike";
}

/// A problem with a site, as the API and the webhook report it.
struct Alert {
  Site site;
  AlertKind kind = AlertKind::kSilent;
  UnixSeconds since{};  ///< For kSilent: time of the last event. For kSpike: start of the hour.
  std::int64_t visitors = 0;  ///< For kSpike: visitors of that hour.
  /// For kSpike: mean number of visitors in the same hour on up to 28 days before.
  double usual = 0;
  std::string text;  ///< The problem as an English sentence.
};

}  // namespace analytics
