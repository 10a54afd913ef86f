#pragma once

#include <span>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/store/outcome_counts.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Counts the outcomes of received events (stored or dropped, and why), by site and hour, and the
/// most frequent domains for which there is no site. Called on the writer thread. Owns the tables
/// ingest_counters and unknown_sites. Errors: kOverloaded (worth retrying), kInternal.
class Counters {
 public:
  /// `connection` must outlive this object.
  explicit Counters(Connection& connection) : connection_(connection) {}

  /// Adds `counts` and `unknown` to the stored counts.
  Status add(std::span<const store::OutcomeCount> counts,
             std::span<const store::UnknownSite> unknown);
  /// Deletes the counts of all hours up to and including `hour`, because a cluster stores them.
  Status forget_until(UnixSeconds hour);
  /// Removes the counts of a deleted site, inside the writer's transaction. Throws SqliteError.
  static void remove_site(Connection& connection, SiteId site);

 private:
  Connection& connection_;
};

}  // namespace analytics::sqlite
