#pragma once

#include "daemon/store/sqlite/budget.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/stats_store.h"

namespace analytics::sqlite {

/// Reads the rows of events in one pass, whatever number of groupings, and adds them up by small
/// numbers; texts are looked up once each. Nothing is kept from one question to the next.
class SqliteStatsStore final : public store::StatsStore {
 public:
  /// Opens a connection of its own. Throws SqliteError.
  SqliteStatsStore(const std::filesystem::path& file, const store::StatsLimits& limits)
      : connection_(file, Role::kReader), limits_(limits) {}

  Result<std::vector<std::vector<Groups>>> run(std::span<const Question> questions) override;
  void cancel() override { cancelled_ = true; }

 private:
  std::vector<Groups> count(const Question& question, Budget& budget);
  Connection connection_;
  const store::StatsLimits limits_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace analytics::sqlite
