#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/result.h"
#include "common/time.h"
#include "daemon/model/event.h"

namespace analytics::store {

/// Events of one site, one hour and one outcome, to be added up. Site 0: unknown sites.
struct OutcomeCount {
  SiteId site = 0;
  UnixSeconds hour{};
  EventOutcome outcome = EventOutcome::kStored;
  std::int64_t count = 0;
};

/// A name that events came for and that is no site.
struct UnknownSite {
  std::string domain;
  std::int64_t count = 0;
  UnixSeconds last_seen{};
};

/// Adds up the outcomes of events. Called on the writer thread. Errors: kOverloaded (worth
/// retrying), kInternal.
class Counters {
 public:
  virtual ~Counters() = default;

  virtual Status add(std::span<const OutcomeCount> counts,
                     std::span<const UnknownSite> unknown) = 0;
  /// Forgets the counts of hours up to this one: they are kept elsewhere.
  virtual Status forget_until(UnixSeconds hour) = 0;
};

}  // namespace analytics::store
