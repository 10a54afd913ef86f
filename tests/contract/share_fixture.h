#pragma once

#include "tests/contract/stats_fixture.h"

namespace analytics::test {

/// A service with a shared link to its site.
struct Shared : StatsFixture {
  using StatsFixture::StatsFixture;
  /// Requests the shared page, or the path `below` it, with the link's token and no API key.
  HttpReply get(const std::string& parameters = "", const std::string& below = "") {
    return visitor.send("GET", path + below + "?auth=" + token + parameters);
  }
  std::string url =
      body_of(api.form("PUT", "/api/v1/sites/shared-links", "site_id=a.de&name=x"))["url"];
  std::string path = "/share/a.de";
  std::string token = url.substr(url.find("auth=") + 5);
};

inline bool has(const HttpReply& page, const std::string& text) {
  INFO(text);
  INFO(page.body);
  return page.body.find(text) != std::string::npos;
}

/// URL parameters that select the day of StatsFixture's events.
inline constexpr char kDay[] = "&from=2026-11-20&to=2026-11-20";

}  // namespace analytics::test
