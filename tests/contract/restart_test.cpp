#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "common/text/text.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/eventually.h"
#include "tests/support/programs.h"
#include "tests/support/raw_http.h"
#include "tests/support/sockets.h"

namespace analytics::test::restart_test {

namespace {

std::string event_request(const std::string& path) {
  const std::string body =
      R"({"name":"pageview","domain":"a.example","url":"https://a.example/)" + path + "\"}";
  return "POST /api/event HTTP/1.1\r\nHost: a\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; "
         "rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
         "Content-Type: application/json\r\nConnection: close\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// A row of /proc/net/tcp (proc(5)): the state in hexadecimal, and the inode number.
struct TcpSocket {
  std::string state;
  std::string inode;
};

std::vector<TcpSocket> tcp_sockets(std::uint16_t port) {
  const auto local = fmt::format("{:08X}:{:04X}", htonl(INADDR_LOOPBACK), port);
  std::vector<TcpSocket> sockets;
  std::ifstream table("/proc/net/tcp");
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    const std::vector<std::string> row(std::istream_iterator<std::string>(words), {});
    if (row.size() > 9 && row[1] == local) sockets.push_back({row[3], row[9]});
  }
  return sockets;
}

std::ptrdiff_t descriptors_of(int process, const std::string& inode) {
  const std::filesystem::directory_iterator files("/proc/" + std::to_string(process) + "/fd");
  return std::ranges::count_if(files, [&](const auto& file) {
    std::error_code gone;
    return std::filesystem::read_symlink(file, gone) == "socket:[" + inode + "]";
  });
}

/// Starts daemons on one database, one after the other, like a service manager.
class ServiceManager {
 public:
  explicit ServiceManager(bool hands_over_sockets) : hands_over_(hands_over_sockets) {
    const auto made = run(
        {daemon_program(), "keys", "create", "--init", "--account", "acme", "--db", database()});
    REQUIRE(made.exit == 0);
    key_ = std::string(trim(made.out));
  }
  void launch(const std::string& failpoints = "") {
    Process::Options options;
    options.environment = {"NOTIFY_SOCKET=" + (folder_ / "notify").string(), "WATCHDOG_USEC=200000",
                           "ANALYTICS_FAILPOINTS=" + failpoints};
    if (hands_over_) options.sockets = {socket_.descriptor()};
    daemon_ = std::make_unique<Process>(
        std::vector<std::string>{daemon_program(), "serve", "--db", database(), "--listen",
                                 "127.0.0.1:0", "--config", (folder_ / "settings").string()},
        options);
  }
  void start() {
    launch();
    (void)heard.await("READY=1");
  }
  void signal(int number) { daemon_->signal(number); }
  void stop() {
    daemon_->signal(SIGTERM);
    await_end();
  }
  void await_end() {
    const auto ended = daemon_->wait();
    INFO(ended.err);
    REQUIRE(ended.exit == 0);
  }
  /// Reads lines of the log until one contains the text, and returns it.
  std::string await_line(const std::string& text) {
    for (auto line = daemon_->read_error_line(); line; line = daemon_->read_error_line()) {
      if (line->find(text) != std::string::npos) return *line;
    }
    throw std::runtime_error("the daemon did not say " + text);
  }
  /// Returns the daemon's port. REQUIRES: it logs at "debug", or it gets the socket of the unit.
  [[nodiscard]] std::uint16_t await_port() {
    if (hands_over_) return socket_.port();
    const auto line = await_line("listening; requests wait");
    const auto port = parse_int(line.substr(line.rfind(':') + 1));
    if (!port) throw std::runtime_error("no port in: " + line);
    return static_cast<std::uint16_t>(*port);
  }
  /// Returns true if the daemon has accepted a connection to its port.
  [[nodiscard]] static bool has_accepted(std::uint16_t port) {
    return std::ranges::any_of(tcp_sockets(port), [](const TcpSocket& socket) {
      return socket.state == "01" && socket.inode != "0";  // "0": not accepted yet
    });
  }
  /// Returns how many of the daemon's descriptors are the socket listening on that port.
  [[nodiscard]] std::ptrdiff_t listening_descriptors(std::uint16_t port) const {
    std::ptrdiff_t count = 0;
    for (const auto& socket : tcp_sockets(port)) {
      if (socket.state == "0A") count += descriptors_of(daemon_->id(), socket.inode);
    }
    return count;
  }
  void add_site() { add_site(socket_.port()); }
  void add_site(std::uint16_t port) {
    Api api("http://127.0.0.1:" + std::to_string(port), key_);
    REQUIRE(api.form("POST", "/api/v1/sites", "domain=a.example").status == 200);
  }
  [[nodiscard]] std::string count_events() {
    const auto counted = run({"sqlite3", "-readonly", database(), "SELECT count(*) FROM events"});
    return std::string(trim(counted.out));
  }
  [[nodiscard]] std::filesystem::path file(const char* name) const { return folder_ / name; }
  [[nodiscard]] std::uint16_t port() const { return socket_.port(); }  ///< Port of the socket unit.

 private:
  [[nodiscard]] std::string database() const { return (folder_ / "a.db").string(); }

  TempFolder folder_;
  const bool hands_over_;
  ListeningSocket socket_;
  std::string key_;
  std::unique_ptr<Process> daemon_;

 public:
  NotifySocket heard{folder_ / "notify"};
};

void write(const std::filesystem::path& file, const std::string& text = "") {
  std::ofstream(file) << text;
}

}  // namespace

TEST_CASE("restart: a client that connects before or during the start is answered",
          "[contract][alone]") {
  ServiceManager service(true);
  write(service.file("settings"));
  service.start();
  service.add_site();
  service.stop();

  const auto go = service.file("go");
  const RawConnection early(service.port());  // no daemon is running
  REQUIRE(early.send(event_request("early")));
  service.launch("before_open=wait:" + go.string());
  (void)service.heard.await("opening the database");
  const RawConnection later(service.port());
  REQUIRE(later.send(event_request("later")));
  CHECK_FALSE(early.has_answer());
  write(go);
  CHECK(early.receive().starts_with("HTTP/1.1 202"));
  CHECK(later.receive().starts_with("HTTP/1.1 202"));
  service.stop();
  CHECK(service.count_events() == "2");
}

TEST_CASE("restart: without a socket unit, the sockets are bound before the database is opened",
          "[contract][alone]") {
  ServiceManager service(false);
  write(service.file("settings"), "log_level = \"debug\"\n");
  const auto go = service.file("go");
  service.launch("before_open=wait:" + go.string());
  const RawConnection early(service.await_port());
  REQUIRE(early.send("GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
  CHECK_FALSE(early.has_answer());
  write(go);
  CHECK(early.receive().starts_with("HTTP/1.1 200"));
  service.stop();
}

TEST_CASE("restart: ten restarts under load refuse no client and lose no event",
          "[contract][alone]") {
  ServiceManager service(true);
  write(service.file("settings"), "max_events_per_minute = 0\n");
  service.start();
  service.add_site();
  std::atomic<int> answered{0};
  std::atomic<int> failed{0};
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 3; ++i) {
      clients.emplace_back([&, i](const std::stop_token& stop) {
        for (int n = 0; !stop.stop_requested(); ++n) {
          const RawConnection connection(service.port());
          const bool sent =
              connection.send(event_request(std::to_string(i) + "/" + std::to_string(n)));
          const bool ok = sent && connection.receive().starts_with("HTTP/1.1 202");
          ++(ok ? answered : failed);
        }
      });
    }
    for (int restart = 0; restart < 10; ++restart) {
      const int before = answered;
      CHECK(eventually([&] { return answered > before + 10; }));
      service.stop();
      service.start();
    }
  }
  service.stop();
  CHECK(failed == 0);
  CHECK(service.count_events() == std::to_string(answered));
}

TEST_CASE("restart: requests that arrive before the signal to stop are answered",
          "[contract][alone]") {
  ServiceManager service(true);
  write(service.file("settings"));
  service.start();
  service.add_site();
  const std::string kept = "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n";
  const RawConnection client(service.port());
  REQUIRE(client.send(kept));
  CHECK(client.receive("\r\n\r\n").starts_with("HTTP/1.1 200"));
  REQUIRE(client.send(event_request("last")));  // arrives before the signal
  service.stop();
  CHECK(client.receive().find("HTTP/1.1 202") != std::string::npos);
}

TEST_CASE("restart: a client that connects just as the daemon stops is answered",
          "[contract][alone]") {
  if (geteuid() != 0) {
    WARN("skipped: only root sees the descriptors of the daemon");
    return;
  }
  const bool hands_over = GENERATE(true, false);
  ServiceManager service(hands_over);
  write(service.file("settings"), "log_level = \"debug\"\nhttp.threads = 1\n");
  service.launch();
  service.add_site(service.await_port());
  (void)service.heard.await("READY=1");
  service.stop();

  const auto go = service.file("go");
  service.launch("accepted=wait:" + go.string());
  const auto port = service.await_port();
  (void)service.heard.await("READY=1");
  const RawConnection accepted(port);
  REQUIRE(accepted.send(event_request("accepted")));
  REQUIRE(eventually([&] { return service.has_accepted(port); }));
  const RawConnection waiting(port);  // the only thread is blocked
  REQUIRE(waiting.send(event_request("waiting")));
  service.signal(SIGTERM);
  REQUIRE(eventually([&] { return service.listening_descriptors(port) == 1; }));
  write(go);
  CHECK(accepted.receive().starts_with("HTTP/1.1 202"));
  if (hands_over) {  // the next daemon answers
    service.await_end();
    service.start();
  }
  CHECK(waiting.receive().starts_with("HTTP/1.1 202"));
  hands_over ? service.stop() : service.await_end();
  CHECK(service.count_events() == "2");
}

TEST_CASE("restart: the daemon tells the service manager that it starts, works and stops",
          "[contract][alone]") {
  ServiceManager service(false);
  write(service.file("settings"));
  service.launch();
  CHECK(service.heard.await("STATUS=opening").find("EXTEND_TIMEOUT_USEC=") != std::string::npos);
  CHECK(service.heard.await("READY=1").find("listening on 127.0.0.1:") != std::string::npos);
  (void)service.heard.await("WATCHDOG=1");
  (void)service.heard.await("WATCHDOG=1");  // sent after all threads have answered
  service.stop();
  (void)service.heard.await("STOPPING=1");
}

TEST_CASE("restart: a socket that does not listen for TCP is refused", "[contract][alone]") {
  const TempFolder folder;
  Process::Options options;
  const FileDescriptor file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  options.sockets = {file.get()};
  const auto ended = run({daemon_program(), "serve", "--db", (folder / "a.db").string()}, options);
  CHECK(ended.exit == 3);
  CHECK(ended.err.find("ListenStream=") != std::string::npos);
}

}  // namespace analytics::test::restart_test
