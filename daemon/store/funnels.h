#pragma once

#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/funnel.h"
#include "daemon/store/sites.h"

namespace analytics::store {

/// Funnels of sites. Called on the writer thread; a change is on disk when it returns. Errors
/// besides those named: kOverloaded (worth retrying), kInternal.
class Funnels {
 public:
  virtual ~Funnels() = default;
  /// Finds the funnel with that name and sets its steps, or creates it. Errors: kSiteNotFound;
  /// kLimitReached if the site already has kMostFunnels.
  virtual Result<Changed<Funnel>> ensure_funnel(const Funnel& wanted, UnixSeconds now) = 0;
  /// Deletes a funnel. Errors: kFunnelNotFound.
  virtual Status delete_funnel(SiteId site, const std::string& name) = 0;
};

}  // namespace analytics::store
