#include "tests/support/ledger.h"

#include <sstream>

#include "common/text/text.h"
#include "tests/support/eventually.h"
#include "tests/support/service.h"

namespace analytics::test {
namespace {

constexpr int kBatchLines = 20;

}  // namespace

void Ledger::send_events(const std::string& url, const std::string& prefix, int most) {
  Api api(url, "");
  for (int i = 0; i < most; ++i) {
    const auto id = prefix + "-" + std::to_string(i);
    {
      const std::scoped_lock lock(mutex_);
      sent_.insert("/" + id);
    }
    if (api.event(pageview("/" + id)).status != 202) return;
    const std::scoped_lock lock(mutex_);
    acknowledged_.insert("/" + id);
    ++acknowledged_count_;
  }
}

void Ledger::send_batches(const std::string& url, const std::string& key,
                          const std::string& prefix) {
  Api api(url, key);
  for (int i = 0;; ++i) {
    std::string body;
    std::vector<std::string> ids;
    for (int line = 0; line < kBatchLines; ++line) {
      ids.push_back(prefix + "-b" + std::to_string(i) + "-" + std::to_string(line));
      body += pageview("/" + ids.back()) + "\n";
    }
    {
      const std::scoped_lock lock(mutex_);
      for (const auto& id : ids) sent_.insert("/" + id);
    }
    if (api.bulk(body).status != 200) return;
    const std::scoped_lock lock(mutex_);
    for (const auto& id : ids) acknowledged_.insert("/" + id);
    acknowledged_count_ += kBatchLines;
  }
}

std::size_t Ledger::lost_from(std::string_view paths) {
  const auto lines = split(paths, '\n');
  const std::set<std::string_view> stored(lines.begin(), lines.end());
  const std::scoped_lock lock(mutex_);
  std::size_t lost = 0;
  for (const auto& id : acknowledged_) lost += stored.contains(id) ? 0U : 1U;
  return lost;
}

/// SQL query that counts the events without a visit, and the visits whose event count is wrong.
constexpr char kStrayEvents[] =
    "WITH counted AS (SELECT visit, count(*) AS events FROM event_text GROUP BY visit)"
    " SELECT (SELECT count(*) FROM event_text WHERE visit IS NULL),"
    " (SELECT count(*) FROM counted c LEFT JOIN visit_text v ON v.visit = c.visit"
    " WHERE v.visit IS NULL OR v.events != c.events)";

Ledger::Verdict Ledger::judge(const DaemonProcess& daemon) {
  Verdict verdict;
  std::istringstream rows(daemon.query("SELECT path FROM event_text"));
  std::set<std::string> stored;
  const std::scoped_lock lock(mutex_);
  for (std::string path; std::getline(rows, path);) {
    if (!stored.insert(path).second) ++verdict.twice;
    if (!sent_.contains(path)) ++verdict.strange;
  }
  for (const auto& id : acknowledged_) verdict.lost += stored.contains(id) ? 0U : 1U;
  verdict.intact = daemon.query("PRAGMA integrity_check") == "ok";
  // The daemon writes the rows of visits once a second.
  verdict.visits = eventually([&] { return daemon.query(kStrayEvents) == "0|0"; });
  return verdict;
}

Load::Load(Ledger& ledger, const std::string& url, const std::string& key,
           const std::string& prefix, int connections) {
  for (int i = 0; i < connections; ++i) {
    const auto name = prefix + "-" + std::to_string(i);
    if (!key.empty() && i % 4 == 3) {
      threads_.emplace_back([&ledger, url, key, name] { ledger.send_batches(url, key, name); });
    } else {
      threads_.emplace_back([&ledger, url, name] { ledger.send_events(url, name); });
    }
  }
}

void Load::join() {
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

}  // namespace analytics::test
