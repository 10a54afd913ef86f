#include "daemon/store/sqlite/backend.h"

#include "common/fs.h"
#include "daemon/store/sqlite/event_reader.h"
#include "daemon/store/sqlite/event_store.h"
#include "daemon/store/sqlite/registry.h"
#include "daemon/store/sqlite/registry_reader.h"
#include "daemon/store/sqlite/schema.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/sqlite/stats_store.h"

namespace analytics::sqlite {
namespace {

class SqliteBackend final : public store::Backend {
 public:
  SqliteBackend(const std::filesystem::path& file, const store::Limits& limits)
      : file_(file), stats_limits_(limits.stats), connection_(file, Role::kWriter) {
    migrate(connection_);
    registry_ = std::make_unique<SqliteRegistry>(connection_);
    events_ = std::make_unique<SqliteEventStore>(connection_, limits.events, Visits::kMaxOpen);
    connection_.watch_files(file);
  }

  store::EventStore& events() override { return *events_; }
  store::Registry& registry() override { return *registry_; }
  store::Reader open_reader() override {
    return {std::make_unique<SqliteRegistryReader>(file_),
            std::make_unique<SqliteStatsStore>(file_, stats_limits_),
            std::make_unique<SqliteEventReader>(file_)};
  }

 private:
  std::filesystem::path file_;
  query::Limits stats_limits_;
  Connection connection_;
  std::unique_ptr<SqliteRegistry> registry_;
  std::unique_ptr<SqliteEventStore> events_;
};

}  // namespace

std::unique_ptr<store::Backend> open_backend(const std::filesystem::path& file,
                                             const store::Limits& limits) {
  if (auto made = make_private_file(file); !made) throw std::runtime_error(made.error().message);
  try {
    return std::make_unique<SqliteBackend>(file, limits);
  } catch (const SqliteError& error) {
    if (error.is_damage()) throw store::StoreUnusable(error.what());
    throw;
  }
}

}  // namespace analytics::sqlite
