#pragma once

#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/stats_store.h"

namespace analytics::sqlite {

class SqliteStatsStore final : public store::StatsStore {
 public:
  /// Opens a connection of its own. Throws SqliteError.
  explicit SqliteStatsStore(const std::filesystem::path& file) : connection_(file, Role::kReader) {}

  Result<Sums> aggregate(const Query& query) override;
  Result<store::Overview> overview(SiteId site, UnixSeconds from, UnixSeconds to,
                                   int rows) override;

 private:
  std::vector<store::Tally> top(const std::string& sql, SiteId site, UnixSeconds from,
                                UnixSeconds to, int rows);
  Connection connection_;
};

}  // namespace analytics::sqlite
