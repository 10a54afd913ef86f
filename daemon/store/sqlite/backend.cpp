#include "daemon/store/sqlite/backend.h"

#include <thread>

#include "common/io/fs.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/counters.h"
#include "daemon/store/sqlite/db/log_file.h"
#include "daemon/store/sqlite/db/schema.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/event_store.h"
#include "daemon/store/sqlite/journal/journal.h"
#include "daemon/store/sqlite/journal/journal_reader.h"
#include "daemon/store/sqlite/reading/event_reader.h"
#include "daemon/store/sqlite/registry/registry.h"
#include "daemon/store/sqlite/registry/registry_reader.h"
#include "daemon/store/sqlite/registry/salts.h"
#include "daemon/store/sqlite/stats_store.h"

namespace analytics::sqlite {
namespace {

std::uint64_t size_of(const std::filesystem::path& file) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(file, missing);
  return missing ? 0 : static_cast<std::uint64_t>(size);
}

/// Converts the result of a slice, which is true if the slice has more to do. `if_more`: the value
/// to return for true.
Result<store::Left> left(const Result<bool>& more, store::Left if_more = store::Left::kMore) {
  if (!more) return fail(more.error());
  return *more ? if_more : store::Left::kNothing;
}

class SqliteBackend final : public store::Backend {
 public:
  SqliteBackend(const std::filesystem::path& file, const store::Limits& limits)
      : file_(file), query_limits_(limits.stats), connection_(file, Role::kWriter) {
    migrate(connection_);
    require_whole(connection_);
    registry_ = std::make_unique<SqliteRegistry>(connection_);
    salts_ = std::make_unique<SqliteSalts>(connection_);
    counters_ = std::make_unique<SqliteCounters>(connection_);
    events_ = std::make_unique<SqliteEventStore>(connection_, limits.events, Visits::kMaxOpen);
    journal_ = std::make_unique<SqliteJournal>(connection_, events_->changes());
    connection_.watch_files(file);
  }

  store::EventStore& events() override { return *events_; }
  store::Registry& registry() override { return *registry_; }
  store::Salts& salts() override { return *salts_; }
  store::Counters& counters() override { return *counters_; }
  store::Journal& journal() override { return *journal_; }
  store::SharedRegistry& shared_registry() override { return registry_->shared(); }
  void set_limits(const store::Limits& limits) override {
    query_limits_.publish(limits.stats);
    events_->set_limits(limits.events);
  }
  std::vector<store::Housekeeping> housekeeping() override;
  store::Sizes sizes() const override { return {size_of(file_), size_of(file_.string() + "-wal")}; }
  std::size_t cache_bytes() const override { return allocated_bytes() + events_->visits_bytes(); }
  store::ColumnCounts columns() const override { return events_->columns(); }
  Result<std::int64_t> compact(UnixSeconds now) override { return events_->compact(now); }
  Status finish_removals() override { return events_->finish_removals(); }
  Status shed(EventId last, UnixSeconds now) override { return events_->shed(last, now); }
  store::Reader open_reader() override {
    return {std::make_unique<SqliteRegistryReader>(file_),
            std::make_unique<SqliteStatsStore>(file_, query_limits_, cores_),
            std::make_unique<SqliteEventReader>(file_, events_->pins())};
  }
  std::unique_ptr<store::JournalReader> open_journal_reader() override {
    return std::make_unique<SqliteJournalReader>(file_);
  }

 private:
  std::filesystem::path file_;
  Published<query::Limits> query_limits_;
  query::Cores cores_{std::thread::hardware_concurrency()};
  Connection connection_;
  std::unique_ptr<SqliteRegistry> registry_;
  std::unique_ptr<SqliteSalts> salts_;
  std::unique_ptr<SqliteCounters> counters_;
  std::unique_ptr<SqliteEventStore> events_;
  std::unique_ptr<SqliteJournal> journal_;
};

std::vector<store::Housekeeping> SqliteBackend::housekeeping() {
  using std::chrono::milliseconds;
  auto& events = *events_;
  return {
      {"files", milliseconds(250),
       [this](UnixSeconds) {
         connection_.check_files();
         return store::Left::kNothing;
       }},
      {"log", milliseconds(250),
       [&events](UnixSeconds) {
         return left(events.truncate_if_due(), store::Left::kBlockedByReaders);
       }},
      {"visitors of past days", milliseconds(1'000),
       [&events](UnixSeconds now) { return left(events.expire_visitors_slice(now)); }},
      {"deleted sites", milliseconds(50),
       [&events](UnixSeconds) { return left(events.purge_slice()); }},
      {"expired events", milliseconds(10'000),
       [&events](UnixSeconds now) { return left(events.expiry_slice(now)); }},
      {"daily totals", milliseconds(20),
       [&events](UnixSeconds now) { return left(events.totals_slice(now)); }},
      {"removed events", milliseconds(10),
       [&events](UnixSeconds) { return left(events.removal_slice()); }},
      {"column parts", milliseconds(20),
       [&events](UnixSeconds now) {
         const auto more = events.parts_slice(now);
         return left(more ? Result<bool>(*more || events.is_making_parts()) : more);
       },
       [&events] { return events.take_news(); }},
      {"idempotency keys", milliseconds(1'000),
       [&events](UnixSeconds now) { return left(events.expire_keys_slice(now)); }},
  };
}

}  // namespace

std::string place_problem(const std::filesystem::path& file) {
  if (!is_network_disk(file.parent_path())) return {};
  return file.parent_path().string() + " is on a network file system, where SQLite can lose data";
}

std::unique_ptr<store::Backend> open_backend(const std::filesystem::path& file,
                                             const store::Limits& limits) {
  if (auto made = make_private_file(file); !made) throw std::runtime_error(made.error().message);
  return or_unusable([&] {
    rewrite_log(file);
    return std::make_unique<SqliteBackend>(file, limits);
  });
}

}  // namespace analytics::sqlite
