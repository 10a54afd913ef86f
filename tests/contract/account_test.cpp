// Shared links that open all sites of an account, the page that they open, and the summary of an
// owner's sites.
#include "tests/contract/share_fixture.h"
#include "tests/support/eventually.h"

namespace analytics::test::account_test {

namespace {

constexpr char kLinks[] = "/api/v1/account/shared-links";

struct Accounts : StatsFixture {
  Accounts() {
    api.form("POST", "/api/v1/sites", "domain=b.de");
    other.form("POST", "/api/v1/sites", "domain=theirs.example");
  }
  HttpReply ensure(const std::string& form) { return api.form("PUT", kLinks, form); }
  HttpReply open(const std::string& page, const std::string& token) {
    return visitor.send("GET", "/share/" + page + "?auth=" + token);
  }
  Api other = client("other");
};

}  // namespace

TEST_CASE("account links: an owner finds, lists and deletes them by name", "[contract][account]") {
  Accounts accounts;
  const auto made = accounts.ensure("name=Me");
  CHECK(made.status == 200);
  CHECK(made.header("X-Analytics-Outcome") == "created");
  CHECK(body_of(made)["url"] == accounts.daemon.url() + "/share/@all?auth=" + token_of(made));
  const auto again =
      accounts.ensure("name=+Me+&token=0123456789abcdef");  // an existing link keeps its token
  CHECK(again.header("X-Analytics-Outcome") == "unchanged");
  CHECK(again.body == made.body);
  CHECK(body_of(accounts.api.send("GET", kLinks))["shared_links"].size() == 1);
  CHECK(body_of(accounts.other.send("GET", kLinks))["shared_links"].empty());
  CHECK(code_of(accounts.ensure("name=")) == "400 missing_parameter");
  CHECK(code_of(accounts.ensure("name=x&token=short")) == "400 invalid_parameter");
  CHECK(token_of(accounts.ensure("name=moved&token=0123456789abcdef")) == "0123456789abcdef");
  CHECK(code_of(accounts.other.form("DELETE", kLinks, "name=Me")) == "404 link_not_found");
  CHECK(body_of(accounts.api.form("DELETE", kLinks, "name=Me"))["deleted"] == "true");
  CHECK(accounts.open("@all", token_of(made)).status ==
        404);  // a deleted link stops working at once
  CHECK(accounts.open("a.de", token_of(made)).status == 404);
  auto limited = accounts.client("acme", {"--site", "a.de"});
  for (const auto* method : {"PUT", "DELETE", "GET"}) {
    CHECK(code_of(limited.form(method, kLinks, "name=x")) == "403 missing_scope");
  }
}

TEST_CASE("account links: a link opens the pages of all the account's sites, and no others",
          "[contract][account]") {
  Accounts accounts;
  const auto token = token_of(accounts.ensure("name=Me"));
  accounts.visit("1.1.1.1", {{"10:00:00", "/"}});
  const auto all = accounts.open("@all", token);
  CHECK(all.status == 200);
  CHECK(has(all, "2 sites"));
  CHECK(has(all, "<a href=\"/share/a.de?auth=" + token + "\"><bdi dir=\"ltr\">a.de</bdi></a>"));
  CHECK(has(all, "never"));  // last event of b.de
  CHECK(!has(all, "theirs.example"));
  CHECK(all.header("Content-Security-Policy").find("frame-ancestors 'none'") != std::string::npos);
  CHECK(all.header("Referrer-Policy") == "no-referrer");
  const auto site = accounts.open("a.de", token);
  CHECK(site.status == 200);
  CHECK(has(site, "<a href=\"/share/@all?auth=" + token + "\">All sites</a>"));
  CHECK(has(site, "<a href=\"/share/b.de?auth=" + token + "\">b.de</a>"));
  // Pages in a frame have no titles and menus, and their links keep the parameters of the frame.
  const auto framed = accounts.open("@all", token + "&embed=true&theme=dark&background=%23fff");
  CHECK(has(framed, "<body class=\"embedded\">"));
  CHECK(
      has(framed, "/share/a.de?auth=" + token + "&amp;embed=true&amp;theme=dark&amp;background="));
  CHECK(accounts.visitor.send("GET", "/share/a.de/csv?auth=" + token).status == 200);
  CHECK(accounts.open("theirs.example", token).status == 404);
  CHECK(accounts.open("@all", "").status == 404);
  // A link to one site opens only that site and does not lead to others.
  const auto of_site = accounts.make_link();
  CHECK(accounts.open("@all", of_site).status == 404);
  CHECK(accounts.open("b.de", of_site).status == 404);
  CHECK(!has(accounts.open("a.de", of_site), "@all"));
  // A site that moves to another account leaves the links of its former account.
  REQUIRE(accounts.operate({"sites", "move", "b.de", "--to", "other"}).exit == 0);
  CHECK(accounts.open("b.de", token).status == 404);
  CHECK(has(accounts.open("@all", token), "1 site<"));
}

TEST_CASE("account links: the last row of the page has the sum over all sites",
          "[contract][account]") {
  Accounts accounts;
  const auto token = token_of(accounts.ensure("name=Me"));
  const std::pair<const char*, const char*> visitors[] = {
      {"a.de", "1.1.1.1"}, {"a.de", "2.2.2.2"}, {"b.de", "1.1.1.1"}};
  for (const auto& [site, address] : visitors) {
    const std::string domain = site;
    REQUIRE(accounts.api
                .event(R"({"d":")" + domain + R"(","n":"pageview","u":"https://)" + domain + "/\"}",
                       {{"User-Agent", kFirefox}, {"X-Forwarded-For", address}})
                .status == 202);
  }
  // A visitor of both sites counts twice, because visitors are not recognised across sites.
  CHECK(has(accounts.open("@all", token),
            "<tr class=\"sum\"><th scope=\"row\">Together</th><td data-label=\"Now\">3</td>"));
  REQUIRE(accounts.api.send("DELETE", "/api/v1/sites/b.de").status == 200);
  CHECK(!has(accounts.open("@all", token), "Together"));
}

TEST_CASE("account links: deleting an account deletes its links", "[contract][account]") {
  Accounts accounts;
  auto third = accounts.client("third");
  const auto link = third.form("PUT", kLinks, "name=Me");
  CHECK(accounts.open("@all", token_of(link)).status == 200);
  CHECK(accounts.operate({"accounts", "delete", "third", "--confirm", "third"}).exit == 0);
  CHECK(accounts.open("@all", token_of(link)).status == 404);
  CHECK(accounts.daemon.query("SELECT count(*) FROM account_links") == "0");
}

TEST_CASE("summaries: the answer has the recent visitors, change and drops of each site",
          "[contract][account]") {
  Accounts accounts;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto send = [&](const std::string& address, std::chrono::seconds before) {
    const auto reply = accounts.api.event(
        pageview("/",
                 R"(,"timestamp":)" + std::to_string((now - before).time_since_epoch().count())),
        {{"User-Agent", kFirefox}, {"X-Forwarded-For", address}});
    REQUIRE(reply.status == 202);
  };
  using std::chrono::days;
  send("1.1.1.1", std::chrono::seconds(0));
  for (int i = 1; i <= 3; ++i) send("2.2.2." + std::to_string(i), days(2));
  for (int i = 1; i <= 2; ++i) send("3.3.3." + std::to_string(i), days(10));
  send("4.4.4.4", days(40));
  accounts.api.event(R"({"d":"b.de","n":"pageview","u":"https://b.de/"})",
                     {{"User-Agent", "Googlebot/2.1"}});
  // The answer depends on the day of the request.
  const auto is_next_day = [&] {
    return std::chrono::floor<days>(std::chrono::system_clock::now()) !=
           std::chrono::floor<days>(now);
  };
  CHECK(eventually([&] {
    const auto body = body_of(accounts.api.send("GET", "/api/v1/stats/sites"));
    return is_next_day() ||
           (body["sites"][1]["dropped_today"] == 1 && !body["sites"][0]["last_event_at"].is_null());
  }));
  const auto body = body_of(accounts.api.send("GET", "/api/v1/stats/sites"));
  if (is_next_day()) return;
  const auto& first = body["sites"][0];
  INFO(first.dump());
  CHECK(first["domain"] == "a.de");
  CHECK(first["current_visitors"] == 1);
  CHECK(first["visitors_7d"] == 3);
  CHECK(first["visitors_7d_before"] == 2);
  CHECK(first["change_7d"] == 50);
  CHECK(first["visitors_by_day"].size() == 30);
  CHECK(first["visitors_by_day"][28] == 3);
  CHECK(first["visitors_by_day"][20] == 2);
  CHECK(body["sites"][1]["last_event_at"].is_null());
  CHECK(body["sites"][1]["change_7d"].is_null());
  const auto page = body_of(accounts.api.send("GET", "/api/v1/stats/sites?limit=1"));
  CHECK(page["sites"].size() == 1);
  CHECK(body_of(accounts.api.send(
            "GET", "/api/v1/stats/sites?limit=1&after=" +
                       page["meta"]["after"].get<std::string>()))["sites"][0]["domain"] == "b.de");
  auto limited = accounts.client("acme", {"--site", "b.de"});
  CHECK(body_of(limited.send("GET", "/api/v1/stats/sites"))["sites"].size() == 1);
}

TEST_CASE("front: the service's home page explains what the service is", "[contract][account]") {
  Accounts accounts;
  const auto front = accounts.visitor.send("GET", "/");
  CHECK(front.status == 200);
  CHECK(front.header("Content-Type") == "text/html; charset=utf-8");
  CHECK(has(front, "analytics links ensure"));
}

}  // namespace analytics::test::account_test
