#pragma once

#include <atomic>
#include <barrier>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/cluster/balancer_process.h"
#include "tests/cluster/event_ledger.h"
#include "tests/cluster/registry_cluster.h"

namespace analytics::test {

/// Clients that use all nodes of a cluster at once while faults occur: visitors that use the
/// balancer; visitors that choose a node and repeat unanswered requests; readers that check each
/// answer against the ledger; callers that all provision the same sites; and one client that
/// imports files through the balancer.
class ClusterLoad {
 public:
  static constexpr char kSite[] = "a.de";      ///< Site that the visitors use.
  static constexpr char kImported[] = "b.de";  ///< Site of the imported files.
  static constexpr int kLines = 500;           ///< Number of lines in each imported file.

  /// Creates the sites and starts the clients. The references must outlive the object.
  ClusterLoad(Cluster& cluster, const BalancerProcess& balancer);
  ~ClusterLoad() {
    is_abandoned_ = true;
    end();
  }
  ClusterLoad(const ClusterLoad&) = delete;
  ClusterLoad& operator=(const ClusterLoad&) = delete;

  /// Stops sending to a node that is about to be killed.
  void leave(std::size_t node) { set_url(node, {}); }
  /// Sends to a node again after it was restarted.
  void come_back(std::size_t node) { set_url(node, cluster_.node(node).daemon().url()); }
  /// Stops the clients after their current requests. REQUIRES: all nodes are running.
  void end();

  [[nodiscard]] const EventLedger& ledger() const { return ledger_; }
  /// Returns how many answers were checked against the ledger.
  [[nodiscard]] int answers() const { return answers_; }
  [[nodiscard]] int imports() const { return imports_; }
  /// Returns how many events were acknowledged through the balancer.
  [[nodiscard]] int balanced() const { return balanced_; }
  /// Returns how many calls created each site.
  [[nodiscard]] std::map<std::string, int> provisioned();
  /// Returns a line for each fault that was found.
  [[nodiscard]] std::string faults();

 private:
  static constexpr std::size_t kVisitors = 60;  ///< Visitors that choose their node.
  static constexpr std::size_t kBalanced = 20;  ///< Visitors that use the balancer.

  class Visitors;

  void set_url(std::size_t node, std::string url);
  [[nodiscard]] std::string url_of(std::size_t node);
  void visit_through_balancer();
  void read(std::size_t node);
  void judge(const HttpReply& reply);
  void provision(std::size_t node);
  void import();
  void report(const std::string& fault);

  Cluster& cluster_;
  const BalancerProcess& balancer_;
  EventLedger ledger_;
  std::atomic<bool> is_over_{false};
  std::atomic<bool> is_abandoned_{
      false};  ///< True if clients end without waiting for stopped nodes.
  std::atomic<int> answers_{0};
  std::atomic<int> imports_{0};
  std::atomic<int> balanced_{0};
  std::barrier<> all_callers_;
  std::mutex mutex_;
  // URL of each node, empty while the node is away; guarded by mutex_.
  std::vector<std::string> urls_;
  std::map<std::string, int> provisioned_;  // calls that created each site; guarded by mutex_
  std::vector<std::string> faults_;         // a line per fault that was found; guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace analytics::test
