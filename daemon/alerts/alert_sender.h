#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "common/gate.h"
#include "common/log.h"
#include "common/published.h"
#include "common/worker_pool.h"
#include "daemon/alerts/webhook.h"
#include "daemon/ingest/provisioning.h"
#include "daemon/ingest/settings.h"
#include "daemon/ingest/site_directory.h"
#include "daemon/model/alert.h"
#include "daemon/store/backend.h"

namespace analytics {

/// Looks at all sites and tells the webhook of the settings what is wrong: of one kind about one
/// site once in kRest, which the store remembers. Without a webhook it does nothing.
class AlertSender {
 public:
  static constexpr std::chrono::hours kRest{6};
  /// A site that has been an alert for longer is not told of again.
  static constexpr std::chrono::days kForgotten{7};

  /// The parts that it works with. All references must outlive it.
  struct Parts {
    const Published<Settings>& settings;
    const SiteDirectory& directory;
    Provisioning& provisioning;
    Gate& gate;  ///< It is passed before each reading.
    const Clock& clock;
    Log& log;
    std::function<store::Reader()> open_reader;
  };
  explicit AlertSender(Parts parts);
  ~AlertSender();

  /// Any thread: looks at all sites on a thread of its own, unless it still does.
  void look();
  /// Any thread: makes what is under way end soon.
  void cancel();
  /// Ends it. Idempotent.
  void stop();

 private:
  void look_at_all();
  void open_reader();
  /// Says in the log why alerts could not be sent, once in kRest. `reason`: empty if all were.
  void complain(const std::string& reason);
  /// Errors: those of the stores; what the webhook says.
  Status look_at(const Site& site, const Settings& settings);
  Status tell(const Alert& alert, const std::string& url, UnixSeconds now);

  const Parts parts_;
  std::mutex mutex_;
  /// Opened when it is first needed. Guarded by mutex_ while it is opened or cancelled.
  std::optional<store::Reader> reader_;
  std::atomic<bool> stopping_{false};
  std::map<std::pair<SiteId, AlertKind>, UnixSeconds> told_;  ///< In case the store cannot note it.
  bool is_reached_ = true;  ///< The webhook has answered well, in this look at all sites.
  std::optional<UnixSeconds> complained_at_{};  ///< While alerts cannot be sent.
  Webhook webhook_;
  WorkerPool pool_{1, 1};
};

}  // namespace analytics
