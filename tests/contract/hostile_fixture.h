#pragma once

#include <csignal>
#include <fstream>
#include <functional>

#include "common/text/text.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/eventually.h"
#include "tests/support/programs.h"
#include "tests/support/raw_http.h"

namespace analytics::test {

inline constexpr char kHealth[] = "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n";

/// A daemon with the site a.de and a second listener for its metrics.
struct HostileFixture {
  explicit HostileFixture(const std::string& settings = "") {
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
inline void send_long_pages(Api& api) {
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

/// Creates a shared link to a.de. Returns the URL parameter "auth=…" that opens the page.
inline std::string make_link(Api& api) {
  const std::string url =
      body_of(api.form("PUT", "/api/v1/sites/shared-links", "site_id=a.de&name=x"))["url"];
  return url.substr(url.find("auth="));
}

}  // namespace analytics::test
