#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/event.h"

namespace analytics::store {

/// Number of received events with the same site, hour and outcome. Site 0 stands for all unknown
/// sites.
struct OutcomeCount {
  SiteId site = 0;
  UnixSeconds hour{};
  EventOutcome outcome = EventOutcome::kStored;
  std::int64_t count = 0;
};

/// A domain that events were sent for although no site has this domain.
struct UnknownSite {
  std::string domain;
  std::int64_t count = 0;
  UnixSeconds last_seen{};
};

/// Counts the outcomes of received events. Called on the writer thread. Errors: kOverloaded (worth
/// retrying), kInternal.
class Counters {
 public:
  virtual ~Counters() = default;

  /// Adds `counts` and `unknown` to the stored counts.
  virtual Status add(std::span<const OutcomeCount> counts,
                     std::span<const UnknownSite> unknown) = 0;
  /// Deletes the counts of all hours up to and including `hour`, because a cluster stores them.
  virtual Status forget_until(UnixSeconds hour) = 0;
};

}  // namespace analytics::store
