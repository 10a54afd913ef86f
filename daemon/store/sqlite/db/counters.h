#pragma once

#include "daemon/store/counters.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Stores how many events had each outcome (stored or dropped, and why), by site and hour, and the
/// most frequent domains for which there is no site. Owns the tables ingest_counters and
/// unknown_sites.
class SqliteCounters final : public store::Counters {
 public:
  /// `connection` must outlive this object.
  explicit SqliteCounters(Connection& connection) : connection_(connection) {}

  Status add(std::span<const store::OutcomeCount> counts,
             std::span<const store::UnknownSite> unknown) override;
  Status forget_until(UnixSeconds hour) override;
  /// Removes the counts of a deleted site, inside the writer's transaction. Throws SqliteError.
  static void remove_site(Connection& connection, SiteId site);

 private:
  Connection& connection_;
};

}  // namespace analytics::sqlite
