#include "daemon/store/sqlite/backend.h"

#include <optional>
#include <thread>

#include "common/io/fs.h"
#include "common/run/published.h"
#include "daemon/query/events/cores.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/log_file.h"
#include "daemon/store/sqlite/db/schema.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/event_store.h"
#include "daemon/store/sqlite/reading/event_reader.h"
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

/// Converts the result of a slice of housekeeping, which is true if more work remains. `if_more`:
/// the value to return in that case.
Result<store::Left> left(const Result<bool>& more, store::Left if_more = store::Left::kMore) {
  if (!more) return fail(more.error());
  return *more ? if_more : store::Left::kNothing;
}

}  // namespace

/// All objects of an open store, whose headers the rooms that use a Backend need not include.
struct Backend::Parts {
  Parts(const std::filesystem::path& path, const store::Limits& limits)
      : file(path), query_limits(limits.stats), connection(path, Role::kWriter) {
    migrate(connection);
    require_whole(connection);
    registry.emplace(connection);
    salts.emplace(connection);
    counters.emplace(connection);
    events.emplace(connection, limits.events, Visits::kMaxOpen);
    journal.emplace(connection, events->changes());
    connection.watch_files(path);
  }

  const std::filesystem::path file;
  Published<query::Limits> query_limits;
  query::Cores cores{std::thread::hardware_concurrency()};
  Connection connection;
  // Made by the constructor once the file has this program's schema.
  std::optional<Registry> registry;
  std::optional<SqliteSalts> salts;
  std::optional<Counters> counters;
  std::optional<SqliteEventStore> events;
  std::optional<Journal> journal;
};

Backend::Backend(const std::filesystem::path& file, const store::Limits& limits)
    : parts_(std::make_unique<Parts>(file, limits)) {}

Backend::~Backend() = default;

store::EventStore& Backend::events() { return *parts_->events; }
Registry& Backend::registry() { return *parts_->registry; }
store::Salts& Backend::salts() { return *parts_->salts; }
Counters& Backend::counters() { return *parts_->counters; }
Journal& Backend::journal() { return *parts_->journal; }
SharedRegistry& Backend::shared_registry() { return parts_->registry->shared(); }

store::Reader Backend::open_reader() {
  const auto& file = parts_->file;
  return {std::make_unique<SqliteRegistryReader>(file),
          std::make_unique<SqliteStatsStore>(file, parts_->query_limits, parts_->cores),
          std::make_unique<SqliteEventReader>(file, parts_->events->pins())};
}

std::unique_ptr<JournalReader> Backend::open_journal_reader() {
  return std::make_unique<JournalReader>(parts_->file);
}

store::Sizes Backend::sizes() const {
  return {size_of(parts_->file), size_of(parts_->file.string() + "-wal")};
}

std::size_t Backend::cache_bytes() const {
  return allocated_bytes() + parts_->events->visits_bytes();
}

store::ColumnCounts Backend::columns() const { return parts_->events->columns(); }
Result<std::int64_t> Backend::compact(UnixSeconds now) { return parts_->events->compact(now); }
Status Backend::finish_removals() { return parts_->events->finish_removals(); }
Status Backend::shed(EventId last, UnixSeconds now) { return parts_->events->shed(last, now); }

void Backend::set_limits(const store::Limits& limits) {
  parts_->query_limits.publish(limits.stats);
  parts_->events->set_limits(limits.events);
}

std::vector<store::Housekeeping> Backend::housekeeping() {
  using std::chrono::milliseconds;
  auto& events = *parts_->events;
  return {
      {"files", milliseconds(250),
       [this](UnixSeconds) {
         parts_->connection.check_files();
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

std::string place_problem(const std::filesystem::path& file) {
  if (!is_network_disk(file.parent_path())) return {};
  return file.parent_path().string() + " is on a network file system, where SQLite can lose data";
}

std::unique_ptr<Backend> open_backend(const std::filesystem::path& file,
                                      const store::Limits& limits) {
  if (auto made = make_private_file(file); !made) throw std::runtime_error(made.error().message);
  return or_unusable([&] {
    rewrite_log(file);
    return std::make_unique<Backend>(file, limits);
  });
}

}  // namespace analytics::sqlite
