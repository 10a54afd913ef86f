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
#include "daemon/call/link_passwords.h"
#include "daemon/call/params.h"
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
#include "daemon/store/reader.h"

namespace analytics::api {

/// Records which node of a cluster owns each import; only that node accepts the import's records.
/// Calls may take seconds. Errors: kImportElsewhere, kRegistryStale, kInternal.
class ImportOwners {
 public:
  virtual ~ImportOwners() = default;
  /// Makes this node the owner of the import for these sites. Fails if another node owns it.
  [[nodiscard]] virtual Status claim(const ImportRange& import, const std::set<SiteId>& sites) = 0;
  /// Fails if another node owns the import. `name_or_log`: name of the import, or of a log whose
  /// rotated files were imported (Import-Log), which stands for all imports of that log.
  [[nodiscard]] virtual Status require_ours(SiteId site, const std::string& name_or_log) = 0;
  /// Gives up the ownership of an import that was undone.
  virtual void release(SiteId site, const std::string& name_or_log) = 0;
};

/// Functions that only a node of a cluster has. On a single daemon all members are null.
struct ClusterHooks {
  /// Returns the state of the cluster in a word or two, for the health check.
  std::function<std::string()> state{};
  /// Returns the reason why this node must not use its copy of the cluster's registry (sites,
  /// links, keys) at the moment; nullopt if it may.
  std::function<std::optional<Error>()> registry_refusal{};
  /// Returns the error to answer to events of these days while this node lacks a salt that the
  /// nodes share; nullopt if it has the salts.
  std::function<std::optional<Error>(const std::set<Days>&)> salt_refusal{};
  ImportOwners* import_owners = nullptr;
};

// The contexts hold the objects that handlers may use. A handler takes the smallest context that
// has everything it needs. All references must outlive the server.

/// Context for every call.
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
  /// Logs and counts an internal error or a damaged database, and reports the damage to the writer.
  /// Ignores errors that the client caused. `what`: the message for the daemon's log.
  void note_failure(std::string_view what, const Error& error) const;
};

/// Context for calls that read the store. work.h runs the reads on other threads.
struct ReadContext : CallContext {
  WorkerPool& workers;                  ///< Threads for short reads.
  WorkerPool& analysts;                 ///< Threads for queries, which may take seconds.
  WorkerPool& importers;                ///< Threads that unpack and parse bulk requests.
  LinkPasswords& passwords;             ///< Thread that hashes and compares the passwords of links.
  std::vector<store::Reader>& readers;  ///< Readers of the store, one per worker.
  std::vector<store::Reader>& analyst_readers;  ///< Readers of the store, one per analyst.
  Gate& gate;  ///< Gate that delays reads while a deletion empties the WAL.
  MemoryLedger& memory;
  const std::atomic<bool>& draining;  ///< True while the daemon stops.
};

/// Context for calls that change the registry, or data that each node keeps for itself.
struct ChangeContext : ReadContext {
  Provisioning& provisioning;
};

/// Context for calls that send events or daily totals, and for the health check, which reports
/// whether events can be stored.
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
  /// Returns true if the free space is below the setting `refuse_events_below`. Events are then
  /// refused, because the daemon needs space to stop cleanly.
  [[nodiscard]] bool is_disk_full() const {
    return disk.free_bytes() < settings.snapshot()->refuse_events_below;
  }
  /// Returns the error to answer to all events at the moment, because the database is damaged or
  /// the disk full; nullopt if events can be stored.
  [[nodiscard]] std::optional<Error> refusal_of_events() const;
  /// Returns the error to answer to events with these activities, because this node of a cluster
  /// lacks the salt of their days; nullopt if they can be accepted. `each_activity(f)` must call
  /// `f` with the activity of each event; it is called only in a cluster. Errors: kRegistryStale.
  template <typename EachActivity>
  [[nodiscard]] std::optional<Error> refusal_of_activities(
      const EachActivity& each_activity) const {
    if (!cluster.salt_refusal) return std::nullopt;
    std::set<Days> days;
    each_activity([&](const Activity& activity) {
      days.insert(std::chrono::floor<std::chrono::days>(activity.from));
      days.insert(std::chrono::floor<std::chrono::days>(activity.to));
    });
    return cluster.salt_refusal(days);
  }
};

/// The contexts of all handlers. Converts to the context that a handler takes as its parameter.
struct Services {
  ChangeContext changes;  ///< Context for changes; includes those for reads and for every call.
  IntakeContext intake;
  KeyRates& key_rates;

  // NOLINTBEGIN(google-explicit-constructor): a handler's parameter chooses the context
  operator const CallContext&() const { return changes; }
  operator const ReadContext&() const { return changes; }
  operator const ChangeContext&() const { return changes; }
  operator const IntakeContext&() const { return intake; }
  // NOLINTEND(google-explicit-constructor)
};

/// A request that a handler processes, with its key and parameters.
struct Call {
  const http::Request& request;  ///< The HTTP request; it lives until the responder is called.
  /// Parameters, parsed only for routes that need a key and have BodyLimit::kProvisioning.
  Params params;
  std::shared_ptr<const DirectorySnapshot> snapshot;
  /// API key of the request, as a pointer into `snapshot`; null on public routes.
  const ApiKey* key = nullptr;

  /// Returns the site with this domain, which is normalised first. Errors: kSiteNotFound, with the
  /// same text whether the site does not exist, belongs to another account, or is not among the
  /// sites that the key may use.
  [[nodiscard]] Result<Site> own_site(std::string_view name) const;
  /// Returns own_site() of the parameter `site_id`. Errors: as own_site(), and kMissingParameter.
  [[nodiscard]] Result<Site> site_parameter() const;
};

/// Returns the client's address: that of the connection's `peer` or, if that is a trusted proxy,
/// the address in its X-Forwarded-For.
[[nodiscard]] std::string verified_client(const CallContext& context, const http::Head& head,
                                          std::string_view peer);

/// Returns the API key of the request. Failures count against the address from verified_client().
/// Errors: those of Authenticator::authenticate(), and those of ClusterHooks::registry_refusal.
[[nodiscard]] Result<const ApiKey*> authenticate(const CallContext& context, const http::Head& head,
                                                 std::string_view peer,
                                                 const DirectorySnapshot& snapshot);

/// Returns the value of the header Idempotency-Key; empty if absent. Errors: kInvalidParameter.
[[nodiscard]] Result<std::string_view> read_idempotency_key(const http::Head& head);

/// Returns the text with control and non-ASCII characters, "%", "," and "=" percent-encoded, for a
/// list in a header.
[[nodiscard]] std::string header_safe(std::string_view text);
/// Sets X-Analytics-Ignored to the names of the fields that were ignored: each once, at most 20,
/// and cut to 40 bytes. Sets nothing if there are no names.
void name_ignored(http::Response& response, const std::vector<std::string>& names);

/// Returns a response with status 200 and this JSON document.
[[nodiscard]] http::Response json_response(std::string body);
[[nodiscard]] http::Response deleted_response();
/// Returns a page of a list as JSON, with status 200: `rows` under `key` and, under `meta`, the
/// limit and the cursors of the pages before and after.
[[nodiscard]] http::Response list_response(const std::string& key, nlohmann::ordered_json rows,
                                           const store::PageRequest& request,
                                           const store::PageEnds& ends);
/// Returns a response with status 200, this JSON document and the header X-Analytics-Outcome.
[[nodiscard]] http::Response changed_response(std::string body, ChangeOutcome outcome);

}  // namespace analytics::api
