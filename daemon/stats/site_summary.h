#pragma once

#include <optional>
#include <vector>

#include "common/run/result.h"
#include "common/wire/caveats.h"
#include "daemon/model/site.h"
#include "daemon/stats/formulas.h"
#include "daemon/store/registry_reader.h"
#include "daemon/store/stats_store.h"

namespace analytics {

/// The main numbers of a site, for a list of all sites of an account.
struct SiteSummary {
  Site site;
  std::int64_t current = 0;      ///< Visitors in the last five minutes.
  std::int64_t today = 0;        ///< Visitors today.
  std::int64_t week = 0;         ///< Visitors in the seven days up to and including yesterday.
  std::int64_t week_before = 0;  ///< Visitors in the seven days before those of `week`.
  /// Visitors on each of the thirty days up to and including yesterday.
  std::vector<std::int64_t> days;
  std::optional<UnixSeconds> last_event;
  std::int64_t dropped_today = 0;  ///< Number of events dropped today.
  /// Caveats about any of the numbers, except partial_until and sum_of_days, which the names of
  /// the periods imply.
  Caveats caveats{};
};

/// Returns the change from `week_before` to `week` in percent; no value if `week_before` is 0.
[[nodiscard]] Value week_change(const SiteSummary& summary);

/// Adds the numbers of a site to `all`, the totals of several sites. A visitor of two sites counts
/// twice, because visitors are not recognised across sites.
void add(const SiteSummary& site, SiteSummary& all);

/// Computes the summary of a site. Errors: those of the stores.
[[nodiscard]] Result<SiteSummary> summarise(const Site& site, UnixSeconds now,
                                            store::RegistryReader& registry,
                                            store::StatsStore& stats);

}  // namespace analytics
