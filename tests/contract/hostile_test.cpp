// While clients are hostile or broken, others are still served, memory is bounded, and connections
// and descriptors are released.
#include <csignal>
#include <sstream>

#include <sys/resource.h>

#include "common/text/text.h"
#include "common/text/url.h"
#include "tests/contract/hostile_fixture.h"

namespace analytics::test::hostile_test {

namespace {

using Fixture = HostileFixture;

constexpr char kAnswerBytes[] = R"(analytics_memory_bytes{holder="answers"})";
constexpr char kDroppedAnswers[] = R"(analytics_memory_dropped_total{holder="answers"})";
const auto kEvent = event_body("x");
const std::string kRequest =
    "POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: " +
    std::to_string(kEvent.size()) + "\r\n\r\n" + kEvent;

/// Raises the limit of open files to the system's maximum.
std::size_t raise_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

}  // namespace

TEST_CASE("hostile: slow heads and bodies are timed out while others are served",
          "[contract][alone]") {
  Fixture fixture("[http]\nheader_timeout = \"1s\"\nbody_timeout = \"1s\"\n");
  std::vector<std::unique_ptr<RawConnection>> slow;
  for (int i = 0; i < 100; ++i) {
    slow.push_back(std::make_unique<RawConnection>(fixture.daemon.port()));
    slow.back()->send(i % 2 == 0 ? std::string("GET /api/he") : kRequest.substr(0, 120));
  }
  CHECK(fixture.probe());
  for (const auto& connection : slow) {
    CHECK(connection->receive().starts_with("HTTP/1.1 408"));
  }
  slow.clear();
  fixture.await_connections(1);
}

TEST_CASE("hostile: a new body replaces the oldest unfinished one, the client's own first",
          "[contract][alone]") {
  constexpr int kMax = 16;  // number of bodies that fit into memory
  constexpr std::int64_t kPart = 1'000'000;
  Fixture fixture(
      "trusted_proxies = [\"loopback\"]\nmemory_bytes = 268435456\n[http]\n"
      "body_timeout = \"60s\"\nevent_body_bytes = 1048576\n");
  std::string body = R"({"d":"a.de","n":"x","u":"https://a.de/","more":")";
  body += std::string(kPart, 'x') + "\"}";
  std::vector<std::unique_ptr<RawConnection>> open;
  const auto begin = [&](const std::string& client) {
    open.push_back(std::make_unique<RawConnection>(fixture.daemon.port()));
    open.back()->send(
        "POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
        "Connection: close\r\nX-Forwarded-For: " +
        client + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
        body.substr(0, kPart));
  };
  const auto await = [&](std::int64_t bytes) {
    fixture.await(R"(analytics_memory_bytes{holder="bodies"})", [=](auto n) { return n == bytes; });
  };
  const auto finish = [&](std::size_t number) {
    open[number]->send(body.substr(kPart));
    return open[number]->receive().substr(0, 12);
  };
  for (int i = 0; i < kMax; ++i) {
    begin("192.0.2." + std::to_string(i));
    await((i + 1) * kPart);
  }
  begin("192.0.2.99");
  CHECK(open[0]->receive().starts_with("HTTP/1.1 408"));
  for (std::size_t other = 1; other <= 4; ++other) CHECK(finish(other) == "HTTP/1.1 202");
  await((kMax - 4) * kPart);
  for (int i = 0; i < 2; ++i) begin("192.0.2.5");  // a client's third body replaces its first
  CHECK(open[5]->receive().starts_with("HTTP/1.1 408"));
  for (std::size_t other = 6; other < open.size(); ++other) CHECK(finish(other) == "HTTP/1.1 202");
  await(0);
}

TEST_CASE("hostile: clients that do not read are dropped, and their memory is bounded",
          "[contract][alone]") {
  Fixture fixture("[http]\nidle_timeout = \"1s\"\n");
  std::vector<std::unique_ptr<RawConnection>> deaf;
  std::string many;
  for (int i = 0; i < 2'000; ++i) many += kHealth;
  for (int i = 0; i < 3; ++i) {
    deaf.push_back(std::make_unique<RawConnection>(fixture.daemon.port(), 1'024));
    for (int more = 0; more < 20; ++more) (void)deaf.back()->send_some(many);
  }
  CHECK(fixture.probe());
  fixture.await_connections(2);
}

TEST_CASE("hostile: unread answers make room for others", "[contract][alone]") {
  constexpr std::int64_t kMax = 20'000'000;  // enough for two answers of 7 MB
  Fixture fixture("memory_bytes = " + std::to_string(16 * kMax) + "\n");
  auto& api = fixture.api;
  send_long_pages(api);
  const auto csv = "/share/a.de/csv?auth=" + fixture.make_link() + "&panel=pages&period=day";
  const auto whole = api.send("GET", csv).body.size();
  CHECK(whole > 6'500'000);
  std::vector<std::unique_ptr<RawConnection>> deaf;
  for (int i = 0; i < 6; ++i) {
    deaf.push_back(std::make_unique<RawConnection>(fixture.daemon.port(), 1'024));
    deaf.back()->send("GET " + csv + " HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  fixture.await(kDroppedAnswers, [](auto cut) { return cut == 4; });
  CHECK(fixture.metric(kAnswerBytes) <= kMax);
  CHECK(api.send("GET", csv).body.size() == whole);
  CHECK(fixture.metric(kDroppedAnswers) == 5);
  CHECK(send_raw(fixture.daemon.port(), kRequest, "{}").starts_with("HTTP/1.1 202"));
  deaf.clear();
  fixture.await(kAnswerBytes, [](auto bytes) { return bytes == 0; });
}

TEST_CASE("hostile: an address has a bounded number of connections", "[contract][alone]") {
  const std::string client = "192.0.2.1";
  Fixture fixture("[http]\nconnections_per_address = 10\n");
  std::vector<std::unique_ptr<RawConnection>> open;
  // Opens a connection. Returns true and keeps it open if it is served.
  const auto is_served = [&](const std::string& from) {
    auto one = std::make_unique<RawConnection>(fixture.daemon.port(), 0, from);
    REQUIRE(one->connected());
    (void)one->send(kHealth);
    const bool has_answer = one->receive("\r\n\r\n").starts_with("HTTP/1.1 200");
    if (has_answer) open.push_back(std::move(one));
    return has_answer;
  };
  if (!RawConnection(fixture.daemon.port(), 0, client).connected()) {
    WARN("left out: only a sandbox has an address that is not this host's own");
    return;
  }
  fixture.await_connections(1);
  int served = 0;
  for (int i = 0; i < 15; ++i) served += is_served(client) ? 1 : 0;
  CHECK(served == 10);
  CHECK(fixture.metric("analytics_http_connections_refused_total") == 5);
  for (int i = 0; i < 15; ++i) CHECK(is_served("127.0.0.1"));
  open.erase(open.begin());
  CHECK(eventually([&] { return is_served(client); }));
}

TEST_CASE("hostile: thousands of idle connections cost little memory and are released",
          "[contract][alone]") {
  const auto most = std::min<std::size_t>(raise_limit(), 10'100) - 100;
  Fixture fixture;
  const auto before = fixture.daemon.resident_bytes();
  {
    std::vector<std::unique_ptr<RawConnection>> idle;
    while (idle.size() < most) {
      idle.push_back(std::make_unique<RawConnection>(fixture.daemon.port()));
      if (!idle.back()->connected()) break;
    }
    CHECK(idle.size() == most);
    CHECK(fixture.probe());
    fixture.await("analytics_http_connections",
                  [most](auto count) { return count >= static_cast<std::int64_t>(most); });
    const auto each = (fixture.daemon.resident_bytes() - before) / most;
    INFO(each << " bytes a connection");
    CHECK(each < 8'192 * memory_factor());
  }
  fixture.await_connections(1);
}

TEST_CASE("hostile: requests in single bytes and a thousand in a packet are all answered",
          "[contract][alone]") {
  Fixture fixture;
  {
    const RawConnection connection(fixture.daemon.port());
    for (const char c : kRequest) connection.send(std::string_view(&c, 1));
    CHECK(connection.receive("\r\n\r\n{}").starts_with("HTTP/1.1 202"));
  }
  std::string many;
  for (int i = 0; i < 999; ++i) many += kRequest;
  many += "GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const auto reply = send_raw(fixture.daemon.port(), many);
  std::size_t answers = 0;
  for (auto at = reply.find("HTTP/1.1 202"); at != std::string::npos;
       at = reply.find("HTTP/1.1 202", at + 1)) {
    ++answers;
  }
  CHECK(answers == 999);
  CHECK(reply.find("HTTP/1.1 200", reply.rfind("HTTP/1.1 202")) != std::string::npos);
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "1000");
}

TEST_CASE("hostile: a request cut at any byte leaves no connection or event", "[contract][alone]") {
  Fixture fixture;
  const std::string chunked =
      "POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
      "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
  for (const auto& request : {kRequest, chunked}) {
    for (std::size_t cut = 1; cut < request.size(); ++cut) {
      RawConnection connection(fixture.daemon.port());
      connection.send(std::string_view(request).substr(0, cut));
      if (cut % 2 == 0) connection.reset();
    }
  }
  {
    const RawConnection connection(fixture.daemon.port());
    for (const char c : chunked) connection.send(std::string_view(&c, 1));
    CHECK(connection.receive("\r\n\r\n").starts_with("HTTP/1.1 400"));
  }
  CHECK(fixture.probe());
  fixture.await_connections(1);
  CHECK(fixture.daemon.query("SELECT count(*) FROM events") == "0");
}

TEST_CASE("hostile: after running out of descriptors, the daemon serves again",
          "[contract][alone]") {
  const TempFolder folder;
  Process daemon({"sh", "-c", "ulimit -n 80; exec \"$0\" --db \"$1\" --listen 127.0.0.1:0",
                  daemon_program(), (folder / "a.db").string()},
                 {});
  const auto line = daemon.read_error_line();
  REQUIRE(line);
  REQUIRE(line->starts_with("listening on "));
  const auto url = line->substr(13);
  const auto port = static_cast<std::uint16_t>(*parse_int(url.substr(url.rfind(':') + 1)));
  {
    std::vector<std::unique_ptr<RawConnection>> all;
    for (int i = 0; i < 200; ++i) all.push_back(std::make_unique<RawConnection>(port));
  }
  CHECK(Api(url, "").send("GET", "/api/health").status == 200);
  daemon.signal(SIGTERM);
  CHECK(daemon.wait().exit == 0);
}

TEST_CASE("hostile: connections that are reset under load end no thread", "[contract][alone]") {
  Fixture fixture;
  std::vector<std::jthread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&, i] {
      for (int round = 0; round < 300; ++round) {
        RawConnection connection(fixture.daemon.port());
        connection.send(i % 2 == 0 ? kRequest
                                   : std::string("GET /share/a.de?auth=x HTTP/1.1\r\n"
                                                 "Host: a\r\nConnection: close\r\n\r\n"));
        if (round % 3 == 0) connection.reset();
        if (round % 3 == 1) (void)connection.receive("\r\n\r\n");
      }
    });
  }
  clients.clear();
  CHECK(fixture.probe());
  fixture.await_connections(1);
}

}  // namespace analytics::test::hostile_test
