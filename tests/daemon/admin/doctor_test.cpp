#include "daemon/admin/doctor.h"

#include "tests/support/catch.h"

namespace analytics::test::doctor_test {

using admin::Facts;
using admin::Finding;

namespace {

constexpr UnixSeconds kNow{std::chrono::seconds(1'800'000'000)};

/// Returns the facts of a service without problems.
Facts healthy() {
  Facts facts;
  facts.now = kNow;
  facts.settings_file = "/etc/analyticsd/analyticsd.toml";
  facts.listen = {"127.0.0.1:8000"};
  facts.base_url = "https://stats.example.com";
  facts.trusted_proxies = 1;
  facts.free_disk = 50'000'000'000;
  facts.min_free_disk = 67'108'864;
  facts.user_agents = {"regexes.yaml", kNow - std::chrono::hours(24)};
  facts.places = {"geo.mmdb", kNow - std::chrono::hours(24)};
  facts.metrics = {{"analytics_healthy", 1}, {"process_start_time_seconds", 1'799'990'000}};
  facts.stored.sites = {{"a.example", "acme", kNow - std::chrono::seconds(90)}};
  facts.stored.keys = {{"an_abcdef", "acme"}};
  facts.stored.last_backup = kNow - std::chrono::hours(5);
  return facts;
}

/// Returns the findings about a subject, with their levels.
std::string lines_of(const Facts& facts, const std::string& subject) {
  std::vector<Finding> found;
  for (auto& finding : admin::examine(facts)) {
    if (finding.subject == subject) found.push_back(std::move(finding));
  }
  return admin::format_findings(found, false);
}

}  // namespace

TEST_CASE("doctor: it finds no problem in a healthy service", "[admin]") {
  for (const auto& finding : admin::examine(healthy())) {
    CAPTURE(finding.subject, finding.text);
    CHECK(finding.level == Finding::Level::kOk);
  }
  CHECK(lines_of(healthy(), "site a.example") ==
        "ok       site a.example: had its last event 90 seconds ago\n");
}

TEST_CASE("doctor: each finding names the problem and the remedy", "[admin]") {
  const auto changed = [](auto change) {
    auto facts = healthy();
    change(facts);
    return facts;
  };
  const auto is_problem = [&](const char* subject, const char* part, auto change) {
    const auto lines = lines_of(changed(change), subject);
    CAPTURE(lines);
    CHECK(lines.starts_with("problem  "));
    CHECK(lines.find(part) != std::string::npos);
  };
  is_problem("daemon", "does not run", [](Facts& of) { of.metrics.reset(); });
  is_problem("daemon", "cannot store", [](Facts& of) { (*of.metrics)["analytics_healthy"] = 0; });
  is_problem("proxies", "1 event came with X-Forwarded-For",
             [](Facts& of) { (*of.metrics)["analytics_unverified_events_total"] = 1; });
  is_problem("proxies", "nearly all events of 2 sites",
             [](Facts& of) { (*of.metrics)["analytics_sites_with_one_address"] = 2; });
  is_problem("disk", "too few", [](Facts& of) { of.free_disk = 1'000; });
  is_problem("backup", "no backup was made", [](Facts& of) { of.stored.last_backup.reset(); });
  is_problem("backup", "3 days old",
             [](Facts& of) { of.stored.last_backup = kNow - std::chrono::hours(80); });
  is_problem("places", "cannot be read", [](Facts& of) { of.places.made_at.reset(); });

  const auto is_note = [&](const char* subject, const char* part, auto change) {
    const auto lines = lines_of(changed(change), subject);
    CAPTURE(lines);
    CHECK(lines.find("note     ") != std::string::npos);
    CHECK(lines.find(part) != std::string::npos);
  };
  is_note("site a.example", "3 days ago: is the tracker still",
          [](Facts& of) { of.stored.sites[0].last_event = kNow - std::chrono::hours(80); });
  is_note("paths", "2 requests asked for a path below /api that does not exist, lately /api/a, //b",
          [](Facts& of) {
            (*of.metrics)["analytics_unknown_paths_total"] = 2;
            of.unknown_paths = {"/api/a", "//b"};
          });
  is_note("site a.example", "no event yet", [](Facts& of) { of.stored.sites[0].last_event = {}; });
  is_note("site a.example", "7 events of the last day: throttled; over max_events_per_minute",
          [](Facts& of) {
            of.stored.drops = {{"a.example", EventOutcome::kThrottled, 7}};
          });
  is_note("site b.example", "does not exist", [](Facts& of) {
    of.stored.unknown_sites = {{"b.example", 3, kNow}};
  });
  is_note("key", "an_abcdef… of acme expires in 3 days",
          [](Facts& of) { of.stored.keys[0].expires_at = kNow + std::chrono::hours(80); });
  is_note("listen", "plain HTTP on 0.0.0.0:8000", [](Facts& of) { of.listen = {"0.0.0.0:8000"}; });
}

TEST_CASE("doctor: it reads metrics without labels, and stored texts cannot forge lines",
          "[admin]") {
  const auto metrics =
      admin::read_metrics("# HELP a x\na 1\nb{c=\"d\"} 2\nprocess_start_time_seconds 1.5e+09\n");
  CHECK(metrics == std::map<std::string, double>{{"a", 1}, {"process_start_time_seconds", 1.5e9}});
  auto facts = healthy();
  facts.stored.unknown_sites = {{"x\nok  all: well", 1, kNow}};
  const auto text = admin::format_findings(admin::examine(facts), false);
  CHECK(text.find("\nok  all: well") == std::string::npos);
}

}  // namespace analytics::test::doctor_test
