#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "common/io/log.h"
#include "common/run/gate.h"
#include "common/run/published.h"
#include "common/run/worker_pool.h"
#include "daemon/alerts/webhook.h"
#include "daemon/ingest/provisioning.h"
#include "daemon/ingest/settings.h"
#include "daemon/ingest/site_directory.h"
#include "daemon/model/alert.h"
#include "daemon/store/backend.h"

namespace analytics {

/// Checks all sites and posts alerts to the configured webhook. Repeats an alert of the same site
/// and kind after kRest at the earliest; the store keeps the time of the last one. Does nothing
/// without a webhook.
class AlertSender {
 public:
  static constexpr std::chrono::hours kRest{6};
  /// A site that has counted as silent for longer causes no more alerts.
  static constexpr std::chrono::days kForgotten{7};

  /// Objects that the sender uses. All references must outlive it.
  struct Parts {
    const Published<Settings>& settings;
    const SiteDirectory& directory;
    Provisioning& provisioning;
    /// Passed before each site is checked, so that a thread can wait for readers to leave.
    Gate& gate;
    const Clock& clock;
    Log& log;
    std::function<store::Reader()> open_reader;
  };
  explicit AlertSender(Parts parts);
  ~AlertSender();

  /// Checks all sites on the sender's thread, unless a check is queued already. Any thread.
  void look();
  /// Makes a running check end soon. Any thread.
  void cancel();
  /// Cancels and joins the thread. Idempotent.
  void stop();

 private:
  void look_at_all();
  void open_reader();
  /// Logs why alerts could not be sent, at most once per kRest. An empty `reason` means that the
  /// check succeeded.
  void log_failure(const std::string& reason);
  /// Checks a site and sends its alerts. Errors: those of the stores and of Webhook::post().
  Status look_at(const Site& site, const Settings& settings);
  Status tell(const Alert& alert, const std::string& url, UnixSeconds now);

  const Parts parts_;
  std::mutex mutex_;
  /// Connection to the database, opened on first use. mutex_ guards opening, cancelling and closing
  /// it.
  std::optional<store::Reader> reader_;
  std::atomic<bool> stopping_{false};
  /// Time of the last alert sent, by site and kind, in case the store cannot record it.
  std::map<std::pair<SiteId, AlertKind>, UnixSeconds> told_;
  bool is_reached_ = true;  ///< False if the webhook was not reachable in this check of all sites.
  /// When log_failure() last logged a failure; nullopt after a check without failures.
  std::optional<UnixSeconds> complained_at_{};
  Webhook webhook_;
  WorkerPool pool_{1, 1};
};

}  // namespace analytics
