#include "daemon/app.h"

#include <future>
#include <optional>

#include "common/gate.h"
#include "common/heap.h"
#include "common/text.h"
#include "common/version.h"
#include "daemon/admin/admin_page.h"
#include "daemon/admin/control_socket.h"
#include "daemon/admin/operator_command.h"
#include "daemon/api/handlers.h"
#include "daemon/call/dispatch.h"
#include "daemon/exit_code.h"
#include "daemon/jobs/scheduler.h"
#include "daemon/jobs/watchdog.h"
#include "daemon/open_store.h"
#include "daemon/route_table.h"
#include "daemon/service_manager.h"

namespace analytics {
namespace {

constexpr std::size_t kMaxWaitingReads = 256;
constexpr std::size_t kImporters = 2;
constexpr std::size_t kMaxWaitingImports = 256;
constexpr std::size_t kKeptFreeMemory = 33'554'432;  // bytes that the allocator may keep unused

std::unique_ptr<http::Server> bind_server(const http::ServerConfig& config, Log& log) {
  try {
    auto server = std::make_unique<http::Server>(config, log);
    log.debug("listening; requests wait until the database is open",
              {{"addresses", join(server->addresses(), ",")}});
    return server;
  } catch (const std::system_error& error) {
    const bool usage = error.code() == std::errc::invalid_argument;
    throw AppError(usage ? ExitCode::kConfig : ExitCode::kBind, error.what());
  }
}

std::unique_ptr<http::Server> bind_admin(const Config& config, Log& log) {
  if (config.admin_listen.empty()) return nullptr;
  auto http = config.http;
  http.listen = config.admin_listen;
  http.inherited.clear();
  http.threads = 1;
  return bind_server(http, log);
}

std::vector<store::Reader> open_readers(store::Backend& backend, std::size_t count) {
  std::vector<store::Reader> readers;
  for (std::size_t i = 0; i < count; ++i) readers.push_back(backend.open_reader());
  return readers;
}

}  // namespace

// Members are in order of dependency: each may use those declared before it. The server is declared
// before the writer, because answers go through it until the writer has ended; and before the
// database is opened, which can take minutes, in which who connects must not be refused.
struct App::Parts {
  Parts(const Config& configured, std::function<void()> lost)
      : config(configured),
        log(config.log_level),
        lock(take_database(config)),
        bulk_budget(config.bulk_memory),
        server(bind_server(config.http, log)),
        admin_server(bind_admin(config, log)),
        corrected(correct_rights(config)),
        upgrade(prepare_upgrade(config, clock, log)),
        backend(open_store(config)),
        metrics(api::metric_routes(route_table())),
        enricher(config.enrichment, log),
        watch(log),
        disk(config.database.parent_path()),
        visitors(backend->salts()),
        readers(open_readers(*backend, config.workers)),
        analyst_readers(open_readers(*backend, config.workers)),
        writer(config.writer, backend->events(), visitors, counters, settings, metrics, clock, log,
               std::move(lost)),
        provisioning(writer, backend->registry(), directory, log),
        workers(config.workers, kMaxWaitingReads),
        analysts(config.workers, kMaxWaitingReads),
        importers(kImporters, kMaxWaitingImports),
        services{.settings = settings,
                 .enricher = enricher,
                 .watch = watch,
                 .address_throttle = address_throttle,
                 .key_rates = key_rates,
                 .directory = directory,
                 .provisioning = provisioning,
                 .writer = writer,
                 .counters = counters,
                 .metrics = metrics,
                 .disk = disk,
                 .auth = auth,
                 .workers = workers,
                 .analysts = analysts,
                 .importers = importers,
                 .bulk_budget = bulk_budget,
                 .readers = readers,
                 .analyst_readers = analyst_readers,
                 .gate = gate,
                 .draining = draining,
                 .clock = clock,
                 .log = log} {
    upgrade.finish(clock, log);
    publish(config.settings);
  }

  const Config config;
  Log log;
  SystemClock clock;
  FileLock lock;
  api::BulkBudget bulk_budget;  ///< Connections of the server hold parts of it.
  std::unique_ptr<http::Server> server;
  std::unique_ptr<http::Server> admin_server;  ///< Null when nobody asked for one.
  std::vector<std::string> corrected;          ///< Files that others could read when we came.
  const Upgrade upgrade;
  std::unique_ptr<store::Backend> backend;
  Metrics metrics;
  Enricher enricher;
  Published<Settings> settings;
  AddressWatch watch;
  AddressThrottle address_throttle;
  api::KeyRates key_rates;
  DiskSpace disk;
  VisitorIds visitors;
  DropCounters counters;
  SiteDirectory directory;
  api::Authenticator auth;
  std::atomic<bool> draining{false};
  Gate gate;  ///< Closed while the log must be emptied and readers are in the way.
  std::vector<store::Reader> readers;
  std::vector<store::Reader> analyst_readers;
  BatchWriter writer;
  Provisioning provisioning;
  WorkerPool workers;
  WorkerPool analysts;
  WorkerPool importers;
  api::Services services;
  std::optional<admin::ControlSocket> control;
  std::optional<Scheduler> jobs;

  void publish(Settings next);
  [[nodiscard]] UnixSeconds now() const {
    return std::chrono::floor<std::chrono::seconds>(clock.now());
  }

  std::string answer_operator(std::string_view line);
  void flush_counters();
  [[nodiscard]] std::string metrics_text();
  std::function<void()> on_writer(std::function<void()> work);
  Scheduler::Job job_of(const store::Housekeeping& task);
  Scheduler::Job watchdog_job(std::chrono::microseconds time);
  std::vector<Scheduler::Job> make_jobs();
};

void App::Parts::publish(Settings next) {
  if (next.base_url.empty()) next.base_url = "http://" + server->addresses().front();
  settings.publish(std::move(next));
}

std::string App::Parts::answer_operator(std::string_view line) {
  const auto command = admin::parse_line(line);
  if (!command) return admin::to_line(Result<std::string>(fail(command.error())));
  log.info("operator", {{"command", admin::describe(*command)}});
  auto outcome = std::make_shared<std::promise<Result<std::string>>>();
  auto arrived = outcome->get_future();
  provisioning.change<std::string>(
      [command = *command, at = now()](store::Registry& registry) {
        return admin::run_command(command, registry, at);
      },
      [outcome](Result<std::string> result) { outcome->set_value(std::move(result)); });
  return admin::to_line(arrived.get());
}

void App::Parts::flush_counters() {
  auto taken = counters.take();
  auto uses = auth.take_uses();
  if (taken.empty() && uses.empty()) return;
  auto shared = std::make_shared<const DropCounters::Taken>(std::move(taken));
  const bool queued = writer.post([this, shared, uses = std::move(uses)] {
    const auto counted = backend->counters().add(shared->counts, shared->unknown);
    if (!counted) counters.put_back(*shared);  // a full disk: the next second tries again
    if (!uses.empty()) (void)backend->registry().keys().record_key_use(uses);
  });
  if (!queued) counters.put_back(*shared);  // the writer is behind
}

std::string App::Parts::metrics_text() {
  const auto sizes = backend->sizes();
  Gauges gauges;
  gauges.version = kVersion;
  gauges.schema = upgrade.schema();
  gauges.connections = server->connections();
  gauges.body_bytes = server->body_bytes();
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
  gauges.user_agents_age = enricher.user_agents_age();
  if (const auto at = backend->registry().last_backup()) {
    gauges.last_backup = static_cast<double>(at->time_since_epoch().count());
  }
  return metrics.text(gauges);
}

/// A job that runs on the writer. One waits at a time: a slice that takes longer than its turn must
/// not pile up.
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

/// A slice of the store's housekeeping, and the gate that readers pass before they begin.
Scheduler::Job App::Parts::job_of(const store::Housekeeping& task) {
  auto problem = std::make_shared<std::string>();  // the last: logged once
  auto closed = std::make_shared<bool>(false);
  return {task.interval, on_writer([this, task, problem, closed] {
            const auto left = task.slice(now());
            const auto reason = left ? std::string() : left.error().reason();
            if (!left && reason != *problem) {
              log.warn("housekeeping failed; it is tried again",
                       {{"task", task.name}, {"reason", reason}});
              if (left.error().code == ErrorCode::kDamaged) writer.note_damage(reason);
            }
            *problem = reason;
            for (const auto& news : task.take_news()) log.debug(news);
            const bool wait = left && *left == store::Left::kReadersInTheWay;
            if (wait || *closed) gate.keep_closed(wait, std::chrono::steady_clock::now());
            *closed = wait;
          })};
}

/// Tells the service manager that all threads work without which events are lost.
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
      {milliseconds(1'000),
       [this] {
         disk.look();
         writer.probe_if_unhealthy();
       }},
      {milliseconds(1'000), on_writer([this] { writer.publish(); })},
      {milliseconds(5'000), [] { (void)give_back_free_memory(kKeptFreeMemory); }},
      {milliseconds(60'000), [this] { enricher.reload_changed(); }},
      {milliseconds(60'000), on_writer([this] { (void)visitors.destroy_old(now()); })},
      {milliseconds(60'000),
       [this] {
         provisioning.change<void>(
             [at = now()](store::Registry& registry) {
               return registry.sites().expire_aliases(at);
             },
             [](Status) {});
       }},
  };
  for (const auto& task : backend->housekeeping()) all.push_back(job_of(task));
  if (const auto time = service_manager::watchdog_time()) all.push_back(watchdog_job(*time));
  return all;
}

App::App(const Config& config, std::function<void()> lost)
    : parts_(std::make_unique<Parts>(config, std::move(lost))) {
  // Before the ready line is printed: who waits for it may issue a key at once.
  auto& parts = *parts_;
  parts.control.emplace(parts.config.database,
                        [&parts](std::string_view line) { return parts.answer_operator(line); });
}

App::~App() { stop(); }

void App::start() {
  auto& parts = *parts_;
  if (!parts.config.http.inherited.empty()) {
    parts.log.info(
        "the service manager has handed over the sockets: the setting listen is not used");
  }
  parts.server->start(api::make_dispatch(parts.services, route_table()));
  if (parts.admin_server) {
    parts.admin_server->start(admin::admin_page([&parts] { return parts.metrics_text(); }));
  }
  parts.enricher.announce();
  for (const auto& file : parts.corrected) {
    parts.log.warn("a database file was readable by other users; its permissions were corrected",
                   {{"file", file}});
  }
  parts.jobs.emplace(parts.make_jobs());
}

void App::reload(const Config& config) {
  auto& parts = *parts_;
  parts.log.set_level(config.log_level);
  parts.publish(config.settings);
  parts.server->set_limits(config.http.connections);
  if (parts.admin_server) parts.admin_server->set_limits(config.http.connections);
  const bool queued =
      parts.writer.post([&parts, limits = config.store] { parts.backend->set_limits(limits); });
  parts.enricher.reload(config.enrichment);
  if (queued) {
    parts.log.info("settings and data files were reloaded");
  } else {
    parts.log.error(
        "the writer is too busy to take over the limits of texts and queries; reload again");
  }
  const auto waiting = changed_fixed(parts.config, config);
  if (waiting.empty()) return;
  parts.log.warn("some settings that have changed require a restart",
                 {{"settings", join(waiting, ", ")}});
}

void App::refuse_reload(const Error& error) {
  parts_->log.error("reload failed; the settings are unchanged", {{"reason", error.message}});
}

void App::stop() {
  auto& parts = *parts_;
  if (parts.draining.exchange(true)) return;
  parts.jobs.reset();
  parts.control.reset();
  for (auto& reader : parts.analyst_readers) reader.stats->cancel();  // they could take long
  parts.server->stop();
  if (parts.admin_server) parts.admin_server->stop();
  parts.flush_counters();
  // Importers hand to the writer, and what waits there hands to the workers.
  parts.importers.stop();
  parts.writer.stop();
  parts.workers.stop();
  parts.analysts.stop();
  parts.readers.clear();
  parts.analyst_readers.clear();
  (void)parts.backend->events().publish();
  (void)parts.backend->events().finish();
  parts.log.info("stopped");
}

std::vector<std::string> App::addresses() const { return parts_->server->addresses(); }

std::vector<std::string> App::admin_addresses() const {
  return parts_->admin_server ? parts_->admin_server->addresses() : std::vector<std::string>{};
}

}  // namespace analytics
