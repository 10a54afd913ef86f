// Tests of shipping against a ClickHouse server. No event is stored twice or lost, whatever happens
// to requests, answers and the server.
#include "daemon/cluster/block_shipper.h"

#include <thread>

#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/cluster/tables.h"
#include "tests/cluster/clickhouse_process.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/support/faulty_proxy.h"
#include "tests/support/raw_http.h"

namespace analytics::test::block_shipper_test {

using namespace analytics::cluster;
using store::JournalBlock;
using store::JournalEvent;
using store::JournalId;

namespace {

constexpr Days kMarch = std::chrono::year(2026) / 3 / 1;
constexpr JournalId kJournal{0, 0, 0, 7, 1, 2, 3};
constexpr ShippingTimes kShort{std::chrono::seconds(1), std::chrono::milliseconds(20)};
const std::atomic<bool> kNever{false};

bool wait(std::chrono::milliseconds time) {
  std::this_thread::sleep_for(time);
  return true;
}

JournalEvent event_of(EventId id) {
  JournalEvent event;
  event.site = 1 + id % 3;
  event.id = id;
  event.time = kMarch + std::chrono::milliseconds(id * 61'007);
  event.visitor = 0xfedcba9876543210ULL - static_cast<std::uint64_t>(id % 5);
  event.visit = 40 + id % 5;
  event.texts[0] = id % 4 == 0 ? "Sign up" : "pageview";
  event.texts[1] = "a.de";
  event.texts[2] = "/käse\t\n\\\"'";
  event.texts[3] = R"({"plan":"pro"})";
  if (id % 4 == 0) event.texts[store::kCurrencyText] = "EUR";
  if (id % 4 == 0) event.revenue_micros = -12'500'000;
  if (id == 118 || id == 119) event.key_hash = "key";
  event.texts.back() = "de";
  return event;
}

/// A block of events from a journal, with the marker: the row that add_marker() adds to a block, so
/// that the server can tell whether it has stored the block.
struct Sent {
  Sent(std::uint64_t number, EventId first, EventId count, const JournalId& journal = kJournal)
      : block{number, kMarch, first, first + count - 1} {
    for (auto id = first; id < first + count; ++id)
      add_row(events, event_of(id), node_number(journal));
    add_marker(events, block, journal);
  }
  JournalBlock block;
  NativeBlock events{event_columns()};
};

/// A server with the cluster's tables, and a client for it.
struct Cluster {
  Cluster() {
    const auto made = prepare_tables(asks);
    if (!made) FAIL(made.error().message);
  }
  /// Returns the number of events and the number of distinct events.
  [[nodiscard]] std::string counted() {
    return server.ask("SELECT count(), uniqExact(node, id) FROM events WHERE site > 0");
  }

  ClickHouseProcess server;
  ClickHouse asks{{.url = server.url()}, kNever};
  BlockShipper shipper{asks, kJournal, false, wait, kShort};
};

std::string insertion(std::uint16_t port, const std::string& body, std::size_t length) {
  const auto sql =
      std::string("INSERT INTO ") + kArrivals + " (" + names_of(event_columns()) + ", deadline) ";
  return "POST /?database=analytics&query=" + percent_encode(sql + "FORMAT Native") +
         " HTTP/1.1\r\n"
         "Host: 127.0.0.1:" +
         std::to_string(port) +
         "\r\nConnection: close\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n" + body;
}

}  // namespace

TEST_CASE("cluster: a block is stored once, together with its marker", "[cluster]") {
  Cluster cluster;
  const Sent sent(1, 100, 1'000);
  for (int i = 0; i < 3; ++i) REQUIRE(cluster.shipper.ship(sent.block, sent.events));
  CHECK(cluster.counted() == "1000\t1000");
  CHECK(cluster.server.ask("SELECT day, visitor, node, id, visit, import, name, props FROM events"
                           " WHERE site = 0") ==
        "2026-03-01\t1\t7\t100\t1099\t1000\tblock\t" + to_hex(kJournal));
  CHECK(cluster.server.ask(
            "SELECT site, day, toUInt32(time), millis, visitor, visit, hex(path), props, passive,"
            " engaged_ms, scroll, has_revenue, revenue_micros, revenue_currency, language"
            " FROM events WHERE id = 104") ==
        "3\t2026-03-01\t1772329544\t728\t18364758544493064716\t44\t2F6BC3A473650"
        "90A5C2227\t{\"plan\":\"pro\"}\t0\t-1\t-1\t1\t-12500000\tEUR\tde");
  REQUIRE(prepare_tables(cluster.asks));  // as at the second start of a node
  CHECK(cluster.counted() == "1000\t1000");
  CHECK(cluster.shipper.newest() == 1);
}

TEST_CASE("cluster: each block is stored once although requests and answers are lost",
          "[cluster]") {
  Cluster cluster;
  std::atomic<unsigned> inserts{0};
  using Fault = FaultyProxy::Fault;
  FaultyProxy proxy(cluster.server.server(), [&](std::string_view, std::string_view path) {
    constexpr Fault kFaults[] = {Fault::kLoseReply, Fault::kNone,      Fault::kLoseRequest,
                                 Fault::kLoseReply, Fault::kRefuse503, Fault::kNone};
    if (path.find("INSERT") == path.npos) return Fault::kNone;
    return kFaults[inserts++ % std::size(kFaults)];
  });
  ClickHouse asks({.url = proxy.url() + "/analytics"}, kNever);
  BlockShipper shipper(asks, kJournal, false, wait, kShort);
  for (std::uint64_t number = 1; number <= 6; ++number) {
    const Sent sent(number, static_cast<EventId>(number) * 100, 100);
    Status shipped = fail(ErrorCode::kOverloaded, "");
    for (int i = 0; i < 4 && !shipped; ++i) shipped = shipper.ship(sent.block, sent.events);
    if (!shipped) FAIL(shipped.error().message);
  }
  CHECK(cluster.counted() == "600\t600");
  CHECK(cluster.server.ask("SELECT count() FROM events WHERE site = 0") == "6");
  CHECK(proxy.faults() > 3);
  CHECK(shipper.missing(1, 8) == std::vector<std::uint64_t>{7, 8});
}

TEST_CASE("cluster: a body that is cut at any byte stores nothing", "[cluster]") {
  Cluster cluster;
  const auto body = Sent(1, 1, 2).events.finish(UINT32_MAX);
  const auto port = cluster.server.port();
  for (std::size_t size = 1; size < body.size(); ++size) {
    const auto answer = send_raw(port, insertion(port, body.substr(0, size), size));
    if (answer.starts_with("HTTP/1.1 200")) FAIL("a body of " << size << " bytes is taken");
  }
  CHECK(cluster.server.ask("SELECT count() FROM events") == "0");
  // The connection ends before the announced body is complete.
  for (const std::size_t size : {std::size_t{1}, body.size() / 2, body.size() - 1}) {
    RawConnection connection(port);
    REQUIRE(connection.send(insertion(port, body.substr(0, size), body.size())));
    connection.reset();
  }
  REQUIRE(eventually([&] {
    return cluster.server.ask("SELECT count() FROM system.processes WHERE query LIKE 'INSERT%'") ==
           "0";
  }));
  CHECK(cluster.server.ask("SELECT count() FROM events") == "0");
}

TEST_CASE("cluster: a body that arrives after its deadline stores nothing", "[cluster]") {
  Cluster cluster;
  const auto now = cluster.asks.ask_number("SELECT toUInt32(now())");
  REQUIRE(now);
  const Sent sent(1, 1, 50);
  const auto deadline = static_cast<std::uint32_t>(*now + 1);
  const auto body = sent.events.finish(deadline);
  RawConnection connection(cluster.server.port());
  const auto half = body.size() / 2;
  REQUIRE(connection.send(insertion(cluster.server.port(), body.substr(0, half), body.size())));
  REQUIRE(eventually(
      [&] { return cluster.asks.ask_number("SELECT toUInt32(now())").value_or(0) > deadline; }));
  // Meanwhile the shipper has waited for the same deadline and sent the block again.
  REQUIRE(cluster.shipper.ship(sent.block, sent.events));
  REQUIRE(connection.send(body.substr(half)));
  // Despite this answer, the late block was not stored.
  CHECK(connection.receive().starts_with("HTTP/1.1 200"));
  CHECK(cluster.counted() == "50\t50");
}

TEST_CASE("cluster: the shipper waits for a block of an earlier process", "[cluster]") {
  Cluster cluster;
  const Sent sent(1, 1, 50);
  const auto now = cluster.asks.ask_number("SELECT toUInt32(now())");
  REQUIRE(now);
  REQUIRE(cluster.asks.insert(kArrivals, sent.events,
                              ClickHouse::Gated{.query_id = "analytics-7-1-x",
                                                .deadline = static_cast<std::uint32_t>(*now + 1)}));
  BlockShipper next(cluster.asks, kJournal, true, wait, kShort);
  REQUIRE(next.ship(sent.block, sent.events));
  CHECK(cluster.counted() == "50\t50");
  CHECK(cluster.asks.ask_number("SELECT toUInt32(now())").value_or(0) > *now + 1);
}

TEST_CASE("cluster: events that a server has lost are noticed and shipped again", "[cluster]") {
  Cluster cluster;
  for (std::uint64_t number = 1; number <= 4; ++number) {
    const Sent sent(number, static_cast<EventId>(number) * 100, 100);
    REQUIRE(cluster.shipper.ship(sent.block, sent.events));
  }
  CHECK(cluster.shipper.missing(1, 4)->empty());
  cluster.server.kill();
  const Sent more(5, 500, 100);
  const auto away = cluster.shipper.ship(more.block, more.events);
  REQUIRE_FALSE(away);
  CHECK(away.error().code == ErrorCode::kOverloaded);
  cluster.server.start();
  REQUIRE(cluster.server.ask("ALTER TABLE events DROP PARTITION 202603").empty());
  CHECK(cluster.shipper.missing(1, 4) == std::vector<std::uint64_t>{1, 2, 3, 4});
  for (std::uint64_t number = 1; number <= 5; ++number) {
    const Sent sent(number, static_cast<EventId>(number) * 100, 100);
    REQUIRE(cluster.shipper.ship(sent.block, sent.events));
  }
  CHECK(cluster.counted() == "500\t500");
}

TEST_CASE("cluster: blocks of another journal of the node are noticed", "[cluster]") {
  Cluster cluster;
  const Sent sent(1, 100, 10);
  REQUIRE(cluster.shipper.ship(sent.block, sent.events));
  const Sent others(1, 300, 10);
  const auto shipped = cluster.shipper.ship(others.block, others.events);
  REQUIRE_FALSE(shipped);
  CHECK(shipped.error().code == ErrorCode::kRangeOverlap);
  const JournalId same_number{0, 0, 0, 7, 9};
  BlockShipper twin(cluster.asks, same_number, false, wait, kShort);
  CHECK_FALSE(twin.newest());
  const JournalId node8{0, 0, 0, 8};
  BlockShipper other(cluster.asks, node8, false, wait, kShort);
  CHECK(other.newest() == 0);
  const Sent of_node8(1, 300, 10, node8);
  CHECK(other.ship(of_node8.block, of_node8.events));  // each node has its own block numbers
  CHECK(cluster.counted() == "20\t20");
}

TEST_CASE("cluster: a server that cannot store blocks atomically is refused", "[cluster]") {
  Cluster cluster;
  REQUIRE(cluster.server.ask("DROP TABLE events_gate").empty());
  REQUIRE(cluster.server.ask("DROP TABLE events").empty());
  REQUIRE(cluster.server.ask("CREATE TABLE events AS events_in ENGINE = Memory").empty());
  const auto prepared = prepare_tables(cluster.asks);
  REQUIRE_FALSE(prepared);
  CHECK(prepared.error().message.find("Memory") != std::string::npos);
  ClickHouse wrong({.url = cluster.server.url(), .user = "nobody", .password = "secret"}, kNever);
  const auto answer = wrong.ask("SELECT 1");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == ErrorCode::kInvalidParameter);
  CHECK(answer.error().message.find("secret") == std::string::npos);
}

TEST_CASE("cluster: a statement that scans a table has a longer timeout", "[cluster]") {
  ClickHouseProcess process;
  ClickHouse server({.url = process.url(), .timeout = std::chrono::milliseconds(500)}, kNever);
  const std::string slow = "SELECT 7 + sleep(1)";
  CHECK_FALSE(server.ask_number(slow));
  const auto scanned = server.ask_number(slow, Takes::kScan);
  REQUIRE(scanned);
  CHECK(*scanned == 7);
}

TEST_CASE("cluster: only URLs with server and database are valid", "[cluster]") {
  CHECK(problem_of_url("http://127.0.0.1:8123/analytics").empty());
  CHECK(problem_of_url("https://clickhouse/a_1").empty());
  for (const auto* url : {"", "http://127.0.0.1:1", "http://a/", "ftp://a/b", "http://a/b?c=d",
                          "http://a/b/c", "http://user:secret@a/b"}) {
    CHECK_FALSE(problem_of_url(url).empty());
  }
  CHECK(is_readable_by_others("http://10.0.0.1:8123/a"));
  CHECK(is_readable_by_others("http://clickhouse:8123/a"));
  for (const auto* url : {"https://clickhouse/a", "http://localhost/a", "http://127.0.0.1:8123/a",
                          "http://[::1]:8123/a", ""}) {
    CHECK_FALSE(is_readable_by_others(url));
  }
}

TEST_CASE("cluster: tables of a newer version accept the rows of this version", "[cluster]") {
  Cluster cluster;
  REQUIRE(cluster.asks.ask("ALTER TABLE visits ADD COLUMN newer String"));
  NativeBlock visits(visit_columns());
  store::JournalVisit visit;
  visit.site = 1;
  visit.id = 5;
  visit.entry_page = "/";
  add_row(visits, visit, 7);
  REQUIRE(cluster.asks.insert("visits", visits));
  CHECK(cluster.server.ask("SELECT node, visit, entry_page, newer FROM visits") == "7\t5\t/");
}

}  // namespace analytics::test::block_shipper_test
