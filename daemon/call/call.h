#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/run/gate.h"
#include "common/run/memory_ledger.h"
#include "common/run/worker_pool.h"
#include "daemon/call/auth.h"
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

/// Tells which node of a cluster has an import. Calls may take seconds. Errors: kImportElsewhere,
/// kRegistryStale.
class ImportOwners {
 public:
  virtual ~ImportOwners() = default;
  /// Makes this node the owner of the import for these sites.
  [[nodiscard]] virtual Status claim(const ImportRange& import, const std::set<SiteId>& sites) = 0;
  [[nodiscard]] virtual Status require_ours(SiteId site, const std::string& name_or_log) = 0;
  /// Gives up the ownership after the import was undone.
  virtual void release(SiteId site, const std::string& name_or_log) = 0;
};

/// What a node of a cluster adds. All members are null if the daemon is no node.
struct ClusterHooks {
  /// Describes the state of the cluster in a word or two.
  std::function<std::string()> state{};
  /// Returns why this node must not use its copy of the cluster's registry now; null if the
  /// registry is the daemon's own.
  std::function<std::optional<Error>()> registry_refusal{};
  /// Returns why events of those days cannot be accepted now; null if no salts are shared.
  std::function<std::optional<Error>(const std::set<Days>&)> salt_refusal{};
  /// Tells which node has an import; null if this daemon has every import.
  ImportOwners* import_owners = nullptr;
};

// What handlers may use. A handler takes the smallest context that has what it needs. All
// references must outlive the server.

/// For every call.
struct CallContext {
  const Published<Settings>& settings;
  SiteDirectory& directory;
  Authenticator& auth;
  BatchWriter& writer;
  Metrics& metrics;
  const ClusterHooks& cluster;
  const Clock& clock;
  Log& log;

  [[nodiscard]] UnixSeconds now_in_seconds() const {
    return std::chrono::floor<std::chrono::seconds>(clock.now());
  }
  /// Logs and counts a failure that the client did not cause, and reports a damaged page to the
  /// writer. Ignores all other errors.
  void note_failure(std::string_view what, const Error& error) const;
};

/// For calls that read the store, on other threads: see work.h.
struct ReadContext : CallContext {
  WorkerPool& workers;
  WorkerPool& analysts;                         ///< Threads for queries, which may take seconds.
  WorkerPool& importers;                        ///< Threads that unpack and parse bulk requests.
  Passwords& passwords;                         ///< Threads that hash the passwords of links.
  std::vector<store::Reader>& readers;          ///< One per worker.
  std::vector<store::Reader>& analyst_readers;  ///< One per analyst.
  Gate& gate;                                   ///< Readers pass it before each read.
  MemoryLedger& memory;
  const std::atomic<bool>& draining;
};

/// For calls that change the registry, or data that only this store has.
struct ChangeContext : ReadContext {
  Provisioning& provisioning;
};

/// For calls that send events or totals, and for health, which tells whether they can be stored.
struct IntakeContext : ReadContext {
  const Enricher& enricher;
  AddressWatch& watch;
  AddressThrottle& address_throttle;
  DropCounters& counters;
  ImportOrder& import_order;
  const DiskSpace& disk;

  [[nodiscard]] bool is_disk_low() const {
    return disk.free_bytes() < settings.snapshot()->min_free_disk;
  }
  /// Returns true if the disk is too full for events. One site must not fill the disk for all
  /// others, and the daemon needs space to stop cleanly.
  [[nodiscard]] bool is_disk_full() const {
    return disk.free_bytes() < settings.snapshot()->refuse_events_below;
  }
  /// Returns why no events can be stored now, as an error for the sender; nullopt if they can.
  [[nodiscard]] std::optional<Error> refusal_of_events() const;
  /// Returns why events of those times cannot be accepted now; nullopt if they can. `each_time`
  /// calls its argument with each time, and is only called where salts are shared. Errors:
  /// kRegistryStale.
  template <typename EachTime>
  [[nodiscard]] std::optional<Error> refusal_of_times(const EachTime& each_time) const {
    if (!cluster.salt_refusal) return std::nullopt;
    std::set<Days> days;
    each_time([&](UnixMillis time) { days.insert(std::chrono::floor<std::chrono::days>(time)); });
    return cluster.salt_refusal(days);
  }
};

/// The contexts of all handlers. The dispatcher gives each handler the one that it takes.
struct Services {
  ChangeContext changes;
  IntakeContext intake;
  KeyRates& key_rates;

  // NOLINTBEGIN(google-explicit-constructor): a handler's parameter chooses the context
  operator const CallContext&() const { return changes; }
  operator const ReadContext&() const { return changes; }
  operator const ChangeContext&() const { return changes; }
  operator const IntakeContext&() const { return intake; }
  // NOLINTEND(google-explicit-constructor)
};

/// A request while a handler processes it.
struct Call {
  const http::Request& request;  ///< Lives until the responder is called.
  Params params;                 ///< Parameters of provisioning routes.
  std::shared_ptr<const DirectorySnapshot> snapshot;
  const ApiKey* key = nullptr;  ///< Points into the snapshot; null on public routes.

  /// Returns the key's site with this name, in any spelling. Errors: kSiteNotFound, the same for
  /// sites that do not exist, belong to another account, or are outside the key's sites.
  [[nodiscard]] Result<Site> own_site(std::string_view name) const;
  /// Returns the site that the parameter `site_id` names. Errors: as own_site(), and
  /// kMissingParameter.
  [[nodiscard]] Result<Site> site_parameter() const;
};

/// Returns the client's address: the peer's, or the address that a trusted proxy forwards.
[[nodiscard]] std::string verified_client(const CallContext& context, const http::Head& head,
                                          std::string_view peer);

/// Returns the request's key. Counts failures against the client, also behind trusted proxies.
/// Errors: those of Authenticator::authenticate(), and those of ClusterHooks::registry_refusal.
[[nodiscard]] Result<const ApiKey*> authenticate(const CallContext& context, const http::Head& head,
                                                 std::string_view peer,
                                                 const DirectorySnapshot& snapshot);

/// Returns the Idempotency-Key; empty if absent. Errors: kInvalidParameter.
[[nodiscard]] Result<std::string_view> read_idempotency_key(const http::Head& head);

/// Adds the CORS fields that let pages of any origin read a response.
void allow_any_origin(http::Response& response);

/// Returns 200 with a JSON document.
[[nodiscard]] http::Response json_response(std::string body);
[[nodiscard]] http::Response deleted_response();
/// Returns 200 with `rows` under `key` and, under `meta`, the cursors of the pages before and
/// after.
[[nodiscard]] http::Response list_response(const std::string& key, nlohmann::ordered_json rows,
                                           const store::PageRequest& request,
                                           const store::PageEnds& ends);
/// Returns 200 with X-Analytics-Outcome.
[[nodiscard]] http::Response changed_response(std::string body, ChangeOutcome outcome);

}  // namespace analytics::api
