#pragma once

#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/funnel.h"
#include "daemon/store/sites.h"

namespace analytics::store {

/// Stores the funnels of sites. Called on the writer thread. Each function returns after its
/// change is on disk. Besides the errors named below, each can fail with kOverloaded (worth
/// retrying) or kInternal.
class Funnels {
 public:
  virtual ~Funnels() = default;
  /// Finds the site's funnel with the wanted name and sets its steps, or creates it. Errors:
  /// kSiteNotFound; kLimitReached if the site already has kMostFunnels funnels.
  virtual Result<Changed<Funnel>> ensure_funnel(const Funnel& wanted, UnixSeconds now) = 0;
  /// Deletes a funnel. Errors: kFunnelNotFound.
  virtual Status delete_funnel(SiteId site, const std::string& name) = 0;
};

}  // namespace analytics::store
