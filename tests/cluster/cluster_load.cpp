#include "tests/cluster/cluster_load.h"

#include <fstream>
#include <numeric>
#include <random>

#include "common/text/time.h"
#include "tests/support/catch.h"
#include "tests/support/raw_http.h"

namespace analytics::test {
namespace {

constexpr std::chrono::milliseconds kBetweenEvents(5);
constexpr std::chrono::milliseconds kBetweenAnswers(100);
constexpr int kAway = 7;  // exit code of the client after its last attempt
constexpr std::string_view kNodeHeader = "x-node: ";

/// Returns the index of the node named a, b or c.
std::size_t number_of(char name) { return static_cast<std::size_t>(name - 'a'); }

/// Returns an event with its number as revenue, because new texts for each event would be limited.
std::string numbered_event(const std::string& site, const std::string& page, std::int64_t number) {
  return R"({"name":"pageview","domain":")" + site + R"(","url":"https://)" + site + "/" + page +
         R"(","revenue":{"currency":"EUR","amount":")" + std::to_string(number) + R"("}})";
}

}  // namespace

/// Visitors that prefer one node and use the next one while it is away.
class ClusterLoad::Visitors {
 public:
  Visitors(ClusterLoad& load, std::size_t home)
      : load_(load), home_(home), apis_(load.urls_.size()), random_(static_cast<unsigned>(home)) {}

  /// Runs until the load is over and every event with an idempotency key is acknowledged.
  void run() {
    while (!load_.is_over_ || (repeated_ && !load_.is_abandoned_)) {
      if (repeated_) {
        repeat();
      } else {
        visit();
      }
      std::this_thread::sleep_for(kBetweenEvents);
    }
  }

 private:
  struct Event {
    std::int64_t number = 0;
    std::size_t visitor = 0;
    std::size_t node = 0;
  };

  void visit() {
    const auto nodes = apis_.size();
    const auto node = nearest();
    if (!node) return;
    Event event{0, home_ + nodes * (random_() % (kVisitors / nodes)), *node};
    event.number = load_.ledger_.begin(event.visitor, {*node});
    const bool has_key = event.number % 7 == 0;
    if (!send(event, has_key) && has_key) repeated_ = event;
  }

  /// With an idempotency key, an event counts once even if its node receives it several times.
  void repeat() {
    if (!load_.url_of(repeated_->node).empty() && send(*repeated_, true)) repeated_.reset();
  }

  /// Returns the visitors' own node, or the next one that is running.
  std::optional<std::size_t> nearest() {
    for (std::size_t i = 0; i < apis_.size(); ++i) {
      const auto node = (home_ + i) % apis_.size();
      if (!load_.url_of(node).empty()) return node;
    }
    return {};
  }

  bool send(const Event& event, bool has_key) {
    Headers headers = {{"X-Forwarded-For", "192.0.2." + std::to_string(event.visitor + 1)}};
    if (has_key) headers.emplace_back("Idempotency-Key", std::to_string(event.number));
    const auto body = numbered_event(kSite, "v" + std::to_string(event.visitor), event.number);
    const auto reply = api(event.node).event(body, headers);
    if (reply.status != 202) return false;
    load_.ledger_.acknowledge(event.number, event.node);
    return true;
  }

  Api& api(std::size_t node) {
    auto& [url, known] = apis_[node];
    const auto now = load_.url_of(node);
    if (!now.empty() && now != url) {
      known = std::make_unique<Api>(now, "");
      url = now;
    }
    return *known;
  }

  ClusterLoad& load_;
  const std::size_t home_;
  /// By node: its URL, and a client for the URL.
  std::vector<std::pair<std::string, std::unique_ptr<Api>>> apis_;
  std::mt19937 random_;
  std::optional<Event> repeated_;
};

ClusterLoad::ClusterLoad(Cluster& cluster, const BalancerProcess& balancer)
    : cluster_(cluster),
      balancer_(balancer),
      ledger_(kVisitors + kBalanced, cluster.nodes.size()),
      all_callers_(std::ssize(cluster.nodes)),
      urls_(cluster.nodes.size()) {
  for (const auto* site : {kSite, kImported}) {
    REQUIRE(cluster.node(0).create(site, cluster.key).status == 200);
  }
  REQUIRE(cluster.agree());
  for (std::size_t node = 0; node < urls_.size(); ++node) come_back(node);
  for (std::size_t node = 0; node < urls_.size(); ++node) {
    threads_.emplace_back([this, node] { Visitors(*this, node).run(); });
    threads_.emplace_back([this, node] { read(node); });
    threads_.emplace_back([this, node] { provision(node); });
  }
  threads_.emplace_back([this] { visit_through_balancer(); });
  threads_.emplace_back([this] { import(); });
}

void ClusterLoad::end() {
  is_over_ = true;
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void ClusterLoad::set_url(std::size_t node, std::string url) {
  const std::scoped_lock lock(mutex_);
  urls_[node] = std::move(url);
}

std::string ClusterLoad::url_of(std::size_t node) {
  const std::scoped_lock lock(mutex_);
  return urls_[node];
}

void ClusterLoad::report(const std::string& fault) {
  const std::scoped_lock lock(mutex_);
  faults_.push_back(fault);
}

std::string ClusterLoad::faults() {
  const std::scoped_lock lock(mutex_);
  std::string all;
  for (const auto& fault : faults_) all += fault + "\n";
  return all;
}

std::map<std::string, int> ClusterLoad::provisioned() {
  const std::scoped_lock lock(mutex_);
  return provisioned_;
}

/// The balancer recognises visitors by their addresses.
void ClusterLoad::visit_through_balancer() {
  std::mt19937 random;
  std::vector<std::size_t> nodes(urls_.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  for (; !is_over_; std::this_thread::sleep_for(kBetweenEvents)) {
    const auto number = random() % kBalanced;
    const RawConnection connection(balancer_.port(), 0, "127.0.1." + std::to_string(number + 1));
    if (!connection.connected()) continue;
    const auto visitor = kVisitors + number;
    const auto event = ledger_.begin(visitor, nodes);
    const auto body = numbered_event(kSite, "v" + std::to_string(visitor), event);
    (void)connection.send(
        "POST /api/event HTTP/1.1\r\nHost: stats.example.com\r\nConnection: close\r\n"
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
        "Content-Type: application/json\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body);
    const auto reply = connection.receive();
    const auto node = reply.find(kNodeHeader);
    if (reply.starts_with("HTTP/1.1 202") && node != std::string::npos) {
      ledger_.acknowledge(event, number_of(reply[node + kNodeHeader.size()]));
      ++balanced_;
    } else if (!reply.empty() && !reply.starts_with("HTTP/1.1 50")) {
      report("the balancer: " + reply);
    }
  }
}

void ClusterLoad::read(std::size_t node) {
  for (; !is_over_; std::this_thread::sleep_for(kBetweenAnswers)) {
    const auto url = url_of(node);
    if (url.empty()) continue;
    const auto reply = Api(url, cluster_.key)
                           .send("POST", "/api/v2/query",
                                 std::string(R"({"site_id":")") + kSite +
                                     R"(","date_range":"all","metrics":["events","visits"]})",
                                 "application/json");
    if (reply.status == 200) judge(reply);
    const bool is_known =
        reply.failure != HttpReply::Failure::kNone || reply.status == 200 || reply.status == 503;
    if (!is_known) report("node " + std::to_string(node) + ": " + reply.body);
  }
}

void ClusterLoad::judge(const HttpReply& reply) {
  const auto answer = body_of(reply);
  const auto& meta = answer["meta"];
  // If no node has stored in ClickHouse how far its events are shipped, the answer has no `up_to`,
  // and no event is required.
  const auto up_to = parse_rfc3339(meta.value("up_to", "1970-01-01T00:00:00Z"));
  std::set<std::size_t> behind;
  for (const auto& name : meta.value("behind", nlohmann::json::array())) {
    behind.insert(number_of(name.get<std::string>().front()));
  }
  const auto events = ledger_.events(up_to.value(), behind);
  const auto visits = ledger_.visits(up_to.value(), behind);
  const auto& metrics = answer["results"][0]["metrics"];
  ++answers_;
  if (events.has(metrics[0]) && visits.has(metrics[1])) return;
  report("not within " + std::to_string(events.least) + " to " + std::to_string(events.most) +
         " events and " + std::to_string(visits.least) + " to " + std::to_string(visits.most) +
         " visits: " + reply.body);
}

void ClusterLoad::provision(std::size_t node) {
  for (int number = 0; !is_over_; ++number) {
    const auto domain = "p" + std::to_string(number) + ".de";
    for (int status = 0; status != 200 && status != 409 && !is_abandoned_;) {
      const auto url = url_of(node);
      const auto reply =
          url.empty() ? HttpReply()
                      : Api(url, cluster_.key).form("POST", "/api/v1/sites", "domain=" + domain);
      status = reply.status;
      if (status == 200 || status == 409) {
        const std::scoped_lock lock(mutex_);
        provisioned_[domain] += status == 200 ? 1 : 0;
      } else {
        std::this_thread::sleep_for(kBetweenAnswers);
      }
    }
    all_callers_.arrive_and_wait();
  }
  all_callers_.arrive_and_drop();
}

void ClusterLoad::import() {
  const TempFolder folder;
  std::int64_t number = 0;
  while (!is_over_) {
    const auto file = (folder.path() / (std::to_string(imports_) + ".ndjson")).string();
    std::ofstream lines(file);
    for (int i = 0; i < kLines; ++i) lines << numbered_event(kImported, "", ++number) << '\n';
    lines.close();
    for (int exit = -1; exit != 0 && !is_abandoned_;) {
      const auto done =
          run({cli_program(), "-q", "--retries", "2", "replay", file, "--time", "now",
               "--import-id", std::to_string(imports_)},
              {{"ANALYTICS_URL=" + balancer_.url(), "ANALYTICS_API_KEY=" + cluster_.key}, {}});
      exit = done.exit;
      if (exit != 0 && exit != kAway) return report(done.err);
      if (exit != 0) std::this_thread::sleep_for(kBetweenAnswers);
    }
    ++imports_;
  }
}

}  // namespace analytics::test
