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
#include "daemon/store/reader.h"

namespace analytics {

/// Looks for problems of all sites, such as missing events, and posts each as an alert to the
/// webhook in the settings. Does nothing without a webhook.
class AlertSender {
 public:
  /// Shortest time between two alerts of the same site and kind. The store keeps the time of the
  /// last alert.
  static constexpr std::chrono::hours kRest{6};
  /// Time for which a silent site raises alerts about its silence, counted from the first possible
  /// alert.
  static constexpr std::chrono::days kForgotten{7};

  /// Objects that the sender uses. All references must outlive it.
  struct Parts {
    const Published<Settings>& settings;
    const SiteDirectory& directory;
    Provisioning& provisioning;
    /// Gate to pass before each site is checked; delays reads while the WAL is emptied.
    Gate& gate;
    const Clock& clock;
    Log& log;
    std::function<store::Reader()> open_reader;
  };
  explicit AlertSender(Parts parts);
  ~AlertSender();

  /// Queues a check of all sites on the sender's thread, unless one is queued already. Any thread.
  void look();
  /// Makes a running check end soon. Any thread.
  void cancel();
  /// Calls cancel() and joins the thread. Idempotent.
  void stop();

 private:
  void look_at_all();
  void open_reader();
  /// Logs that alerts could not be sent, at most once per kRest. `reason`: why the last alert or
  /// check failed; empty if the check succeeded.
  void log_failure(const std::string& reason);
  /// Checks a site and sends its alerts. Errors: those of the stores and of Webhook::post().
  Status look_at(const Site& site, const Settings& settings);
  /// Sends an alert to the webhook and records its time. Errors: those of Webhook::post().
  Status tell(const Alert& alert, const std::string& url, UnixSeconds now);

  const Parts parts_;
  std::mutex mutex_;
  /// Reader of the store, opened on first use. mutex_ guards opening, cancelling and closing it.
  std::optional<store::Reader> reader_;
  std::atomic<bool> stopping_{false};
  /// Time of the last alert sent, by site and kind. Prevents repeated alerts if the store cannot
  /// record the time.
  std::map<std::pair<SiteId, AlertKind>, UnixSeconds> told_;
  /// False if the webhook could not be reached in the current check; the check then ends.
  bool is_reached_ = true;
  /// Time at which log_failure() last logged; nullopt after a check without failures.
  std::optional<UnixSeconds> complained_at_{};
  Webhook webhook_;
  WorkerPool pool_{1, 1};
};

}  // namespace analytics
