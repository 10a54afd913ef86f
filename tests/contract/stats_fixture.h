#pragma once

#include "common/text/url.h"
#include "tests/support/catch.h"
#include "tests/support/service.h"

namespace analytics::test {

/// A service for events on 2026-11-20 (UTC unless the site has another zone).
struct StatsFixture : Service {
  explicit StatsFixture(const std::string& zone = "Etc/UTC") : Service({.zone = zone}) {}

  struct View {
    std::string time;
    std::string path;
  };
  void visit(const std::string& address, const std::vector<View>& views,
             const std::string& referrer = "") {
    for (const auto& view : views) {
      event(address, "pageview", view.time, referrer.empty() ? "" : R"("r":")" + referrer + R"(",)",
            percent_encode_path(view.path));
    }
  }
  /// Sends an event; `more` has further JSON members, each with its comma.
  void event(const std::string& address, const std::string& name, const std::string& time,
             const std::string& more = "", const std::string& path = "/") {
    event_at(address, name, "2026-11-20T" + time + "Z", more, path);
  }
  /// Sends an event like event(), but at any time, such as "2026-11-20T10:00:00Z".
  void event_at(const std::string& address, const std::string& name, const std::string& time,
                const std::string& more = "", const std::string& path = "/") {
    const auto body =
        event_body(name, path, R"(,"timestamp":")" + time + R"(","ip":")" + address + "\"");
    const auto reply = api.event("{" + more + body.substr(1), {{"User-Agent", kFirefox}});
    REQUIRE(reply.status == 202);
    REQUIRE(reply.header("X-Analytics-Dropped").empty());
  }

  /// Sends a v1 query, for 2026-11-20 unless it names a period. Returns the results.
  nlohmann::ordered_json ask_v1(const std::string& route, const std::string& query) {
    const bool has_period = query.find("period=") != std::string::npos;
    const auto reply = api.send("GET", "/api/v1/stats/" + route + "?site_id=a.de&" + query +
                                           (has_period ? "" : "&period=day&date=2026-11-20"));
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    return nlohmann::ordered_json::parse(reply.body)["results"];
  }
  std::string v1(const std::string& route, const std::string& query) {
    return ask_v1(route, query).dump();
  }
  nlohmann::json v1_json(const std::string& route, const std::string& query) {
    return nlohmann::json::parse(v1(route, query));
  }
  int v1_value(const std::string& route, const std::string& query) {
    return ask_v1(route, query).begin().value()["value"].get<int>();
  }

  HttpReply query(const nlohmann::json& body) {
    return api.json("POST", "/api/v2/query", body.dump());
  }
  /// Sends a v2 query about a.de on 2026-11-20. Returns the results.
  std::string v2(const std::string& metrics, const std::string& rest = "") {
    const auto body = R"({"site_id":"a.de","date_range":["2026-11-20","2026-11-20"],"metrics":)" +
                      metrics + (rest.empty() ? "" : "," + rest) + "}";
    const auto reply = api.json("POST", "/api/v2/query", body);
    INFO(body << reply.body);
    REQUIRE(reply.status == 200);
    std::string rows;
    const auto answer = body_of(reply);
    for (const auto& row : answer["results"]) {
      rows += (rows.empty() ? "" : " ") + row["dimensions"].dump() + row["metrics"].dump();
    }
    return rows;
  }

 private:
  static std::string percent_encode_path(const std::string& path) {
    std::string encoded;
    for (const char c : path) encoded += c == '/' ? "/" : percent_encode(std::string(1, c));
    return encoded;
  }
};

}  // namespace analytics::test
