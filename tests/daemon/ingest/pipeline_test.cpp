// Parts of ingestion that the contract tests do not reach: outcomes of lines, restored drop
// counters, and the client that a limit applies to.
#include <map>
#include <random>

#include "daemon/ingest/drop_counters.h"
#include "daemon/ingest/pipeline.h"
#include "daemon/store/sqlite/tables/line_outcomes.h"
#include "tests/support/catch.h"

namespace analytics::test::pipeline_test {

namespace {

using Lines = std::vector<std::optional<EventOutcome>>;

Lines lines_of(const sqlite::LineOutcomes& outcomes) {
  Lines lines;
  outcomes.add_to(lines);
  return lines;
}

/// Returns the client that the limit of an event applies to. `forwarded_for` is its
/// X-Forwarded-For.
std::optional<std::string> limited_client_of(std::string_view peer,
                                             const std::string& forwarded_for,
                                             const std::vector<Network>& proxies) {
  const auto payload =
      parse_event_payload(R"({"d":"a.de","n":"pageview","u":"https://a.de/"})", {});
  REQUIRE(payload);
  EventSource source;
  source.peer = peer;
  source.forwarded_for = forwarded_for;
  return prepare_events(*payload, source, {DirectorySnapshot(), Enrichment(), proxies, Retention()})
      .limited_client;
}

}  // namespace

TEST_CASE("line outcomes: the best outcome of each line is kept, whatever the order", "[ingest]") {
  std::mt19937 random(12);
  for (int round = 0; round < 200; ++round) {
    sqlite::LineOutcomes outcomes;
    Lines expected;
    for (int i = 0; i < 100; ++i) {
      const auto line = random() % 60;
      const auto outcome = static_cast<EventOutcome>(random() % 8);
      outcomes.set(static_cast<std::uint32_t>(line), outcome);
      if (expected.size() <= line) expected.resize(line + 1);
      expected[line] = std::min(expected[line].value_or(outcome), outcome);
    }
    CHECK(lines_of(outcomes) == expected);
    CHECK(lines_of(sqlite::LineOutcomes::decode(outcomes.encode())) == expected);
  }
}

TEST_CASE("line outcomes: lines of other sites take hardly any space", "[ingest]") {
  sqlite::LineOutcomes one;
  one.set(49'999, EventOutcome::kStored);
  CHECK(one.encode().size() <= 8);
  sqlite::LineOutcomes all;
  for (std::uint32_t line = 0; line < 50'000; ++line) all.set(line, EventOutcome::kStored);
  CHECK(all.encode().size() <= 4);
  CHECK(lines_of(sqlite::LineOutcomes::decode(all.encode())).size() == 50'000);
}

TEST_CASE("drop counters: counts that could not be stored are added later", "[ingest]") {
  const UnixSeconds now{std::chrono::seconds(1'800'000'000)};
  DropCounters counters;
  counters.count_drop(7, EventOutcome::kBot, now);
  counters.count_unknown("b.de", now);
  counters.put_back(counters.take());
  counters.count_unknown("b.de", now + std::chrono::seconds(1));
  const auto taken = counters.take();
  REQUIRE(taken.counts.size() == 2);  // drops of unknown sites, and drops of site 7
  CHECK(taken.counts[0].count == 2);
  CHECK(taken.counts[1].count == 1);
  REQUIRE(taken.unknown.size() == 1);
  CHECK(taken.unknown[0].domain == "b.de");
  CHECK(taken.unknown[0].count == 2);
  CHECK(taken.unknown[0].last_seen == now + std::chrono::seconds(1));
}

TEST_CASE("drop counters: e-mail addresses and User-Agents in unknown domains are redacted",
          "[ingest]") {
  DropCounters counters;
  for (const auto* domain : {"ada@corp.example", "Mozilla/5.0 (X11) Gecko/20100101", "192.0.2.1"}) {
    counters.count_unknown(domain, {});
  }
  std::map<std::string, std::int64_t> counts;
  for (const auto& seen : counters.take().unknown) counts[seen.domain] = seen.count;
  CHECK(counts == std::map<std::string, std::int64_t>{{"(redacted)", 2}, {"192.0.2.1", 1}});
}

TEST_CASE("pipeline: a limit per client uses an address that clients cannot forge", "[ingest]") {
  const std::vector<Network> none;
  CHECK(limited_client_of("203.0.113.9", "", none) == "203.0.113.9");
  CHECK(limited_client_of("203.0.113.9", "198.51.100.1", none) == "203.0.113.9");
  CHECK(limited_client_of("2001:db8::9", "198.51.100.1", none) == "2001:db8::");
  CHECK(limited_client_of("127.0.0.1", "198.51.100.1", none) == std::nullopt);
  const std::vector<Network> proxies = {*parse_network("203.0.113.0/24")};
  CHECK(limited_client_of("203.0.113.9", "198.51.100.1", proxies) == "198.51.100.1");
  CHECK(limited_client_of("192.0.2.1", "198.51.100.1", proxies) == "192.0.2.1");
}

}  // namespace analytics::test::pipeline_test
