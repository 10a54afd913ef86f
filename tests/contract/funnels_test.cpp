// Funnels are provisioned like goals. Their steps count in order of time, within one day at most.
#include "tests/contract/stats_fixture.h"

namespace analytics::test::funnels_test {

namespace {

constexpr char kFunnels[] = "/api/v1/sites/funnels";
constexpr char kSteps[] = R"([{"page":"/"},{"page":"/pricing*"},{"event":"Signup"}])";

struct Funnels : StatsFixture {
  HttpReply ensure(const std::string& name, const std::string& steps,
                   const std::string& more = "") {
    return api.form(
        "PUT", kFunnels,
        "site_id=a.de&name=" + name + "&steps=" + analytics::percent_encode(steps) + more);
  }
  HttpReply show(const std::string& parameters) {
    return api.send("GET", "/api/v1/stats/funnel?site_id=a.de&" + parameters);
  }
  /// Returns "visitors/rate/dropoff" of each step on 2026-11-20.
  std::string rows(const std::string& name, const std::string& filters = "") {
    const auto reply =
        show("name=" + name + "&period=day&date=2026-11-20" +
             (filters.empty() ? "" : "&filters=" + analytics::percent_encode(filters)));
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    std::string text;
    const auto body = body_of(reply);
    for (const auto& step : body["steps"]) {
      text += (text.empty() ? "" : " ") + step["visitors"].dump() + "/" +
              step["conversion_rate"].dump() + "/" + step["dropoff"].dump();
    }
    return text;
  }
};

}  // namespace

TEST_CASE("funnels: an owner creates, changes, lists and deletes them by name",
          "[contract][funnel]") {
  Funnels funnels;
  const auto made = funnels.ensure("+Trial+", kSteps);
  CHECK(made.status == 200);
  CHECK(made.header("X-Analytics-Outcome") == "created");
  CHECK(nlohmann::ordered_json::parse(made.body).dump() ==
        R"({"domain":"a.de","name":"Trial","within":"visit","steps":)" + std::string(kSteps) + "}");
  CHECK(funnels.ensure("Trial", kSteps).header("X-Analytics-Outcome") == "unchanged");
  const auto changed = funnels.ensure("Trial", R"([{"event":"A"},{"event":"B"}])", "&within=day");
  CHECK(changed.header("X-Analytics-Outcome") == "updated");
  CHECK(body_of(changed)["within"] == "day");
  // In a JSON body the steps are a list.
  const auto json = funnels.api.json(
      "PUT", kFunnels,
      R"({"site_id":"a.de","name":"Other","steps":[{"event":"A"},{"page":"blog"}]})");
  CHECK(json.status == 200);
  CHECK(body_of(json)["steps"].dump() == R"([{"event":"A"},{"page":"/blog"}])");
  const auto list = body_of(funnels.api.send("GET", std::string(kFunnels) + "?site_id=a.de"));
  REQUIRE(list["funnels"].size() == 2);
  CHECK(list["funnels"][1]["name"] == "Other");
  const auto remove = [&](const std::string& name) {
    return funnels.api.form("DELETE", kFunnels, "site_id=a.de&name=" + name);
  };
  CHECK(body_of(remove("Trial"))["deleted"] == "true");
  CHECK(code_of(remove("Trial")) == "404 funnel_not_found");
  CHECK(code_of(funnels.show("name=Trial")) == "404 funnel_not_found");
  CHECK(funnels.api.send("DELETE", "/api/v1/sites/a.de").status == 200);
  CHECK(funnels.daemon.query("SELECT count(*) FROM funnels") == "0");
}

TEST_CASE("funnels: an invalid funnel is refused with the reason", "[contract][funnel]") {
  Funnels funnels;
  const auto step = std::string(R"({"event":"A"})");
  std::string nine = step;
  for (int i = 0; i < 8; ++i) nine += "," + step;
  for (const auto& steps :
       {std::string("x"), std::string("{}"), "[" + step + "]", "[" + nine + "]",
        "[" + step + R"(,{"event":""}])", "[" + step + R"(,{"path":"/"}])",
        "[" + step + R"(,{"event":"a","page":"/"}])", "[" + step + R"(,{"event":1}])",
        "[" + step + R"(,{"event":"engagement"}])", "[" + step + ",7]"}) {
    INFO(steps);
    const auto reply = funnels.ensure("x", steps);
    CHECK(code_of(reply) == "400 invalid_parameter");
    CHECK(reply.body.find("steps") != std::string::npos);
  }
  CHECK(code_of(funnels.ensure("x", "")) == "400 missing_parameter");
  CHECK(code_of(funnels.ensure("x", R"([{"event":"A"},{"page":"/*a*b*c*d*e*f*g*h*i"}])")) ==
        "400 limit_reached");
  CHECK(code_of(funnels.ensure("", kSteps)) == "400 missing_parameter");
  CHECK(code_of(funnels.ensure(std::string(101, 'x'), kSteps)) == "400 invalid_parameter");
  CHECK(code_of(funnels.ensure("x", kSteps, "&within=week")) == "400 invalid_parameter");
  for (int i = 0; i < 100; ++i) REQUIRE(funnels.ensure(std::to_string(i), kSteps).status == 200);
  CHECK(code_of(funnels.ensure("more", kSteps)) == "400 limit_reached");
  CHECK(funnels.ensure("7", kSteps).status == 200);
  CHECK(code_of(funnels.show("name=7&period=fortnight")) == "400 invalid_parameter");
}

TEST_CASE("funnels: only visitors who took the steps in order are counted", "[contract][funnel]") {
  Funnels funnels;
  funnels.ensure("Trial", kSteps);
  funnels.ensure("Day", kSteps, "&within=day");
  // This visitor takes all three steps, with other events between them.
  funnels.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:01:00", "/x"}, {"10:02:00", "/pricing/all"}});
  funnels.event("1.1.1.1", "Signup", "10:03:00");
  // This visitor takes the steps in reverse order; the order of arrival is different.
  funnels.event("2.2.2.2", "Signup", "10:00:00", R"("r":"https://google.com/",)");
  funnels.visit("2.2.2.2", {{"10:02:00", "/pricing"}, {"10:01:00", "/"}}, "https://google.com/");
  // This visitor takes the last step in another visit.
  funnels.visit("3.3.3.3", {{"10:00:00", "/"}, {"10:01:00", "/pricing"}});
  funnels.event("3.3.3.3", "Signup", "12:00:00");
  // One visitor skips the first step, the next one takes only the first step.
  funnels.visit("4.4.4.4", {{"10:00:00", "/pricing"}});
  funnels.visit("5.5.5.5", {{"10:00:00", "/"}});
  CHECK(funnels.rows("Trial") == "4/100.0/0 3/75.0/1 1/25.0/2");
  CHECK(funnels.rows("Day") == "4/100.0/0 3/75.0/1 2/50.0/1");
  CHECK(funnels.rows("Trial", "visit:source==Google") == "1/100.0/0 1/100.0/0 0/0.0/1");
  CHECK(funnels.rows("Trial", "visit:source==Bing") == "0/0.0/0 0/0.0/0 0/0.0/0");
  funnels.goal("goal_type=event&event_name=Signup");
  // Conditions on events apply to the whole visit.
  CHECK(funnels.rows("Trial", "event:page==/x") == "1/100.0/0 1/100.0/0 1/100.0/0");
  CHECK(funnels.rows("Trial", "event:page!=/x") == "3/100.0/0 2/66.67/1 0/0.0/2");
  CHECK(funnels.rows("Trial", "event:goal==Signup") == "2/100.0/0 2/100.0/0 1/50.0/1");
  const auto labels = body_of(funnels.show("name=Trial&period=day&date=2026-11-20"))["steps"];
  CHECK(labels[1]["label"] == "Visit /pricing*");
  CHECK(labels[2]["label"] == "Signup");
}

TEST_CASE("funnels: the shared page shows them and says why none spans more than a day",
          "[contract][funnel][share]") {
  Funnels funnels;
  const auto auth = "auth=" + funnels.make_link();
  funnels.visit("1.1.1.1", {{"10:00:00", "/"}, {"10:02:00", "/pricing"}});
  const auto page = [&](const std::string& more) {
    return funnels.visitor
        .send("GET", "/share/a.de" + more + auth + "&from=2026-11-20&to=2026-11-20")
        .body;
  };
  CHECK(page("?").find("id=\"funnels\"") == std::string::npos);
  CHECK(page("/csv?panel=funnels&").find("not_found") != std::string::npos);
  funnels.ensure("Trial", kSteps);
  funnels.ensure("%3Cb%3E", kSteps, "&within=day");
  const auto shown = page("?");
  CHECK(shown.find("1. Visit /</") != std::string::npos);
  CHECK(shown.find("Steps in one visit") != std::string::npos);
  CHECK(shown.find("Nobody can be recognised on another day") != std::string::npos);
  CHECK(shown.find("&lt;b&gt;</a>") != std::string::npos);
  CHECK(page("?funnels=%3Cb%3E&").find("Steps of a visitor on one day") != std::string::npos);
  CHECK(page("/csv?panel=funnels&") ==
        "step,visitors,conversion_rate,dropoff\r\nVisit /,1,100,0\r\nVisit /pricing*,1,100,0\r\n"
        "Signup,0,0,1\r\n");
}

TEST_CASE("funnels: the answer says in which ways it is inexact", "[contract][funnel]") {
  Funnels funnels;
  REQUIRE(funnels.ensure("Trial", kSteps).status == 200);
  const auto meta = [&](const std::string& period) {
    auto found = body_of(funnels.show("name=Trial&" + period))["meta"];
    found.erase("up_to");  // only nodes of a cluster give `up_to`
    return found;
  };
  CHECK(meta("period=day&date=2026-11-20") == nlohmann::json::object());
  CHECK(meta("period=custom&date=2026-11-18,2026-11-20") == nlohmann::json{{"sum_of_days", true}});
  CHECK(meta("period=day").contains("partial_until"));
}

}  // namespace analytics::test::funnels_test
