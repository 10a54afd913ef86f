// While clients are hostile or broken, others are still served, memory is bounded, and connections
// and descriptors are released.
#include <csignal>
#include <fstream>
#include <functional>
#include <sstream>

#include <sys/resource.h>

#include "common/text/text.h"
#include "common/text/url.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/eventually.h"
#include "tests/support/programs.h"
#include "tests/support/raw_http.h"

namespace analytics::test::hostile_test {

namespace {

constexpr char kAnswerBytes[] = R"(analytics_memory_bytes{holder="answers"})";
constexpr char kDroppedAnswers[] = R"(analytics_memory_dropped_total{holder="answers"})";
constexpr char kHealth[] = "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string kEvent = R"({"d":"a.de","n":"x","u":"https://a.de/"})";
const std::string kRequest =
    "POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: " +
    std::to_string(kEvent.size()) + "\r\n\r\n" + kEvent;

struct Fixture {
  explicit Fixture(const std::string& settings = "") {
    std::ofstream(folder / "c.toml") << settings;
    daemon = std::make_unique<DaemonProcess>(
        daemon_program(),
        std::vector<std::string>{"--config", (folder / "c.toml").string(), "--admin-listen", "0"});
    metrics = daemon->metrics_url();
    Api(daemon->url(), daemon->make_key()).form("POST", "/api/v1/sites", "domain=a.de");
  }
  void restart(const std::string& failpoints) {
    REQUIRE(daemon->stop(SIGTERM) == 0);
    daemon->start(failpoints);
    metrics = daemon->metrics_url();
  }
  [[nodiscard]] bool probe() const {
    return Api(daemon->url(), "").send("GET", "/api/health").status == 200;
  }
  [[nodiscard]] std::int64_t metric(const std::string& name) const {
    const auto text = Api(metrics.substr(0, metrics.rfind('/')), "").send("GET", "/metrics").body;
    const auto at = text.find("\n" + name + " ");
    if (at == std::string::npos) return -1;
    const auto start = at + name.size() + 2;
    return parse_int(text.substr(start, text.find('\n', start) - start)).value_or(-1);
  }
  void await(const std::string& name, const std::function<bool(std::int64_t)>& is_wanted) const {
    REQUIRE(eventually([&] { return is_wanted(metric(name)); }));
  }
  void await_connections(std::int64_t most) const {
    await("analytics_http_connections", [most](auto count) { return count <= most; });
  }

  TempFolder folder;
  std::unique_ptr<DaemonProcess> daemon;
  std::string metrics;
};

/// Sends 4,000 pages of 1,900 bytes to the site.
void send_long_pages(Api& api) {
  const std::string agent =
      "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";
  for (int batch = 0; batch < 4; ++batch) {
    std::string lines;
    for (int i = 0; i < 1'000; ++i) {
      const auto page = std::to_string(batch * 1'000 + i) + std::string(1'900, 'x');
      lines += R"({"d":"a.de","n":"pageview","ip":"192.0.2.1","user_agent":")" + agent +
               R"(","u":"https://a.de/)" + page + "\"}\n";
    }
    REQUIRE(api.send("POST", "/api/v1/events", lines, "application/x-ndjson").status == 200);
  }
}

/// Makes a link of the site. Returns the parameter that opens its page.
std::string make_link(Api& api) {
  const std::string url =
      body_of(api.form("PUT", "/api/v1/sites/shared-links", "site_id=a.de&name=x"))["url"];
  return url.substr(url.find("auth="));
}

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
    slow.push_back(std::make_unique<RawConnection>(fixture.daemon->port()));
    slow.back()->send(i % 2 == 0 ? std::string("GET /api/he") : kRequest.substr(0, 120));
  }
  CHECK(fixture.probe());
  for (const auto& connection : slow) {
    CHECK(connection->receive().starts_with("HTTP/1.1 408"));
  }
  slow.clear();
  fixture.await_connections(1);
}

TEST_CASE("hostile: bodies that do not end make room for others, a client's for its own",
          "[contract][alone]") {
  constexpr std::int64_t kPart = 200'000;
  Fixture fixture(
      "trusted_proxies = [\"loopback\"]\nmemory_bytes = 9600000\n[http]\n"
      "body_timeout = \"60s\"\n");
  std::string body = R"({"d":"a.de","n":"x","u":"https://a.de/","more":")";
  body += std::string(kPart, 'x') + "\"}";
  std::vector<std::unique_ptr<RawConnection>> open;
  const auto begin = [&](const std::string& client) {
    open.push_back(std::make_unique<RawConnection>(fixture.daemon->port()));
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
  for (int i = 0; i < 3; ++i) {
    begin("192.0.2." + std::to_string(i));
    await((i + 1) * kPart);
  }
  begin("192.0.2.3");
  CHECK(open[0]->receive().starts_with("HTTP/1.1 408"));
  CHECK(finish(1) == "HTTP/1.1 202");
  await(2 * kPart);
  begin("192.0.2.2");  // a new body replaces another of the same client
  CHECK(open[2]->receive().starts_with("HTTP/1.1 408"));
  CHECK(finish(3) == "HTTP/1.1 202");
  CHECK(finish(4) == "HTTP/1.1 202");
  await(0);
}

TEST_CASE("hostile: clients that do not read are dropped, and their memory is bounded",
          "[contract][alone]") {
  Fixture fixture("[http]\nidle_timeout = \"1s\"\n");
  std::vector<std::unique_ptr<RawConnection>> deaf;
  std::string many;
  for (int i = 0; i < 2'000; ++i) many += kHealth;
  for (int i = 0; i < 3; ++i) {
    deaf.push_back(std::make_unique<RawConnection>(fixture.daemon->port(), 1'024));
    for (int more = 0; more < 20; ++more) (void)deaf.back()->send_some(many);
  }
  CHECK(fixture.probe());
  fixture.await_connections(2);
}

TEST_CASE("hostile: unread answers make room for others", "[contract][alone]") {
  constexpr std::int64_t kMost = 20'000'000;  // two answers of 7 MB
  Fixture fixture("memory_bytes = " + std::to_string(16 * kMost) + "\n");
  Api api(fixture.daemon->url(), fixture.daemon->make_key());
  send_long_pages(api);
  const auto csv = "/share/a.de/csv?" + make_link(api) + "&panel=pages&period=day";
  const auto whole = api.send("GET", csv).body.size();
  CHECK(whole > 6'500'000);
  std::vector<std::unique_ptr<RawConnection>> deaf;
  for (int i = 0; i < 6; ++i) {
    deaf.push_back(std::make_unique<RawConnection>(fixture.daemon->port(), 1'024));
    deaf.back()->send("GET " + csv + " HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  fixture.await(kDroppedAnswers, [](auto cut) { return cut == 4; });
  CHECK(fixture.metric(kAnswerBytes) <= kMost);
  CHECK(api.send("GET", csv).body.size() == whole);
  CHECK(fixture.metric(kDroppedAnswers) == 5);
  CHECK(send_raw(fixture.daemon->port(), kRequest, "{}").starts_with("HTTP/1.1 202"));
  deaf.clear();
  fixture.await(kAnswerBytes, [](auto bytes) { return bytes == 0; });
}

TEST_CASE("hostile: an address has a bounded number of connections", "[contract][alone]") {
  const std::string client = "192.0.2.1";
  Fixture fixture("[http]\nconnections_per_address = 10\n");
  std::vector<std::unique_ptr<RawConnection>> open;
  // Opens a connection and returns true if it is served; keeps it open then.
  const auto is_served = [&](const std::string& from) {
    auto one = std::make_unique<RawConnection>(fixture.daemon->port(), 0, from);
    REQUIRE(one->connected());
    (void)one->send(kHealth);
    const bool has_answer = one->receive("\r\n\r\n").starts_with("HTTP/1.1 200");
    if (has_answer) open.push_back(std::move(one));
    return has_answer;
  };
  if (!RawConnection(fixture.daemon->port(), 0, client).connected()) {
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

TEST_CASE("hostile: thousands of idle connections cost little, and come back",
          "[contract][alone]") {
  const auto most = std::min<std::size_t>(raise_limit(), 10'100) - 100;
  Fixture fixture;
  const auto before = fixture.daemon->resident_bytes();
  {
    std::vector<std::unique_ptr<RawConnection>> idle;
    while (idle.size() < most) {
      idle.push_back(std::make_unique<RawConnection>(fixture.daemon->port()));
      if (!idle.back()->connected()) break;
    }
    CHECK(idle.size() == most);
    CHECK(fixture.probe());
    fixture.await("analytics_http_connections",
                  [most](auto count) { return count >= static_cast<std::int64_t>(most); });
    const auto each = (fixture.daemon->resident_bytes() - before) / most;
    INFO(each << " bytes a connection");
    CHECK(each < 8'192 * memory_factor());
  }
  fixture.await_connections(1);
}

TEST_CASE("hostile: a query keeps to its memory however many conditions it has, and gives it back",
          "[contract][alone]") {
  const Fixture fixture;
  Api api(fixture.daemon->url(), fixture.daemon->make_key());
  send_long_pages(api);
  const auto link = make_link(api);
  const auto page_of = [&](int leaves) {
    std::string parts;
    for (int i = 0; i < leaves; ++i) {
      parts += std::string(i == 0 ? "" : ",") + R"(["is","event:page",["/"]])";
    }
    const auto filters = R"([["or",[)" + parts + "]]]";
    return api.send("GET", "/share/a.de?" + link + "&period=day&filters=" + filters);
  };
  CHECK(page_of(1).status == 200);
  const auto before = fixture.daemon->resident_bytes();
  const auto query = [&](int leaves) {
    std::string parts;
    for (int i = 0; i < leaves; ++i) {
      parts += std::string(i == 0 ? "" : ",") + R"(["is","event:page",["/)" + std::to_string(i) +
               R"("]])";
    }
    const auto body = R"({"site_id":"a.de","metrics":["visitors"],"date_range":"all",)"
                      R"("filters":[["or",[)" +
                      parts + "]]]}";
    return api.send("POST", "/api/v2/query", body, "application/json");
  };
  CHECK(query(200).status == 200);
  CHECK(code_of(query(201)) == "400 limit_reached");
  CHECK(page_of(290).body.find("200 conditions") != std::string::npos);
  // Each page is stored once (8 MB); a copy for each condition would take 1.6 GB.
  CHECK(fixture.daemon->resident_bytes() < before + 96 * 1'048'576 * memory_factor());
}

TEST_CASE("hostile: a query ends when its client leaves, and one that waits does not begin",
          "[contract][alone]") {
  const std::string body = R"({"site_id":"a.de","metrics":["visitors"],"date_range":"all"})";
  const auto query = [&](const std::string& key) {
    return "POST /api/v2/query HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + key +
           "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
  };
  SECTION("clients that leave") {
    Fixture fixture("query_timeout = \"10h\"\n");
    const auto key = fixture.daemon->make_key();
    fixture.restart("endless_query=on");
    constexpr int kClients = 40;  // more than there are analysts
    for (int i = 0; i < kClients; ++i) {
      const RawConnection client(fixture.daemon->port());
      REQUIRE(client.send(query(key) + (i % 2 == 0 ? "" : "G")));
    }
    const std::string of_queries =
        R"(analytics_http_requests_total{method="POST",route="/api/v2/query",code="499"})";
    fixture.await(of_queries, [](auto count) { return count == kClients; });
    fixture.await_connections(1);
  }
  SECTION("clients of a page that leave") {
    Fixture fixture("query_timeout = \"10h\"\n");
    Api api(fixture.daemon->url(), fixture.daemon->make_key());
    const auto page = "GET /share/a.de?" + make_link(api) + " HTTP/1.1\r\nHost: a\r\n\r\n";
    fixture.restart("endless_query=on");
    for (int i = 0; i < 40; ++i) {
      const RawConnection client(fixture.daemon->port());
      REQUIRE(client.send(page));
      REQUIRE(client.receive("\r\n\r\n").starts_with("HTTP/1.1 200"));
    }
    fixture.await_connections(1);
  }
  SECTION("a client that sends its next request has not left") {
    Fixture fixture("query_timeout = \"1s\"\n");
    const auto key = fixture.daemon->make_key();
    fixture.restart("endless_query=on");
    const auto answers = send_raw(fixture.daemon->port(), query(key) + kHealth, "200 OK");
    CHECK(answers.find("503 Service Unavailable") != std::string::npos);
    CHECK(answers.find("200 OK") != std::string::npos);
  }
}

TEST_CASE("hostile: one byte a packet, and a thousand requests in one", "[contract][alone]") {
  Fixture fixture;
  {
    const RawConnection connection(fixture.daemon->port());
    for (const char c : kRequest) connection.send(std::string_view(&c, 1));
    CHECK(connection.receive("\r\n\r\n{}").starts_with("HTTP/1.1 202"));
  }
  std::string many;
  for (int i = 0; i < 999; ++i) many += kRequest;
  many += "GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const auto reply = send_raw(fixture.daemon->port(), many);
  std::size_t answers = 0;
  for (auto at = reply.find("HTTP/1.1 202"); at != std::string::npos;
       at = reply.find("HTTP/1.1 202", at + 1)) {
    ++answers;
  }
  CHECK(answers == 999);
  CHECK(reply.find("HTTP/1.1 200", reply.rfind("HTTP/1.1 202")) != std::string::npos);
  CHECK(fixture.daemon->query("SELECT count(*) FROM events") == "1000");
}

TEST_CASE("hostile: a request cut at every byte leaves nothing behind", "[contract][alone]") {
  Fixture fixture;
  const std::string chunked =
      "POST /api/event HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
      "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
  for (const auto& request : {kRequest, chunked}) {
    for (std::size_t cut = 1; cut < request.size(); ++cut) {
      RawConnection connection(fixture.daemon->port());
      connection.send(std::string_view(request).substr(0, cut));
      if (cut % 2 == 0) connection.reset();
    }
  }
  {
    const RawConnection connection(fixture.daemon->port());
    for (const char c : chunked) connection.send(std::string_view(&c, 1));
    CHECK(connection.receive("\r\n\r\n").starts_with("HTTP/1.1 400"));
  }
  CHECK(fixture.probe());
  fixture.await_connections(1);
  CHECK(fixture.daemon->query("SELECT count(*) FROM events") == "0");
}

TEST_CASE("hostile: descriptors used up, service returns when they are free", "[contract][alone]") {
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

TEST_CASE("hostile: connections that are reset under load take no thread with them",
          "[contract][alone]") {
  Fixture fixture;
  std::vector<std::jthread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&, i] {
      for (int round = 0; round < 300; ++round) {
        RawConnection connection(fixture.daemon->port());
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
