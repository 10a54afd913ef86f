#include "daemon/app/app_parts.h"

#include <future>

#include "common/io/failpoint.h"
#include "common/run/heap.h"
#include "common/run/version.h"
#include "common/text/text.h"
#include "daemon/admin/operator_command.h"
#include "daemon/app/route_table.h"
#include "daemon/app/service_manager.h"
#include "daemon/call/dispatch.h"
#include "daemon/config/exit_code.h"
#include "daemon/jobs/watchdog.h"

namespace analytics {
namespace {

constexpr std::size_t kSpareAnalysts = 6;
constexpr std::size_t kMaxWaitingReads = 256;
constexpr std::size_t kImporters = 2;
constexpr std::size_t kMaxWaitingImports = 256;
constexpr std::size_t kKeptFreeMemory = 33'554'432;  // number of free bytes that malloc may keep

std::unique_ptr<http::Server> bind_server(const http::ServerConfig& config, MemoryLedger& memory,
                                          Log& log) {
  try {
    auto server = std::make_unique<http::Server>(config, memory, log);
    log.debug("listening; requests wait until the database is open",
              {{"addresses", join(server->addresses(), ",")}});
    return server;
  } catch (const std::system_error& error) {
    const bool usage = error.code() == std::errc::invalid_argument;
    throw AppError(usage ? ExitCode::kConfig : ExitCode::kBind, error.what());
  }
}

std::unique_ptr<http::Server> bind_admin(const Config& config, MemoryLedger& memory, Log& log) {
  if (config.admin_listen.empty()) return nullptr;
  auto http = config.http;
  http.listen = config.admin_listen;
  http.inherited.clear();
  http.threads = 1;
  return bind_server(http, memory, log);
}

std::vector<store::Reader> open_readers(std::size_t count,
                                        const std::function<store::Reader()>& open) {
  std::vector<store::Reader> readers;
  for (std::size_t i = 0; i < count; ++i) readers.push_back(open());
  return readers;
}

}  // namespace

App::Parts::Parts(const Config& configured, std::function<void()> lost)
    : config(configured),
      log(config.log_level),
      lock(lock_database(config)),
      memory(config.memory),
      server(bind_server(config.http, memory, log)),
      admin_server(bind_admin(config, memory, log)),
      corrected(correct_rights(config)),
      upgrade(prepare_upgrade(config, clock, log)),
      backend(open_store(config)),
      metrics(api::metric_routes(route_table())),
      enricher(config.enrichment, log),
      watch(log),
      disk(config.database.parent_path()),
      visitors(backend->salts()),
      own_node(find_own_node()),
      query_limits(config.store.stats),
      readers(open_readers(config.workers, [this] { return open_reader(); })),
      analyst_readers(
          open_readers(config.workers + kSpareAnalysts, [this] { return open_reader(); })),
      writer(config.writer, backend->events(), visitors, counters, settings, metrics, clock, log,
             std::move(lost)),
      provisioning(writer, backend->registry(), directory, log),
      workers(config.workers, kMaxWaitingReads),
      analysts(config.workers, kMaxWaitingReads, kSpareAnalysts),
      importers(kImporters, kMaxWaitingImports),
      passwords(clock),
      reading{{settings, directory, auth, writer, metrics, cluster, clock, log},
              workers,
              analysts,
              importers,
              passwords,
              readers,
              analyst_readers,
              gate,
              memory,
              draining},
      services{.changes = {reading, provisioning},
               .intake = {reading, enricher, watch, address_throttle, counters, import_order, disk},
               .key_rates = key_rates},
      alerts({.settings = settings,
              .directory = directory,
              .provisioning = provisioning,
              .gate = gate,
              .clock = clock,
              .log = log,
              .open_reader = [this] { return open_reader(); }}) {
  upgrade.finish(clock, log);
  publish(config.settings);
  if (!config.cluster.url.empty()) join_cluster();
}

Status App::Parts::run_on_writer(const std::function<Status()>& work) {
  std::promise<Status> outcome;
  auto arrived = outcome.get_future();
  const bool queued = writer.post([&] {
    try {
      auto done = work();
      provisioning.refresh();
      outcome.set_value(std::move(done));
    } catch (...) {
      outcome.set_exception(std::current_exception());
      throw;
    }
  });
  if (!queued) return fail(ErrorCode::kOverloaded, "Too many changes are waiting.");
  return arrived.get();
}

void App::Parts::publish(Settings next) {
  if (next.base_url.empty()) next.base_url = "http://" + server->addresses().front();
  settings.publish(std::move(next));
}

std::string App::Parts::answer_operator(std::string_view line) {
  const auto command = admin::parse_line(line);
  if (!command) return admin::to_line(Result<std::string>(fail(command.error())));
  if (command->verb == admin::OperatorCommand::Verb::kShowMetrics) {
    return admin::to_line(Result<std::string>(metrics_text()));
  }
  log.info("operator", {{"command", admin::describe(*command)}});
  std::promise<Result<std::string>> outcome;
  auto arrived = outcome.get_future();
  if (command->verb == admin::OperatorCommand::Verb::kAcceptRegistry) {
    if (!registry_sync) {
      return admin::to_line(
          Result<std::string>(fail(ErrorCode::kInvalidParameter, "cluster.registry is not set.")));
    }
    registry_sync->accept([&](const Status& accepted) {
      outcome.set_value(accepted ? Result<std::string>() : fail(accepted.error()));
    });
    return admin::to_line(arrived.get());
  }
  if (command->verb == admin::OperatorCommand::Verb::kRepairCluster) {
    if (shipper)
      return admin::to_line(Result<std::string>(std::to_string(shipper->ask_for_repair())));
    return admin::to_line(
        Result<std::string>(fail(ErrorCode::kInvalidParameter, "cluster.events is not set.")));
  }
  const auto run = [&](sqlite::Registry& registry) {
    return admin::run_command(*command, registry, now());
  };
  const auto take = [&](Result<std::string> result) { outcome.set_value(std::move(result)); };
  if (admin::changes_registry(*command)) {
    provisioning.change<std::string>(run, take);
  } else {
    provisioning.change_here<std::string>(run, take);
  }
  return admin::to_line(arrived.get());
}

void App::Parts::flush_counters() {
  auto taken = counters.take();
  auto uses = auth.take_uses();
  if (taken.empty() && uses.empty()) return;
  auto shared = std::make_shared<const DropCounters::Taken>(std::move(taken));
  const bool queued = writer.post([this, shared, uses = std::move(uses)] {
    const auto counted = backend->counters().add(shared->counts, shared->unknown);
    // Adding fails on a full disk, for example; it is retried in a second.
    if (!counted) counters.put_back(*shared);
    if (!uses.empty()) (void)backend->registry().keys().record_key_use(uses);
  });
  if (!queued) counters.put_back(*shared);  // the writer's queue is full; the next call tries again
}

void App::Parts::charge_caches() {
  (void)caches.set(enricher.snapshot()->user_agents->bytes() + backend->cache_bytes());
}

std::string App::Parts::metrics_text() {
  const auto sizes = backend->sizes();
  Gauges gauges;
  gauges.version = kVersion;
  gauges.schema = upgrade.schema();
  gauges.connections = server->connections();
  gauges.memory = &memory;
  gauges.connections_refused = server->connections_refused();
  gauges.queued_events = writer.queued_events();
  gauges.queue_limit = writer.queue_limit();
  gauges.database_bytes = sizes.database;
  gauges.wal_bytes = sizes.log;
  gauges.free_disk_bytes = disk.free_bytes();
  const auto columns = backend->columns();
  const auto parts_of = [](const store::ColumnCounts::Parts& of) {
    return Gauges::Parts{of.parts, of.events, of.bytes};
  };
  gauges.copies = parts_of(columns.copies);
  gauges.sealed = parts_of(columns.sealed);
  gauges.unsealed_days = columns.unsealed_days;
  gauges.sealed_events = columns.sealed_events;
  gauges.rewritten_parts = columns.rewritten_parts;
  gauges.healthy = api::unhealthy_reason(services).empty();
  gauges.sites_with_one_address = watch.suspects();
  gauges.events = counters.totals();
  gauges.replaced_texts = counters.replaced_texts();
  gauges.unverified_addresses = watch.unverified();
  gauges.dropped_log_lines = log.dropped();
  gauges.user_agents_age = enricher.user_agents_age();
  const auto number = [](UnixSeconds at) {
    return static_cast<double>(at.time_since_epoch().count());
  };
  if (const auto geo = enricher.snapshot()->geo)
    gauges.geo_age = number(now()) - number(geo->made_at());
  if (const auto at = backend->registry().last_backup()) gauges.last_backup = number(*at);
  add_cluster(gauges);
  directory.snapshot()->each_expiring_key([&](const ApiKey& key) {
    gauges.key_expiries.emplace_back(std::to_string(key.id), number(*key.expires_at));
  });
  return metrics.text(gauges);
}

/// Returns a function that queues `work` on the writer thread. The function does nothing while the
/// work of an earlier call still waits in the queue, so that slow runs do not pile up.
std::function<void()> App::Parts::on_writer(std::function<void()> work) {
  auto waits = std::make_shared<std::atomic<bool>>(false);
  return [this, work = std::move(work), waits] {
    if (waits->exchange(true)) return;
    const bool queued = writer.post([work, waits] {
      *waits = false;
      work();
    });
    if (!queued) *waits = false;
  };
}

/// Returns a job that runs one slice of a housekeeping task per interval on the writer thread. A
/// task without work is asked only four times a second. If open readers block the task, the job
/// closes the gate to new readers.
Scheduler::Job App::Parts::job_of(const store::Housekeeping& task) {
  static constexpr std::chrono::milliseconds kIdle{250};
  // Reason of the last failure; each reason is logged once.
  auto problem = std::make_shared<std::string>();
  auto closed = std::make_shared<bool>(false);
  auto rounds_left_out = std::make_shared<std::atomic<std::int64_t>>(0);
  auto slice = on_writer([this, task, problem, closed, rounds_left_out] {
    const auto left = task.slice(now());
    const auto reason = left ? std::string() : left.error().reason();
    if (!left && reason != *problem) {
      log.warn("housekeeping failed; it is tried again", {{"task", task.name}, {"reason", reason}});
      if (left.error().code == ErrorCode::kDamaged) writer.note_damage(reason);
    }
    *problem = reason;
    for (const auto& news : task.take_news()) log.debug(news);
    const bool wait = left && *left == store::Left::kBlockedByReaders;
    if (wait || *closed) gate.keep_closed(wait, std::chrono::steady_clock::now());
    *closed = wait;
    if (left && *left == store::Left::kNothing) *rounds_left_out = kIdle / task.interval - 1;
  });
  return {task.interval, [slice = std::move(slice), rounds_left_out] {
            if (*rounds_left_out > 0) {
              --*rounds_left_out;
            } else {
              slice();
            }
          }};
}

/// Returns a job that reports to systemd's watchdog that the daemon is alive, as long as the writer
/// and all HTTP threads respond. `time`: the watchdog's timeout.
Scheduler::Job App::Parts::watchdog_job(std::chrono::microseconds time) {
  std::vector<Watchdog::Ping> threads = {[this](std::function<void()> answer) {
    (void)writer.post(std::move(answer), BatchWriter::TaskKind::kPing);
  }};
  for (std::size_t i = 0; i < server->thread_count(); ++i) {
    threads.emplace_back(
        [this, i](std::function<void()> answer) { server->ping(i, std::move(answer)); });
  }
  auto watchdog = std::make_shared<Watchdog>(std::move(threads));
  return {std::chrono::ceil<std::chrono::milliseconds>(time) / 4, [watchdog] {
            if (watchdog->is_alive()) service_manager::tell("WATCHDOG=1");
          }};
}

std::vector<Scheduler::Job> App::Parts::make_jobs() {
  using std::chrono::milliseconds;
  std::vector<Scheduler::Job> all = {
      {milliseconds(1'000), [this] { flush_counters(); }},
      {milliseconds(1'000), [this] { charge_caches(); }},
      {milliseconds(1'000),
       [this] {
         disk.look();
         writer.probe_if_unhealthy();
       }},
      {milliseconds(1'000), on_writer([this] { (void)writer.publish(); })},
      {milliseconds(5'000), [] { (void)give_back_free_memory(kKeptFreeMemory); }},
      {milliseconds(60'000), [this] { enricher.reload_changed(); }},
      {std::chrono::minutes(5), [this] { alerts.look(); }},
      {milliseconds(60'000), on_writer([this] { (void)visitors.destroy_old(now()); })},
      {milliseconds(60'000),
       [this] {
         // Usually no old name of a renamed site has expired.
         if (!directory.snapshot()->has_alias_until(now())) return;
         provisioning.change<void>(
             [at = now()](sqlite::Registry& registry) {
               return registry.sites().expire_aliases(at);
             },
             [](Status) {});
       }},
  };
  for (const auto& task : backend->housekeeping()) all.push_back(job_of(task));
  if (const auto time = service_manager::watchdog_time()) all.push_back(watchdog_job(*time));
  return all;
}

}  // namespace analytics
