// Filters that the form of a shared page adds.
#include "tests/contract/share_fixture.h"

namespace analytics::test::share_filters_test {

TEST_CASE("share: the page's form adds a filter", "[contract][share]") {
  Shared shared;
  shared.visit("1.1.1.1", {{"10:00:00", "/blog/a"}}, "https://google.com/");
  shared.visit("2.2.2.2", {{"10:00:00", "/Blog/b"}});
  shared.visit("3.3.3.3", {{"10:00:00", "/docs"}});
  shared.event("3.3.3.3", "Signup", "10:01:00", R"("p":{"plan":"pro"},)");
  const auto visitors = [&](const std::string& by, const std::string& how,
                            const std::string& values, const std::string& more = "") {
    const auto page = shared.get(std::string(kDay) + "&filter_by=" + by + "&filter_how=" + how +
                                 "&filter_values=" + percent_encode(values) + more);
    const std::string before = "Visitors</span> <strong>";
    const auto at = page.body.find(before);
    return at == std::string::npos ? std::string("-") : page.body.substr(at + before.size(), 1);
  };
  CHECK(visitors("event:page", "is", "/docs") == "1");
  CHECK(visitors("event:page", "is", " /docs ||/blog/a|") == "2");
  // The visitor of /docs matches by a custom event on another page.
  CHECK(visitors("event:page", "is_not", "/docs") == "3");
  CHECK(visitors("event:page", "contains", "blog") == "2");
  CHECK(visitors("event:page", "contains_not", "BLOG") == "1");
  CHECK(visitors("event:page", "matches_wildcard", "/b*") == "1");
  CHECK(visitors("event:page", "matches_wildcard_not", "/b*") == "2");
  CHECK(visitors("event:props", "is", "pro", "&filter_key=plan") == "1");
  CHECK(visitors("visit:source", "is", "Direct / None") == "2");
  CHECK(visitors("event:page", "is", " | ") == "3");  // no value, so no filter
  // The new filter is added to those of the URL, and all links of the page have it.
  const auto filters = "&filters=" + percent_encode(R"([["is","visit:source",["Google"]]])");
  CHECK(visitors("event:page", "contains", "blog", filters) == "1");
  const auto page = shared.get(std::string(kDay) + filters +
                               "&filter_by=event:page&filter_how=is&filter_values=/blog/a");
  CHECK(has(page, "source is Google"));
  CHECK(has(page, "page is /blog/a"));
  CHECK(page.body.find("filter_by=") == std::string::npos);
  CHECK(has(page, "%22event%3Apage%22%2C%5B%22%2Fblog%2Fa%22%5D"));
  for (const auto& wrong : {std::pair("nonsense", "is"), std::pair("event:page", "has_done"),
                            std::pair("event:props", "is"), std::pair("event:goal", "is"),
                            std::pair("time:day", "is")}) {
    INFO(wrong.first);
    CHECK(has(shared.get(std::string("&filter_values=x&filter_by=") + wrong.first +
                         "&filter_how=" + wrong.second),
              "The filters are not valid: "));
  }
  CHECK(has(shared.get("&filter_values=x&filter_by=event:props&filter_how=is"),
            "a property needs its name"));
}

TEST_CASE("share: a limited link hides funnels with a step outside its filter",
          "[contract][share]") {
  Shared shared;
  const auto funnel = [&](const std::string& name, const std::string& steps) {
    REQUIRE(shared.api
                .form("PUT", "/api/v1/sites/funnels",
                      "site_id=a.de&name=" + name + "&steps=" + percent_encode(steps))
                .status == 200);
  };
  funnel("Shop", R"([{"page":"/blog/**"},{"event":"SecretOrder"}])");
  funnel("Read", R"([{"page":"/blog/a"},{"page":"/blog/b"}])");
  shared.visit("1.1.1.1", {{"10:00:00", "/blog/a"}, {"10:01:00", "/blog/b"}});
  shared.event("1.1.1.1", "SecretOrder", "10:02:00");
  const auto csv = [&] { return shared.get(std::string(kDay) + "&panel=funnels", "/csv").body; };
  const auto all = shared.get(kDay);
  CHECK(has(all, "SecretOrder"));
  shared.make_link("&filters=" +
                   percent_encode(R"([["matches_wildcard","event:page",["/blog/**"]]])"));
  const auto limited = shared.get(kDay);
  CHECK(has(limited, "Visit /blog/b"));
  CHECK(!has(limited, "SecretOrder"));
  CHECK(!has(limited, "Shop"));
  CHECK(csv().find("Visit /blog/b,1,100") != std::string::npos);
  // A condition on goals means the site's goals, never the steps of funnels.
  shared.make_link("&filters=" + percent_encode(R"([["contains","event:goal",["e"]]])"));
  CHECK(!has(shared.get(kDay), "SecretOrder"));
}

TEST_CASE("share: a filter can exclude the visitors who met a goal", "[contract][share]") {
  Shared shared;
  shared.goal("goal_type=event&event_name=Signup");
  shared.visit("1.1.1.1", {{"10:00:00", "/"}});
  shared.visit("2.2.2.2", {{"10:00:00", "/"}});
  shared.visit("3.3.3.3", {{"10:00:00", "/"}});
  shared.event("3.3.3.3", "Signup", "10:01:00", "");
  for (const auto& [how, text] :
       {std::pair("is_not", "goal is Signup"), std::pair("contains_not", "goal contains Signup"),
        std::pair("matches_wildcard_not", "goal matches Signup")}) {
    INFO(how);
    const auto page = shared.get(std::string(kDay) + "&filter_by=event:goal&filter_how=" + how +
                                 "&filter_values=Signup");
    CHECK(has(page, "Visitors</span> <strong>2</strong>"));
    CHECK(has(page, std::string("visits without ") + text));
  }
}

TEST_CASE("share: a filter on pages adds time on page and scroll depth", "[contract][share]") {
  Shared shared;
  shared.visit("1.1.1.1", {{"10:00:00", "/"}});
  shared.event("1.1.1.1", "engagement", "10:01:00", R"("e":40000,"sd":30,)");
  CHECK(has(shared.get(kDay), "Visit duration</span>"));
  CHECK_FALSE(has(shared.get(kDay), "Time on page</span>"));
  const auto page = shared.get(
      kDay + ("&metric=time_on_page&filters=" + percent_encode(R"([["is","event:page",["/"]]])")));
  CHECK(has(page, "Time on page</span> <strong>40s</strong>"));
  CHECK(has(page, "Scroll depth</span> <strong>30%</strong>"));
  CHECK_FALSE(has(page, "Visit duration</span>"));
  CHECK(has(page, "<title>10:00: 40s</title>"));
}

TEST_CASE("share: an hourly rate refers to the visitors of that hour", "[contract][share]") {
  Shared shared;
  shared.goal("goal_type=event&event_name=Buy");
  shared.visit("1.1.1.1", {{"10:00:00", "/"}});
  shared.visit("2.2.2.2", {{"10:00:00", "/"}});
  shared.visit("3.3.3.3", {{"12:00:00", "/"}});
  shared.visit("4.4.4.4", {{"12:00:00", "/"}});
  shared.event("1.1.1.1", "Buy", "10:01:00", "");
  const auto goal = "&filters=" + percent_encode(R"([["is","event:goal",["Buy"]]])");
  const auto csv = shared.get(kDay + goal, "/csv").body;
  CHECK(csv.starts_with("time,visitors,events,conversion_rate,"));
  CHECK(csv.find("2026-11-20 10:00:00,1,1,50,") != std::string::npos);
  CHECK(csv.find("2026-11-20 12:00:00,0,0,0,") != std::string::npos);
  const auto page = shared.get(kDay + ("&metric=conversion_rate" + goal));
  CHECK(has(page, "<strong>25%</strong>"));
  CHECK(has(page, "<title>10:00: 50%</title>"));
}

TEST_CASE("share: a chart of several currencies shows the one that most bars have",
          "[contract][share]") {
  Shared shared;
  shared.goal("goal_type=event&event_name=Buy");
  const auto buy = [&](const char* time, const char* amount, const char* currency) {
    shared.event("1.1.1.1", "Buy", time,
                 std::string(R"("revenue":{"amount":")") + amount + R"(","currency":")" + currency +
                     R"("},)");
  };
  buy("10:00:00", "5", "USD");
  buy("10:01:00", "20", "EUR");
  buy("12:00:00", "40", "EUR");
  const auto page = shared.get(kDay + ("&metric=total_revenue&filters=" +
                                       percent_encode(R"([["is","event:goal",["Buy"]]])")));
  CHECK(has(page, "<h2>Revenue in EUR</h2>"));
  CHECK(has(page, "<title>10:00: €20.00, $5.00</title>"));
  CHECK(has(page, "height=\"100\"/><title>10:00:"));
  CHECK(has(page, "height=\"200\"/><title>12:00:"));
}

}  // namespace analytics::test::share_filters_test
