// Tests exports of services that collect events of any kind, in the forms that their vendors
// document, including records that are not an event, a sale or a page.
#include "tests/cli/replay/formats/read_lines.h"

namespace analytics::test::exports_events_test {

using namespace analytics::cli;
using namespace analytics::cli::test;

namespace {

std::string posthog(const std::string& event, const std::string& properties,
                    const std::string& more = "") {
  return R"({"uuid":"e1","event":")" + event + R"(","distinct_id":"d",)" + more +
         R"("timestamp":"2025-06-01T08:00:00Z","properties":{"$host":"a.de",)" + properties + "}}";
}

std::string segment(const std::string& call) {
  return R"({"messageId":"m","anonymousId":"a","timestamp":"2025-06-01T08:00:00Z",)" + call + "}";
}

std::string order(const std::string& event) {
  return segment(R"("type":"track","event":")" + event +
                 R"(","properties":{"revenue":25,"currency":"EUR"})");
}

std::string ga4(const std::string& event, const std::string& params, const std::string& more = "") {
  return R"({"event_name":")" + event +
         R"(","event_timestamp":"1748764800123456","user_pseudo_id":"1.2",)" + more +
         R"("event_params":[{"key":"page_location","value":{"string_value":"https://a.de/x"}})" +
         params + "]}";
}

std::string param(const std::string& key, const std::string& value) {
  return R"(,{"key":")" + key + R"(","value":{"string_value":")" + value + R"("}})";
}

EventPayload one(const std::string& line) {
  return event_of(read_all({line}, options("a.de")).at(0));
}

/// Returns the revenue in millionths and its currency, such as "25000000 EUR"; "none" without
/// revenue.
std::string money_of(const EventPayload& event) {
  if (!event.revenue) return "none";
  return std::to_string(event.revenue->micros) + " " + event.revenue->currency;
}

bool is_filtered(const std::string& line) {
  return std::holds_alternative<Filtered>(read_all({line}, options("a.de")).at(0));
}

std::map<std::string, std::string> snowplow(const std::string& event) {
  return {{"collector_tstamp", "2025-06-01 08:00:00"},
          {"event", event},
          {"domain_userid", "d"},
          {"page_url", "https://a.de/x"}};
}

}  // namespace

TEST_CASE("exports: PostHog's own CSV has a column for each property", "[replay][exports]") {
  const auto read = read_all(
      {"distinct_id,event,id,person,properties.$browser,properties.$current_url,properties.plan,"
       "timestamp",
       "2,$pageview,e9ca,,Safari,https://a.de/x,pro,2022-07-06T19:37:43.095295+00:00"},
      options("a.de"));
  const auto page = event_of(read.at(0));
  CHECK(page.name == kPageview);
  CHECK(page.url == "https://a.de/x");
  CHECK(page.derived.browser == "Safari");
  CHECK(page.props == std::vector<Property>{{"plan", "pro"}});
  CHECK(page.id == "e9ca");
}

TEST_CASE("exports: an answer of PostHog's API is divided into its events", "[replay][exports]") {
  const auto page = posthog("$pageview", R"("$current_url":"https://a.de/1")");
  const auto read = read_parts_of(R"({"next":"https://p.example/?after=1","results":[)" + page +
                                      "," + posthog("$identify", "\"x\":1") + "]}",
                                  options(), "posthog");
  REQUIRE(read.size() == 2);
  CHECK(event_of(read[0]).url == "https://a.de/1");
  CHECK(std::holds_alternative<Filtered>(read[1]));
  CHECK(is_filtered(R"({"event":"x","distinct_id":"d","properties":{},"results":[]})"));
  std::string list = R"({"results":[)" + page;
  for (int i = 0; i < 10'000; ++i) list += ",{}";
  const auto refused = read_all({list + "]}"}, options(), "posthog");
  CHECK(std::get<Error>(refused.at(0)).message ==
        "The record holds no list of events, or one of more than 10000.");
}

TEST_CASE("exports: PostHog reports engagement when a page is left or with the next page",
          "[replay][exports]") {
  const std::string left = R"("$prev_pageview_pathname":"/one","$prev_pageview_duration":42.5,)"
                           R"("$prev_pageview_max_scroll_percentage":0.8)";
  const auto engagement = one(posthog("$pageleave", left));
  CHECK(engagement.name == kEngagement);
  CHECK(engagement.url == "https://a.de/one");
  CHECK(engagement.engagement == Engagement{42'500, 80});
  CHECK(is_filtered(posthog("$pageleave", "\"x\":1")));
  const auto parts = read_parts_of(
      posthog("$pageview", R"("$current_url":"https://a.de/two",)" + left), options(), "posthog");
  REQUIRE(parts.size() == 2);
  CHECK(event_of(parts[0]).url == "https://a.de/one");
  CHECK(event_of(parts[0]).engagement.millis == 42'500);
  CHECK(event_of(parts[1]).name == kPageview);
  CHECK(event_of(parts[1]).url == "https://a.de/two");
  CHECK(event_of(parts[0]).id != event_of(parts[1]).id);
  const auto answer = R"({"results":[)" +
                      posthog("$pageview", R"("$current_url":"https://a.de/two",)" + left) + "]}";
  CHECK(read_parts_of(answer, options(), "posthog").size() == 2);
}

TEST_CASE("exports: PostHog's ids identify the visitor, and PostHog's own events are filtered",
          "[replay][exports]") {
  const auto visitor = [](const std::string& more, const std::string& properties) {
    return one(posthog("Sign up", properties, more)).visitor;
  };
  const std::string nobody = R"("person_id":"00000000-0000-0000-0000-000000000000",)";
  CHECK(visitor(R"("person_id":"p",)", R"("$device_id":"x")") ==
        visitor(R"("person_id":"p",)", R"("$device_id":"y")"));
  CHECK(visitor(nobody, R"("$device_id":"x")") != visitor(nobody, R"("$device_id":"y")"));
  // Without a person and a device, distinct_id identifies the visitor.
  CHECK(visitor(nobody, R"("plan":"x")") == visitor("", R"("plan":"y")"));
  const auto survey = one(posthog("survey completed", R"("title":"The film")"));
  CHECK(survey.props == std::vector<Property>{{"title", "The film"}});
  CHECK(is_filtered(posthog("survey sent", "\"x\":1")));
  const auto paid = one(posthog("Pay", R"("revenue":5,"$ip":"192.0.2.1","$browser":"Chrome iOS",)"
                                       R"("$device_type":"Mobile")"));
  CHECK(money_of(paid) == "5000000 USD");
  CHECK(paid.ip == "192.0.2.1");
  CHECK(paid.derived.browser == "Chrome");
  const auto device = one(posthog("Pay", R"("$device_id":"dev9","device":"dev9","by":"d")"));
  CHECK(device.props.empty());
  CHECK(paid.derived.device == "Mobile");
}

TEST_CASE("exports: only one of the calls about an order is the sale", "[replay][exports]") {
  CHECK(money_of(one(order("Order Completed"))) == "25000000 EUR");
  for (const auto* event : {"Checkout Started", "Order Updated", "Order Cancelled"}) {
    const auto call = one(order(event));
    CHECK_FALSE(call.revenue.has_value());
    CHECK(call.props == std::vector<Property>{{"currency", "EUR"}, {"revenue", "25"}});
  }
  const auto unread =
      one(segment(R"("type":"track","event":"Pay","properties":{"revenue":"$12"})"));
  CHECK(unread.props == std::vector<Property>{{"revenue", "$12"}});
}

TEST_CASE("exports: the campaign, page and time of a call are read from several places",
          "[replay][exports]") {
  const auto page =
      one(segment(R"("type":"Page","context":{"campaign":{"source":"google","medium":"cpc",)"
                  R"("name":"Brand"},"os":{"name":"iOS","version":"17"}},"properties":{"url":)"
                  R"("https://a.de/g?utm_medium=own"})"));
  CHECK(page.name == kPageview);
  CHECK(page.url == "https://a.de/g?utm_medium=own&utm_source=google&utm_campaign=Brand");
  CHECK(page.derived.os == "iOS");
  CHECK(one(segment(R"("type":"page","properties":{"url":"www.b.example/x"})")).url ==
        "https://www.b.example/x");
  CHECK(one(segment(R"("type":"page","properties":{"url":"a.de/x"})")).url == "https://a.de/x");
  CHECK(one(segment(R"("type":"page","properties":{"url":"file:///C:/x.html"})")).url ==
        "file:///C:/x.html");
  CHECK(one(R"({"type":"page","message_id":"m","userId":"u","timestamp":"soon",)"
            R"("originalTimestamp":"2025-06-01T08:00:00Z","properties":{"path":"/x"}})")
            .timestamp == parse_rfc3339("2025-06-01T08:00:00Z"));
  const auto nameless = read_all({segment(R"("type":"page","name":"Pricing")")}, options("a.de"));
  CHECK(std::get<Error>(nameless.at(0)).message == "The pageview has neither a URL nor a path.");
}

TEST_CASE("exports: the body of a batch is divided into its calls", "[replay][exports]") {
  const std::string calls =
      R"("batch":[{"type":"page","userId":"u","timestamp":"2025-06-01T08:00:00Z",)"
      R"("context":{"library":{"name":"x"}},"properties":{"url":"https://a.de/1"}},)"
      R"({"type":"identify","userId":"u"}],)"
      R"("context":{"locale":"de"},"sentAt":"2025-06-01T08:00:01Z","writeKey":"K")";
  const auto copy =
      R"({"userId":"","createdAt":"x","payload":{)" + calls + R"(,"requestIP":"192.0.2.1"}})";
  for (const auto& body : {"{" + calls + "}", copy}) {
    const auto read = read_parts_of(body, options(), "segment");
    REQUIRE(read.size() == 2);
    CHECK(event_of(read[0]).url == "https://a.de/1");
    CHECK(event_of(read[0]).derived.language == "de");
    CHECK(std::holds_alternative<Filtered>(read[1]));
  }
  CHECK(event_of(read_parts_of(copy, options(), "segment")[0]).ip == "192.0.2.1");
}

TEST_CASE("exports: an object with a type and a url is not read as a call", "[replay][exports]") {
  const auto own = open_reader("auto",
                               R"({"type":"page","user_id":"7","url":"https://a.de/x",)"
                               R"("timestamp":"2025-06-01T08:00:00Z"})",
                               options());
  REQUIRE(own);
  CHECK(own->format == "json");
}

TEST_CASE("exports: Google Analytics 4's campaign parameters are added to the URL",
          "[replay][exports]") {
  const auto collected = one(ga4("page_view", param("source", "other"),
                                 R"("collected_traffic_source":{"manual_source":"letter",)"
                                 R"("manual_medium":"email","manual_campaign_name":"july"},)"));
  CHECK(collected.url == "https://a.de/x?utm_source=letter&utm_medium=email&utm_campaign=july");
  CHECK(one(ga4("page_view", param("source", "news") + param("campaign", "(not set)"))).url ==
        "https://a.de/x?utm_source=news");
  const auto own = one(ga4("cta", param("source", "footer")));
  CHECK(own.url == "https://a.de/x");
  CHECK(own.props == std::vector<Property>{{"source", "footer"}});
  CHECK(one(ga4("page_view", param("source", "google") + param("medium", "organic"))).url ==
        "https://a.de/x");
}

TEST_CASE(
    "exports: Google Analytics 4's own events are filtered, and engagement and sales are read",
    "[replay][exports]") {
  CHECK(is_filtered(ga4("sign_up", "", R"("platform":"ANDROID",)")));
  const auto read = one(ga4("user_engagement", param("engagement_time_msec", "29000")));
  CHECK(read.name == kEngagement);
  CHECK(read.engagement == Engagement{29'000, std::nullopt});
  CHECK(one(ga4("scroll", param("percent_scrolled", "90"))).engagement.scroll_depth == 90);
  CHECK(is_filtered(ga4("user_engagement", "")));
  const auto sale = one(ga4("purchase", param("firebase_screen_class", "x") + param("plan", "p"),
                            R"("ecommerce":{"purchase_revenue":"16.0",)"
                            R"("purchase_revenue_in_usd":"17.5"},"device":{"category":"mobile",)"
                            R"("operating_system":"Macintosh","operating_system_version":)"
                            R"("Macintosh Intel 11.1","web_info":{"browser":"<Other>"}},)"));
  CHECK(money_of(sale) == "17500000 USD");
  CHECK(sale.props == std::vector<Property>{{"plan", "p"}});
  CHECK(sale.derived.os_version == "11.1");
  CHECK(sale.derived.device == "Mobile");
  CHECK_FALSE(sale.derived.browser.has_value());
}

TEST_CASE("exports: Snowplow's fields have no escapes", "[replay][exports]") {
  auto click = snowplow("unstruct");
  click["unstruct_event"] =
      R"({"schema":"iglu:x/unstruct_event/jsonschema/1-0-0","data":{"schema":)"
      R"("iglu:com.example/link_click/jsonschema/1-0-1","data":{"text":"Buy \"now\"",)"
      R"("path":"C:\\tmp"}}})";
  const auto event = one(snowplow_line(click));
  CHECK(event.name == "link_click");  // event_name is empty in older rows
  CHECK(event.props == std::vector<Property>{{"path", "C:\\tmp"}, {"text", "Buy \"now\""}});
  auto structured = snowplow("struct");
  structured["se_action"] = "C:\\temp";
  structured["se_property"] = "NULL";
  CHECK(one(snowplow_line(structured)).name == "C:\\temp");
  CHECK(one(snowplow_line(structured)).props == std::vector<Property>{{"property", "NULL"}});
}

TEST_CASE("exports: Snowplow's campaigns, sales, pages and engagement are read",
          "[replay][exports]") {
  auto page = snowplow("page_view");
  page["page_url"] = "https://a.de?src=news";
  page["page_urlpath"] = "/l";
  page["mkt_source"] = "news";
  page["mkt_campaign"] = "may";
  CHECK(one(snowplow_line(page)).url == "https://a.de/l?src=news&utm_source=news&utm_campaign=may");
  auto ping = snowplow("page_ping");
  ping["pp_yoffset_max"] = "700";
  ping["br_viewheight"] = "500";
  ping["doc_height"] = "1600";
  CHECK(one(snowplow_line(ping)).engagement == Engagement{std::nullopt, 75});
  auto sale = snowplow("transaction");
  sale["tr_total"] = "10";
  sale["tr_total_base"] = "9";
  sale["base_currency"] = "EUR";
  CHECK(money_of(one(snowplow_line(sale))) == "9000000 EUR");
  auto bought = snowplow("unstruct");
  bought["event_name"] = "snowplow_ecommerce_action";
  bought["unstruct_event"] = R"({"data":{"schema":"iglu:x","data":{"type":"transaction"}}})";
  bought["contexts"] =
      R"({"data":[{"schema":"iglu:com.snowplowanalytics.snowplow.ecommerce/transaction/)"
      R"(jsonschema/1-0-0","data":{"revenue":230,"currency":"USD"}}]})";
  CHECK(money_of(one(snowplow_line(bought))) == "230000000 USD");
}

}  // namespace analytics::test::exports_events_test
