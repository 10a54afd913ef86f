// The terms of shared links: password, expiry, filters, first period and framing; and embedding.
#include <csignal>

#include "common/io/decompress.h"
#include "tests/contract/share_fixture.h"

namespace analytics::test::link_terms_test {

namespace {

constexpr char kLinks[] = "/api/v1/sites/shared-links";
constexpr char kAccountLinks[] = "/api/v1/account/shared-links";
constexpr char kForm[] = "application/x-www-form-urlencoded";

struct Terms : Shared {
  using Shared::Shared;
  HttpReply ensure(const std::string& terms) {
    return api.form("PUT", kLinks, "site_id=a.de&name=x&" + terms);
  }
  HttpReply unlock(const std::string& password, const std::string& parameters = "") {
    return visitor.send("POST", path + "?auth=" + token + parameters, "password=" + password,
                        kForm);
  }
  /// Requests the page with a cookie.
  HttpReply get_with(const std::string& cookie, const std::string& below = "") {
    return visitor.send("GET", path + below + "?auth=" + token + kDay, "", "",
                        {{"Cookie", "other=1; " + cookie}});
  }
  static std::string cookie_of(const HttpReply& reply) {
    const auto field = std::string(reply.header("Set-Cookie"));
    return field.substr(0, field.find(';'));
  }
};

bool may_be_framed_by(const HttpReply& page, const std::string& who) {
  const auto policy = std::string(page.header("Content-Security-Policy"));
  INFO(policy);
  return policy.ends_with("frame-ancestors " + who);
}

}  // namespace

TEST_CASE("link terms: absent fields keep a term, empty ones remove it, wrong ones are refused",
          "[contract][share]") {
  Terms shared;
  const auto plain = shared.ensure("");
  CHECK(body_of(plain).size() == 2);  // a link without terms has only these two members
  const auto made = shared.ensure(
      "password=correct+horse&expires_at=2031-01-31&period=7d&frame_ancestors=https://b.example"
      "&filters=%5B%5B%22is%22,%22event:page%22,%5B%22/a%22%5D%5D%5D");
  INFO(made.body);
  CHECK(made.header("X-Analytics-Outcome") == "updated");
  const auto link = body_of(made);
  CHECK(link["url"] == body_of(plain)["url"]);
  CHECK(link["has_password"] == true);
  CHECK(link["expires_at"] == "2031-01-31T00:00:00Z");
  CHECK(link["filters"] == nlohmann::json::parse(R"([["is","event:page",["/a"]]])"));
  CHECK(link["period"] == "7d");
  CHECK(link["frame_ancestors"] == "https://b.example");
  CHECK(made.body.find("argon2") == std::string::npos);
  // Setting the same terms again, including the password, changes nothing.
  CHECK(shared.ensure("password=correct+horse&period=7d").header("X-Analytics-Outcome") ==
        "unchanged");
  CHECK(body_of(shared.api.send("GET", std::string(kLinks) + "?site_id=a.de"))["shared_links"][0] ==
        link);
  const auto none = shared.ensure("password=&expires_at=&filters=&period=&frame_ancestors=");
  CHECK(none.body == plain.body);
  CHECK(none.header("X-Analytics-Outcome") == "updated");
  for (const auto* wrong :
       {"password=short", "expires_at=tomorrow", "period=5d", "frame_ancestors=b.example",
        "frame_ancestors=https://b.example;+script-src+*", "filters=x", "filters=%7B%7D",
        "filters=%5B%5B%22is%22,%22event:goal%22,%5B%22none%22%5D%5D%5D"}) {
    INFO(wrong);
    CHECK(code_of(shared.ensure(wrong)) == "400 invalid_parameter");
  }
  // In JSON the filters are a list.
  const auto json = shared.api.json("PUT", kLinks,
                                    R"({"site_id":"a.de","name":"j","period":"all",)"
                                    R"("filters":[["is","event:page",["/b"]]]})");
  CHECK(body_of(json)["filters"][0][2][0] == "/b");
  // The log shows which terms changed, but no password.
  const auto log = shared.daemon.end();
  CHECK(log.find("period=7d") != std::string::npos);
  CHECK(log.find("correct") == std::string::npos);
}

TEST_CASE("link terms: an expired link opens nothing", "[contract][share]") {
  Terms shared;
  CHECK(shared.get().status == 200);
  REQUIRE(shared.ensure("expires_at=2020-01-01T00:00:00Z").status == 200);
  for (const auto* below : {"", "/csv", "/current"}) {
    CHECK(shared.get("", below).status == 404);
  }
  CHECK(shared.unlock("whatever1").status == 404);
  REQUIRE(shared.ensure("expires_at=").status == 200);
  CHECK(shared.get().status == 200);
}

TEST_CASE("link terms: a password gives access for a day, or until it changes",
          "[contract][share]") {
  Terms shared;
  REQUIRE(shared.ensure("password=correct+horse").status == 200);
  shared.visit("1.1.1.1", {{"10:00:00", "/secret-page"}});
  const auto form = shared.get();
  CHECK(form.status == 403);
  CHECK(has(form, "<form method=\"post\" action=\"/share/a.de?auth=" + shared.token));
  CHECK(form.header("Cache-Control") == "no-store");
  for (const auto* below : {"/csv", "/current"}) CHECK(shared.get("", below).status == 403);
  CHECK(shared.unlock("wrong+horse").status == 403);
  CHECK(shared.unlock("").status == 403);
  const auto right = shared.unlock("correct+horse", "&period=7d");
  CHECK(right.status == 303);
  CHECK(right.header("Location") == "/share/a.de?auth=" + shared.token + "&period=7d");
  const auto cookie = std::string(right.header("Set-Cookie"));
  INFO(cookie);
  CHECK(cookie.find("; Path=/share/a.de; Max-Age=86400; HttpOnly; SameSite=Lax") !=
        std::string::npos);
  CHECK(cookie.find("Secure") == std::string::npos);  // base_url is http
  const auto key = shared.cookie_of(right);
  const auto page = shared.get_with(key);
  CHECK(page.status == 200);
  CHECK(has(page, "/secret-page"));
  CHECK(may_be_framed_by(page, "'none'"));
  CHECK(shared.get_with(key, "/csv").status == 200);
  CHECK(shared.get_with(key, "/current").status == 200);
  // A cookie with a later expiry or a truncated one is refused.
  const auto dot = key.find('.');
  const auto equals = key.find('=');
  CHECK(shared.get_with(key.substr(0, equals + 1) + "9999999999" + key.substr(dot)).status == 403);
  CHECK(shared.get_with(key.substr(0, key.size() - 1)).status == 403);
  CHECK(shared.get_with(key.substr(0, equals + 1)).status == 403);
  // The cookie survives a restart. Every change of the password ends it, even one back to the same
  // password.
  CHECK(shared.daemon.stop(SIGTERM) == 0);
  shared.daemon.start();
  CHECK(shared.get_with(key).status == 200);
  REQUIRE(shared.ensure("password=another+horse").status == 200);
  CHECK(shared.get_with(key).status == 403);
  REQUIRE(shared.ensure("password=correct+horse").status == 200);
  CHECK(shared.get_with(key).status == 403);
  REQUIRE(shared.ensure("password=").status == 200);
  CHECK(shared.get_with("none").status == 200);
  CHECK(shared.daemon.query("SELECT count(*) FROM shared_links WHERE password != ''") == "0");
}

TEST_CASE("link terms: after ten wrong passwords in a minute none is compared",
          "[contract][share]") {
  Terms shared;
  REQUIRE(shared.ensure("password=correct+horse").status == 200);
  int wrong = 0;
  HttpReply last;
  for (int i = 0; i < 40 && last.status != 429; ++i) {
    last = shared.unlock("wrong+horse");
    if (last.status == 403) ++wrong;
  }
  CHECK(last.status == 429);
  CHECK(wrong >= 10);
  CHECK(!last.header("Retry-After").empty());
  CHECK(has(last, "Too many tries"));
  // The limit does not apply to another link.
  const auto other = shared.api.form("PUT", kLinks, "site_id=a.de&name=y&password=correct+horse");
  const auto url = body_of(other)["url"].get<std::string>();
  const auto opened =
      shared.visitor.send("POST", url.substr(url.find("/share")), "password=correct+horse", kForm);
  CHECK(opened.status == 303);
}

TEST_CASE("link terms: the password of an account's link opens all its pages",
          "[contract][share]") {
  Terms shared;
  const auto made = shared.api.form("PUT", kAccountLinks, "name=Me&password=correct+horse");
  const auto url = body_of(made)["url"].get<std::string>();
  const auto all = url.substr(url.find("/share"));
  const auto query = all.substr(all.find('?'));
  CHECK(code_of(shared.api.form(
            "PUT", kAccountLinks,
            "name=Me&filters=%5B%5B%22is%22,%22event:page%22,%5B%22/%22%5D%5D%5D")) ==
        "400 invalid_parameter");
  CHECK(shared.visitor.send("GET", all).status == 403);
  CHECK(shared.visitor.send("GET", "/share/a.de" + query).status == 403);
  const auto right = shared.visitor.send("POST", all, "password=correct+horse", kForm);
  CHECK(right.status == 303);
  CHECK(std::string(right.header("Set-Cookie")).find("; Path=/share; ") != std::string::npos);
  const Headers cookie{{"Cookie", shared.cookie_of(right)}};
  CHECK(shared.visitor.send("GET", all, "", "", cookie).status == 200);
  CHECK(shared.visitor.send("GET", "/share/a.de" + query, "", "", cookie).status == 200);
}

TEST_CASE("link terms: filters apply to all numbers, whatever the URL says", "[contract][share]") {
  Terms shared;
  shared.goal("goal_type=event&event_name=Buy");
  shared.visit("1.1.1.1", {{"10:00:00", "/blog/a"}, {"10:01:00", "/private"}});
  shared.visit("2.2.2.2", {{"10:00:00", "/private"}});
  shared.visit("3.3.3.3", {{"10:00:00", "/private"}});
  const auto filter = [&](const std::string& json) {
    const auto made = shared.ensure("filters=" + percent_encode(json));
    INFO(made.body);
    REQUIRE(made.status == 200);
  };
  filter(R"([["is","event:page",["/blog/a"]]])");
  const auto tile = [&](const std::string& parameters) {
    const auto page = shared.get(kDay + parameters).body;
    INFO(page);
    const auto at = page.find("Visitors</span> <strong>");
    REQUIRE(at != std::string::npos);
    return page.substr(at + 24, page.find('<', at + 24) - at - 24);
  };
  CHECK(tile("") == "1");
  const auto page = shared.get(kDay);
  CHECK(has(page, "page is /blog/a"));
  CHECK(!has(page, "/private"));
  for (const auto* around : {"&filters=", "&filters=[]", "&filters=%5B%5D",
                             "&filters=%5B%5B%22is%22,%22event:page%22,%5B%22/blog/a%22,"
                             "%22/private%22%5D%5D%5D"}) {
    INFO(around);
    CHECK(tile(around) == "1");
  }
  const auto csv = shared.get(std::string(kDay) + "&panel=pages&filters=%5B%5D", "/csv");
  CHECK(csv.status == 200);
  CHECK(has(csv, "/blog/a"));
  CHECK(!has(csv, "/private"));
  // The number of current visitors is filtered, too.
  for (const auto* of : {"blog/a", "private"}) {
    shared.api.event(
        pageview("/" + std::string(of)),
        {{"User-Agent", kFirefox}, {"X-Forwarded-For", "9.9.9." + std::to_string(of[0])}});
  }
  CHECK(shared.get("", "/current").body == "1");
  // If the goal of its filter is deleted, the link shows nothing instead of everything.
  filter(R"([["is","event:goal",["Buy"]]])");
  CHECK(shared.get(kDay).body.find("/private") == std::string::npos);
  const auto goals = body_of(shared.api.send("GET", "/api/v1/sites/goals?site_id=a.de"));
  shared.api.form("DELETE", "/api/v1/sites/goals/" + goals["goals"][0]["id"].get<std::string>(),
                  "site_id=a.de");
  const auto broken = shared.get(kDay);
  CHECK(has(broken, "The filters of this link are no longer valid"));
  CHECK(!has(broken, "/private"));
  CHECK(shared.get("", "/current").status == 400);
  CHECK(shared.get(std::string(kDay) + "&panel=pages", "/csv").status == 400);
}

TEST_CASE("link terms: a rate refers to the visitors that the link shows", "[contract][share]") {
  Terms shared;
  shared.goal("goal_type=event&event_name=Buy");
  const auto buy = [&](const std::string& address, const std::string& plan) {
    const auto more = R"(,"timestamp":"2026-11-20T10:00:00Z","p":{"plan":")" + plan + R"("})";
    shared.api.event(event_body("Buy", "/", more),
                     {{"User-Agent", kFirefox}, {"X-Forwarded-For", address}});
  };
  buy("1.1.1.1", "pro");
  buy("2.2.2.2", "free");
  shared.visit("3.3.3.3", {{"10:00:00", "/"}});
  REQUIRE(
      shared.ensure("filters=" + percent_encode(R"([["is","event:props:plan",["pro"]]])")).status ==
      200);
  const auto goal = percent_encode(R"([["is","event:goal",["Buy"]]])");
  const auto page = shared.get(kDay + ("&filters=" + goal));
  CHECK(has(page, "<strong>100%"));  // the rate among the visitors that the link shows
}

TEST_CASE("link terms: an exit rate refers to the pageviews that the link shows",
          "[contract][share]") {
  Terms shared;
  shared.visit("1.1.1.1", {{"10:00:00", "/a"}});
  shared.visit("2.2.2.2", {{"10:00:00", "/a"}, {"10:01:00", "/b"}});
  REQUIRE(
      shared.ensure("filters=" + percent_encode(R"([["is","visit:exit_page",["/a"]]])")).status ==
      200);
  const auto csv = shared.get(std::string(kDay) + "&panel=pages&pages=exit&more=pages", "/csv");
  CHECK(has(csv, "/a,1,100,1,100"));  // not 50, which would reveal the other visit
}

TEST_CASE("link terms: a link sets the first period and the sites that may frame the page",
          "[contract][share]") {
  Terms shared;
  CHECK(may_be_framed_by(shared.get(), "'none'"));
  REQUIRE(
      shared.ensure("period=12mo&frame_ancestors=https://b.example,+https://*.c.example").status ==
      200);
  const auto page = shared.get();
  CHECK(may_be_framed_by(page, "https://b.example https://*.c.example"));
  CHECK(has(page, "<title>a.de – 12 months</title>"));
  CHECK(has(shared.get("&period=7d"), "<title>a.de – 7 days</title>"));
}

TEST_CASE("share: a compressed page is equal to the plain one", "[contract][share]") {
  Terms shared;
  shared.visit("1.1.1.1", {{"10:00:00", "/packed"}});
  const auto made = shared.api.form("PUT", kAccountLinks, "name=Me");
  const auto url = body_of(made)["url"].get<std::string>();
  for (const auto& path :
       {shared.path + "?auth=" + shared.token + kDay, url.substr(url.find("/share"))}) {
    const auto packed =
        shared.visitor.send("GET", path, "", "", {{"Accept-Encoding", "gzip;q=0.8, br"}});
    CHECK(packed.header("Content-Encoding") == "gzip");
    const auto plain = shared.visitor.send("GET", path);
    CHECK(plain.header("Content-Encoding").empty());
    CHECK(plain.header("Vary") == "Accept-Encoding");
    const auto unpacked = decompress(packed.body, ContentCoding::kGzip, 1'000'000);
    REQUIRE(unpacked);
    CHECK(*unpacked == plain.body);
    CHECK(packed.body.size() < plain.body.size());
  }
}

TEST_CASE("embedding: the URL sets the theme, the background and the layout without menus",
          "[contract][share]") {
  Terms shared;
  shared.visit("1.1.1.1", {{"10:00:00", "/"}});
  const auto plain = shared.get();
  CHECK(!has(plain, "data-theme"));
  const auto page = shared.get("&embed=true&theme=dark&background=%23fF0011");
  CHECK(has(page, "<html lang=\"en\" data-theme=\"dark\">"));
  CHECK(has(page, "href=\"/assets/background.css?color=%23ff0011\""));
  CHECK(has(page, "class=\"embedded\""));
  // The links on the embedded page keep the parameters of the frame.
  CHECK(has(page, "&amp;embed=true&amp;theme=dark"));
  CHECK(!has(shared.get("&embed=true&theme=system"), "data-theme"));
  CHECK(!has(shared.get("&background=red;}"), "background.css"));
  const auto sheet = shared.visitor.send("GET", "/assets/background.css?color=%23ff0011");
  CHECK(sheet.status == 200);
  CHECK(sheet.body == "html,body{background:#ff0011}");
  CHECK(shared.visitor.send("GET", "/assets/background.css?color=transparent").body ==
        "html,body{background:transparent}");
  for (const auto* wrong : {"", "red", "%23ff001", "%23ff0011%7D*%7B"}) {
    CHECK(shared.visitor.send("GET", std::string("/assets/background.css?color=") + wrong).status ==
          404);
  }
  const auto script = shared.visitor.send("GET", "/js/embed.host.js");
  CHECK(script.status == 200);
  CHECK(has(script, "analyticsHeight"));
}

}  // namespace analytics::test::link_terms_test
