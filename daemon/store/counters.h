#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/event.h"

namespace analytics::store {

/// Number of events with the same site, hour and outcome. Site 0 stands for unknown sites.
struct OutcomeCount {
  SiteId site = 0;
  UnixSeconds hour{};
  EventOutcome outcome = EventOutcome::kStored;
  std::int64_t count = 0;
};

/// A domain that events were sent for although no site has it.
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
  /// Deletes the counts up to and including `hour`. Called once they are stored elsewhere.
  virtual Status forget_until(UnixSeconds hour) = 0;
};

}  // namespace analytics::store
