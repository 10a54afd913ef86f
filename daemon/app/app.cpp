#include "daemon/app/app.h"

#include "common/text/text.h"
#include "daemon/admin/admin_page.h"
#include "daemon/app/app_parts.h"
#include "daemon/app/route_table.h"
#include "daemon/call/dispatch.h"

namespace analytics {

App::App(const Config& config, std::function<void()> lost)
    : parts_(std::make_unique<Parts>(config, std::move(lost))) {
  // The control socket must be open before main() prints the ready line, because a script that
  // waits for that line may at once create a key through this socket.
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
  // Starts to follow the shared registry first, because other nodes may have changed sites while
  // this one was stopped.
  if (parts.registry_sync) parts.registry_sync->start();
  parts.server->start(api::make_dispatch(parts.services, route_table()));
  if (parts.admin_server) {
    parts.admin_server->start(admin::admin_page([&parts] { return parts.metrics_text(); }));
  }
  if (parts.upgrade.is_new()) parts.log.info("a new database was made");
  parts.enricher.announce();
  for (const auto& file : parts.corrected) {
    parts.log.warn("a database file was readable by other users; its permissions were corrected",
                   {{"file", file}});
  }
  parts.jobs.emplace(parts.make_jobs());
  if (parts.leftovers) parts.leftovers->start();
  if (parts.shipper) parts.shipper->start();
}

void App::reload(const Config& config) {
  auto& parts = *parts_;
  parts.log.set_level(config.log_level);
  parts.publish(config.settings);
  parts.server->set_limits(config.http.connections);
  if (parts.admin_server) parts.admin_server->set_limits(config.http.connections);
  const bool queued =
      parts.writer.post([&parts, limits = config.store] { parts.backend->set_limits(limits); });
  parts.query_limits.publish(config.store.stats);
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
  // First ends the changes that operators and clients wait for.
  if (parts.registry_sync) parts.registry_sync->stop();
  parts.control.reset();
  // The threads of the leftovers and of the shipper wait for the writer, so they end before the
  // writer.
  if (parts.leftovers) parts.leftovers->stop();
  if (parts.shipper) parts.shipper->stop();
  parts.alerts.cancel();
  // Running queries are cancelled, because they could take long.
  for (auto& reader : parts.analyst_readers) {
    reader.stats->cancel();
    reader.events->cancel();
  }
  if (parts.registry_sync) {  // exports are cancelled, because they may be waiting for ClickHouse
    for (auto& reader : parts.readers) reader.events->cancel();
  }
  parts.writer.stop_waiting();
  parts.server->stop();
  if (parts.admin_server) parts.admin_server->stop();
  parts.flush_counters();
  // A thread that posts work to another must stop before that other thread: alerts, importers and
  // passwords post to the writer, and the writer posts to workers and analysts.
  parts.alerts.stop();
  parts.importers.stop();
  parts.passwords.stop();
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
