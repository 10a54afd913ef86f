#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "common/io/fs.h"
#include "common/io/log.h"
#include "common/run/published.h"
#include "common/text/time.h"
#include "daemon/cluster/import_claims.h"
#include "daemon/cluster/marks.h"
#include "daemon/cluster/registry_log.h"
#include "daemon/cluster/salt_sharing.h"
#include "daemon/store/change_order.h"
#include "daemon/store/salts.h"

namespace analytics::sqlite {
class SharedRegistry;
}

namespace analytics::cluster {

struct RegistryConfig {
  PostgresConfig server;
  std::string node{};    ///< Name of this node.
  std::string secret{};  ///< Contents of the key file, the same on every node. Encrypts the salts.
  /// Time for which a node may rely on the registry after reading it; must be the same on every
  /// node.
  std::chrono::seconds lease{60};
  /// Format of the changes that this node makes: see kRegistryFormat.
  std::int64_t format = kRegistryFormat;
};

/// Reports how up to date this node's copy of the cluster's registry is.
struct RegistryStatus {
  /// Why this node cannot read or apply the registry's changes now; empty if it can.
  std::string problem;
  std::uint64_t revision = 0;        ///< Number of the newest revision that this node has applied.
  std::chrono::milliseconds age{0};  ///< Time since the registry was last read.
  bool is_rewound = false;  ///< True if the registry has lost changes that this node has applied.
};

/// The thread that keeps this node's copy of the registry equal to the cluster's, adds this node's
/// changes to the cluster's log of changes, and exchanges salts with the other nodes.
class RegistrySync final : public store::ChangeOrder {
 public:
  struct Parts {
    /// Runs a function on the writer thread, then publishes changed sites and keys to all threads.
    /// Returns after both.
    std::function<Status(const std::function<Status()>&)> on_writer;
    sqlite::SharedRegistry& shared;
    store::Salts& salts;
    store::JournalId journal;
    Published<RegisteredNodes>& nodes;  ///< Receives the nodes that are listed in the registry.
    const Clock& clock;
    Log& log;
  };
  RegistrySync(Parts parts, RegistryConfig config);
  ~RegistrySync() override;  ///< Calls stop().

  /// Starts the thread. Returns after its first attempt to read the registry, or after 15 seconds.
  void start();
  /// Stops the thread and answers all waiting clients. Later changes are refused.
  void stop();

  void carry_out(Draft draft, Done done) override;
  /// Makes this node accept a registry that has lost changes which the node has applied: see
  /// analytics-cluster(7). Calls `done` with the result, as carry_out() does. Errors:
  /// kInvalidParameter if nothing was lost, or while a node of the cluster is silent.
  void accept(Done done);

  /// Returns why API calls with keys, and shared pages, must be refused now; nullopt if they can be
  /// answered. Any thread. Errors: kRegistryStale, kRegistryRewound.
  [[nodiscard]] std::optional<Error> refusal() const;
  /// Returns the part that exchanges salts with the registry.
  [[nodiscard]] SaltSharing& salts() { return salts_; }
  /// Returns the part that knows which node owns an import.
  [[nodiscard]] ImportClaims& imports() { return imports_; }
  /// Returns how up to date this node's copy is. Any thread.
  [[nodiscard]] RegistryStatus status() const;

 private:
  /// Time since the machine booted, including the time that it was suspended.
  using LeaseTime = std::chrono::nanoseconds;
  [[nodiscard]] static LeaseTime lease_now();
  /// A call of carry_out() or accept() that waits for the thread of this class.
  struct Order {
    Draft draft;  ///< Drafts the change; empty if the call was accept().
    Done done;
  };
  /// A change that this node has added to the registry's log. The client that asked for it gets its
  /// answer when the other nodes have applied the change.
  struct Made {
    std::uint64_t revision = 0;
    bool withdraws = false;  ///< True if the change takes away access.
    /// Time at which the client is answered even if other nodes have not applied the change.
    LeaseTime give_up;
    Done done;
  };
  /// State of this node's copy of the registry: the newest revision, and the highest id used in
  /// each table.
  struct Own {
    std::optional<store::Revision> revision;
    Spent spent;
  };

  [[nodiscard]] static Error rewound();
  /// Returns the error that clients get because of `error`, whose reason appears only in the
  /// daemon's log.
  [[nodiscard]] static Error not_now(const Error& error);

  void run();
  [[nodiscard]] Status round();
  [[nodiscard]] Status open();
  [[nodiscard]] Status follow();
  [[nodiscard]] Status learn_nodes();
  [[nodiscard]] Status begin();
  [[nodiscard]] Result<Own> own();
  [[nodiscard]] Status catch_up(const store::Revision& from);
  [[nodiscard]] Status apply(std::span<const store::RegistryStep> steps);
  [[nodiscard]] Status replace(std::span<const store::RegistryStep> steps);
  [[nodiscard]] NodeReport report_of(const Own& own) const;
  void note_read(const store::Revision& revision, LeaseTime asked);

  void carry_out_orders();
  void refuse_orders(const Error& error);
  void make(Order& order);
  void make_or_accept(Order& order);
  [[nodiscard]] Result<std::optional<store::RegistryStep>> draft(const Draft& draft);
  [[nodiscard]] Status add(const store::RegistryStep& step);
  [[nodiscard]] Status accept_now();
  [[nodiscard]] Status require_all_nodes();
  void answer_made();
  [[nodiscard]] Status keep_imports();

  void note(const Status& round);
  void wait_for_work();
  void wake();

  const Parts parts_;
  const RegistryConfig config_;
  std::atomic<bool> is_ending_{false};
  FileDescriptor wake_;  ///< An eventfd, readable when the thread has work.

  // Only the thread uses the next five members. stop() uses made_ after it has joined the thread.
  Postgres server_;
  RegistryLog log_;
  std::vector<Made> made_;
  bool has_kept_imports_ = false;  ///< True if keep_imports() has succeeded on this connection.
  /// Time at which the list of the nodes was last read from the registry.
  LeaseTime learned_at_{};

  SaltSharing salts_;
  ImportClaims imports_;
  /// Time until which this node may answer calls with keys without reading the registry again.
  std::atomic<LeaseTime> lease_end_{LeaseTime{}};
  std::atomic<bool> is_rewound_{false};
  mutable std::mutex mutex_;
  std::condition_variable tried_;
  // mutex_ guards the next six members.
  bool was_tried_ = false;
  bool is_stopped_ = false;
  std::deque<Order> orders_;
  std::string problem_;
  std::uint64_t revision_ = 0;
  LeaseTime read_at_{};

  std::thread thread_;
};

}  // namespace analytics::cluster
