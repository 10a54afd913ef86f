#pragma once

#include "common/text/url.h"
#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/programs.h"

namespace analytics::test {

inline constexpr char kFirefox[] =
    "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";

/// A daemon with the site a.de, for events on 2026-11-20 (UTC unless the site has another zone).
struct StatsFixture {
  explicit StatsFixture(const std::string& zone = "Etc/UTC") {
    api.form("POST", "/api/v1/sites", "domain=a.de&timezone=" + zone);
  }

  struct View {
    std::string time;
    std::string path;
  };
  void visit(const std::string& address, const std::vector<View>& views,
             const std::string& referrer = "") {
    for (const auto& view : views) {
      send(address, "pageview", view.time, percent_encode_path(view.path),
           referrer.empty() ? "" : R"("r":")" + referrer + R"(",)");
    }
  }
  /// Sends an event; `more` has further JSON members, each with its comma.
  void event(const std::string& address, const std::string& name, const std::string& time,
             const std::string& more = "", const std::string& path = "/") {
    send(address, name, time, path, more);
  }
  void goal(const std::string& form) {
    REQUIRE(api.form("PUT", "/api/v1/sites/goals", "site_id=a.de&" + form).status == 200);
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
    return api.send("POST", "/api/v2/query", body.dump(), "application/json");
  }
  /// Sends a v2 query about a.de on 2026-11-20. Returns the results.
  std::string v2(const std::string& metrics, const std::string& rest = "") {
    const auto body = R"({"site_id":"a.de","date_range":["2026-11-20","2026-11-20"],"metrics":)" +
                      metrics + (rest.empty() ? "" : "," + rest) + "}";
    const auto reply = api.send("POST", "/api/v2/query", body, "application/json");
    INFO(body << reply.body);
    REQUIRE(reply.status == 200);
    std::string rows;
    const auto answer = body_of(reply);
    for (const auto& row : answer["results"]) {
      rows += (rows.empty() ? "" : " ") + row["dimensions"].dump() + row["metrics"].dump();
    }
    return rows;
  }

  DaemonProcess daemon{daemon_program()};
  Api api{daemon.url(), daemon.make_key()};

 private:
  static std::string percent_encode_path(const std::string& path) {
    std::string encoded;
    for (const char c : path) encoded += c == '/' ? "/" : percent_encode(std::string(1, c));
    return encoded;
  }
  void send(const std::string& address, const std::string& name, const std::string& time,
            const std::string& path, const std::string& more) {
    const auto reply =
        api.event("{" + more + R"("d":"a.de","n":")" + name + R"(","u":"https://a.de)" + path +
                      R"(","timestamp":"2026-11-20T)" + time + R"(Z","ip":")" + address + "\"}",
                  {{"User-Agent", kFirefox}});
    REQUIRE(reply.status == 202);
    REQUIRE(reply.header("X-Analytics-Dropped").empty());
  }
};

}  // namespace analytics::test
