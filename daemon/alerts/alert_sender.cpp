#include "daemon/alerts/alert_sender.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "daemon/stats/alert_json.h"
#include "daemon/stats/alerts.h"
#include "daemon/store/sqlite/registry/registry.h"

namespace analytics {
namespace {

constexpr std::chrono::seconds kMaxWaitAtGate{15};

}  // namespace

AlertSender::AlertSender(Parts parts) : parts_(std::move(parts)) {}

AlertSender::~AlertSender() { stop(); }

void AlertSender::cancel() {
  stopping_ = true;
  webhook_.stop();
  const std::scoped_lock lock(mutex_);
  if (reader_) reader_->stats->cancel();
}

void AlertSender::stop() {
  cancel();
  pool_.stop();
  const std::scoped_lock lock(mutex_);
  reader_.reset();
}

void AlertSender::look() {
  if (parts_.settings.snapshot()->alert_webhook.empty()) return;
  // The queue has room for a single check, so submit() does nothing if a check is queued already.
  (void)pool_.submit([this](std::size_t) { look_at_all(); });
}

void AlertSender::look_at_all() {
  const auto settings = parts_.settings.snapshot();
  const auto directory = parts_.directory.snapshot();
  try {
    open_reader();
    std::string reason;
    is_reached_ = true;
    for (const auto* site : directory->all_sites()) {
      if (stopping_) return;
      if (!is_reached_) break;  // every further alert would wait for the timeouts again
      parts_.gate.pass(kMaxWaitAtGate);
      if (const auto looked = look_at(*site, *settings); !looked) reason = looked.error().reason();
    }
    if (!stopping_) log_failure(reason);
  } catch (const std::exception& error) {
    parts_.log.error("sites could not be looked at for alerts", {{"reason", error.what()}});
  }
}

void AlertSender::log_failure(const std::string& reason) {
  if (reason.empty()) return complained_at_.reset();
  const auto now = std::chrono::floor<std::chrono::seconds>(parts_.clock.now());
  if (complained_at_ && now - *complained_at_ < kRest) return;
  complained_at_ = now;
  parts_.log.warn("alerts could not be sent; it is tried again", {{"reason", reason}});
}

void AlertSender::open_reader() {
  const std::scoped_lock lock(mutex_);
  if (!reader_) reader_ = parts_.open_reader();
}

Status AlertSender::look_at(const Site& site, const Settings& settings) {
  const auto now = std::chrono::floor<std::chrono::seconds>(parts_.clock.now());
  const AlertRules rules{std::chrono::hours(settings.silent_hours), settings.default_keep};
  const auto alerts = TRY(find_alerts(site.id, now, rules, *reader_->registry, *reader_->stats));
  for (const auto& alert : alerts) {
    const auto silent_since = alert.since + std::chrono::hours(settings.silent_hours);
    if (alert.kind == AlertKind::kSilent && now - silent_since > kForgotten) continue;
    const auto last = TRY(reader_->registry->last_alert_at(site.id, alert.kind));
    const auto told_at = told_.find({site.id, alert.kind});
    const auto latest = std::max(last.value_or(UnixSeconds()),
                                 told_at == told_.end() ? UnixSeconds() : told_at->second);
    if (now - latest < kRest) continue;
    TRY(tell(alert, settings.alert_webhook, now));
  }
  return {};
}

Status AlertSender::tell(const Alert& alert, const std::string& url, UnixSeconds now) {
  if (auto sent = webhook_.post(url, to_json(alert).dump()); !sent) {
    is_reached_ = sent.error().code != ErrorCode::kInternal;
    return sent;
  }
  told_[{alert.site.id, alert.kind}] = now;
  parts_.log.info("alert sent", {{"site", alert.site.domain},
                                 {"kind", std::string(alert_kind_name(alert.kind))}});
  parts_.provisioning.change_here<void>(
      [site = alert.site.id, kind = alert.kind, now](sqlite::Registry& registry) {
        return registry.alert_log().note_alert(site, kind, now);
      },
      [](const Status&) {});
  return {};
}

}  // namespace analytics
