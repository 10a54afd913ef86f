#pragma once

#include <functional>

#include "common/text/text.h"
#include "tests/support/catch.h"
#include "tests/support/eventually.h"
#include "tests/support/raw_http.h"
#include "tests/support/service.h"

namespace analytics::test {

inline constexpr char kHealth[] = "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n";

/// A service with a second listener for its metrics.
struct HostileFixture : Service {
  explicit HostileFixture(const std::string& settings = "")
      : Service({.settings = settings, .arguments = {"--admin-listen", "0"}}) {}
  [[nodiscard]] bool probe() const {
    return Api(daemon, "").send("GET", "/api/health").status == 200;
  }
  [[nodiscard]] std::int64_t metric(const std::string& name) {
    const auto text = metrics();
    const auto at = text.find("\n" + name + " ");
    if (at == std::string::npos) return -1;
    const auto start = at + name.size() + 2;
    return parse_int(text.substr(start, text.find('\n', start) - start)).value_or(-1);
  }
  void await(const std::string& name, const std::function<bool(std::int64_t)>& is_wanted) {
    REQUIRE(eventually([&] { return is_wanted(metric(name)); }));
  }
  void await_connections(std::int64_t most) {
    await("analytics_http_connections", [most](auto count) { return count <= most; });
  }
};

/// Sends 4,000 pages of 1,900 bytes to the site.
inline void send_long_pages(Api& api) {
  const auto more = R"(,"ip":"192.0.2.1","user_agent":")" + std::string(kFirefox) + "\"";
  for (int batch = 0; batch < 4; ++batch) {
    std::string lines;
    for (int i = 0; i < 1'000; ++i) {
      const auto path = "/" + std::to_string(batch * 1'000 + i) + std::string(1'900, 'x');
      lines += pageview(path, more) + "\n";
    }
    REQUIRE(api.bulk(lines).status == 200);
  }
}

}  // namespace analytics::test
