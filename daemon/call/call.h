#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/gate.h"
#include "common/worker_pool.h"
#include "daemon/call/auth.h"
#include "daemon/call/bulk_budget.h"
#include "daemon/call/key_rates.h"
#include "daemon/call/params.h"
#include "daemon/call/passwords.h"
#include "daemon/enrich/enrichment.h"
#include "daemon/http/message.h"
#include "daemon/ingest/address_throttle.h"
#include "daemon/ingest/address_watch.h"
#include "daemon/ingest/batch_writer.h"
#include "daemon/ingest/disk_space.h"
#include "daemon/ingest/import_order.h"
#include "daemon/ingest/provisioning.h"
#include "daemon/ingest/settings.h"
#include "daemon/ingest/site_directory.h"
#include "daemon/store/backend.h"

namespace analytics::api {

/// Knows which node of a cluster has an import. May wait for seconds. Errors: kImportElsewhere,
/// kRegistryStale.
class ImportOwners {
 public:
  virtual ~ImportOwners() = default;
  /// This daemon takes the import of these sites in.
  [[nodiscard]] virtual Status claim(const ImportRange& import, const std::set<SiteId>& sites) = 0;
  [[nodiscard]] virtual Status require_ours(SiteId site, const std::string& name_or_log) = 0;
  /// The import was undone.
  virtual void release(SiteId site, const std::string& name_or_log) = 0;
};

/// Everything that handlers use. All references outlive the server.
struct Services {
  const Published<Settings>& settings;
  const Enricher& enricher;
  AddressWatch& watch;
  AddressThrottle& address_throttle;
  KeyRates& key_rates;
  Passwords& passwords;
  SiteDirectory& directory;
  Provisioning& provisioning;
  BatchWriter& writer;
  DropCounters& counters;
  Metrics& metrics;
  const DiskSpace& disk;
  Authenticator& auth;
  WorkerPool& workers;
  WorkerPool& analysts;   ///< Answer queries, which may take seconds.
  WorkerPool& importers;  ///< Unpack and parse bulk requests.
  BulkBudget& bulk_budget;
  ImportOrder& import_order;
  std::vector<store::Reader>& readers;          ///< One a worker.
  std::vector<store::Reader>& analyst_readers;  ///< One an analyst.
  Gate& gate;                                   ///< Readers pass it before they begin.
  const std::atomic<bool>& draining;
  const Clock& clock;
  Log& log;
  /// Says in a word or two how it is with the cluster; null: the daemon is no node of one.
  std::function<std::string()> cluster_state{};
  /// Says why this node may not act on its copy of the cluster's registry now; null: the registry
  /// is the daemon's own.
  std::function<std::optional<Error>()> registry_refusal{};
  /// Says why events of those days cannot be taken in now; null: no salts are shared.
  std::function<std::optional<Error>(const std::set<Days>&)> salt_refusal{};
  /// Which node has an import; null: the daemon has all there are.
  ImportOwners* import_owners = nullptr;

  [[nodiscard]] UnixSeconds now_in_seconds() const {
    return std::chrono::floor<std::chrono::seconds>(clock.now());
  }
  [[nodiscard]] bool is_disk_low() const {
    return disk.free_bytes() < settings.snapshot()->min_free_disk;
  }
  /// True when events are refused for want of room: one site must not fill the disk for all, and
  /// the service must be able to end in an orderly way.
  [[nodiscard]] bool is_disk_full() const {
    return disk.free_bytes() < settings.snapshot()->refuse_events_below;
  }
  /// Why no events are stored now, for whoever sends some.
  [[nodiscard]] std::optional<Error> refusal_of_events() const;
  /// Why events of those times cannot be taken in now; nullopt: they can. `each_time` calls what it
  /// is given with each time; only where salts are shared does anybody look at them. Errors:
  /// kRegistryStale.
  template <typename EachTime>
  [[nodiscard]] std::optional<Error> refusal_of_times(const EachTime& each_time) const {
    if (!salt_refusal) return std::nullopt;
    std::set<Days> days;
    each_time([&](UnixMillis time) { days.insert(std::chrono::floor<std::chrono::days>(time)); });
    return salt_refusal(days);
  }
  /// Says in the log, as a count, and where a page is damaged to the writer, what failed by no
  /// fault of the client.
  void note_failure(std::string_view what, const Error& error) const;
};

/// One request on its way through a handler.
struct Call {
  const http::Request& request;  ///< Lives until the responder is called.
  Params params;                 ///< The parameters of provisioning routes.
  std::shared_ptr<const DirectorySnapshot> snapshot;
  const ApiKey* key = nullptr;  ///< Points into the snapshot; null on public routes.

  /// The key's site of that name, given in any spelling. Errors: kSiteNotFound, the same for what
  /// does not exist, belongs to another account, or is outside the key's sites.
  [[nodiscard]] Result<Site> own_site(std::string_view name) const;
  /// Returns the site that the parameter `site_id` names. Errors: as own_site(), and
  /// kMissingParameter.
  [[nodiscard]] Result<Site> site_parameter() const;
};

/// The address of whoever sent the request: the peer's, or the one that a trusted proxy speaks for.
[[nodiscard]] std::string verified_client(const Services& services, const http::Head& head,
                                          std::string_view peer);

/// The key a request comes with; failures are counted against the client, behind trusted proxies
/// against the one they speak for. Errors: those of Authenticator::authenticate(), and those of
/// Services::registry_refusal.
[[nodiscard]] Result<const ApiKey*> authenticate(const Services& services, const http::Head& head,
                                                 std::string_view peer,
                                                 const DirectorySnapshot& snapshot);

/// Idempotency-Key; empty when there is none. Errors: kInvalidParameter.
[[nodiscard]] Result<std::string_view> read_idempotency_key(const http::Head& head);

/// Adds the CORS fields that let pages of any origin read a response.
void allow_any_origin(http::Response& response);

/// 200 with a JSON document.
[[nodiscard]] http::Response json_response(std::string body);
[[nodiscard]] http::Response deleted_response();
/// 200 with `rows` under `key` and the cursors around them under `meta`.
[[nodiscard]] http::Response list_response(const std::string& key, nlohmann::ordered_json rows,
                                           const store::PageRequest& request,
                                           const store::PageEnds& ends);
/// 200 with X-Analytics-Outcome.
[[nodiscard]] http::Response changed_response(std::string body, ChangeOutcome outcome);

}  // namespace analytics::api
