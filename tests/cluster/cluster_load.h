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

/// Clients that use all nodes of a cluster at once, whatever fails: visitors who come through a
/// balancer, and others who choose a node themselves and repeat what was not answered; readers, who
/// hold each answer against what was sent and acknowledged; callers that all provision the same;
/// and an engineer who imports files through the balancer.
class ClusterLoad {
 public:
  static constexpr char kSite[] = "a.de";      ///< The site that visitors come to.
  static constexpr char kImported[] = "b.de";  ///< The site that files are imported to.
  static constexpr int kLines = 500;           ///< The lines of each file.

  /// Makes the sites, and begins. The references must outlive the object.
  ClusterLoad(Cluster& cluster, const BalancerProcess& balancer);
  ~ClusterLoad() {
    is_abandoned_ = true;
    end();
  }
  ClusterLoad(const ClusterLoad&) = delete;
  ClusterLoad& operator=(const ClusterLoad&) = delete;

  /// Sends nothing more to a node, which is about to be killed.
  void leave(std::size_t node) { set_url(node, {}); }
  /// The node is back.
  void come_back(std::size_t node) { set_url(node, cluster_.node(node).daemon().url()); }
  /// Ends what is under way. REQUIRES: all nodes are there.
  void end();

  [[nodiscard]] const EventLedger& ledger() const { return ledger_; }
  /// Answers that were held against the ledger.
  [[nodiscard]] int answers() const { return answers_; }
  [[nodiscard]] int imports() const { return imports_; }
  /// Events that were acknowledged through the balancer.
  [[nodiscard]] int balanced() const { return balanced_; }
  /// How many calls made each site.
  [[nodiscard]] std::map<std::string, int> provisioned();
  /// Returns a line for each fault that was found.
  [[nodiscard]] std::string faults();

 private:
  static constexpr std::size_t kVisitors = 60;  ///< Who choose their node.
  static constexpr std::size_t kBalanced = 20;  ///< The others, whose numbers follow.

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
  std::atomic<bool> is_abandoned_{false};  ///< Nodes that are away may stay away.
  std::atomic<int> answers_{0};
  std::atomic<int> imports_{0};
  std::atomic<int> balanced_{0};
  std::barrier<> all_callers_;
  std::mutex mutex_;
  std::vector<std::string> urls_;           // guarded by mutex_; empty: the node is away
  std::map<std::string, int> provisioned_;  // guarded by mutex_; how many calls made the site
  std::vector<std::string> faults_;         // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace analytics::test
