#include "common/json/json.h"
#include "tests/cli/replay/formats/read_lines.h"

namespace analytics::test::exports_test {

using namespace analytics::cli;
using namespace analytics::cli::test;

namespace {

const std::string kGoatCounter =
    "2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,"
    "Location,FirstVisit,Date";
const std::string kUmami =
    R"("website_id","session_id","visit_id","event_id","hostname","browser","os","device","screen",)"
    R"("language","country","region","city","url_path","url_query","referrer_path",)"
    R"("referrer_query","referrer_domain","page_title","event_type","event_name","tag",)"
    R"("distinct_id","created_at","job_id")";
const std::string kPlausible =
    R"("timestamp","name","site_id","user_id","session_id","hostname","pathname","referrer",)"
    R"("referrer_source","country_code","screen_size","operating_system","browser","utm_medium",)"
    R"("utm_source","meta.key","meta.value","browser_version","operating_system_version",)"
    R"("subdivision1_code","scroll_depth","engagement_time","revenue_source_amount",)"
    R"("revenue_source_currency")";

/// Returns a row of Plausible's table whose empty fixed-length texts contain a NUL.
std::string plausible_row(const std::string& name, const std::string& more) {
  const std::string nuls(3, '\0');
  return R"("2025-06-01 08:00:00",")" + name +
         R"(",1,18446744073709551615,42,"shop.example","/käse & mehr/","news.example/list","",)" +
         R"("AT","Mobile","Mac","Microsoft Edge","email","letter",)" + more +
         R"(,"123.0","14","AT-9",255,0,\N,")" + nuls + "\"";
}

}  // namespace

TEST_CASE("exports: GoatCounter's pages, events, sessions and places are read",
          "[replay][exports]") {
  const auto read = read_all(
      {kGoatCounter,
       R"(/a?x=1,Title,0,,Chrome 86,Internet Explorer 11,1a-2b,0,Google,g,"1280,768,1",DE-BE,1,2025-06-01T08:00:00Z)",
       R"(sign-up,Press,1,,Safari ,Linux ,1a-2b,0,letter,c,"0,0,1",AT,0,2025-06-01T08:01:00Z)",
       R"(/b,,0,Mozilla/5.0 (X11),,,0-0,0,news.example/x,h,,,1,2025-06-01T08:02:00Z)",
       R"(/b,,0,,,,0-0,0,,,,,1,2025-06-01T08:03:00Z)",
       R"(/b,,0,,,,0-0,7,,,,,1,2025-06-01T08:03:00Z)"},
      options("a.de"));
  REQUIRE(read.size() == 5);
  const auto page = event_of(read[0]);
  CHECK(page.name == kPageview);
  CHECK(page.url == "https://a.de/a?x=1");
  CHECK(page.timestamp == parse_rfc3339("2025-06-01T08:00:00Z"));
  CHECK(page.referrer == "https://www.google.com/");
  CHECK(page.derived.country == "DE");
  CHECK(page.derived.region == "DE-BE");
  CHECK(page.derived.browser == "Chrome");
  CHECK(page.derived.browser_version == "86");
  // The name of the operating system is the text before its version.
  CHECK(page.derived.os == "Internet Explorer");
  CHECK(page.derived.os_version == "11");
  CHECK(page.screen_width == 1280);
  CHECK(page.visitor->size() == 32);  // a digest instead of the id
  const auto event = event_of(read[1]);
  CHECK(event.name == "sign-up");
  CHECK(event.url == "https://a.de/?utm_source=letter");
  CHECK(event.visit == page.visit);
  CHECK(event.derived.browser == "Safari");
  CHECK(!event.derived.browser_version);
  CHECK(!event.screen_width);
  const auto unknown = event_of(read[2]);
  CHECK(unknown.referrer == "https://news.example/x");
  CHECK(unknown.user_agent == "Mozilla/5.0 (X11)");
  // Without sessions, each view has a separate visitor.
  CHECK(unknown.visitor != event_of(read[3]).visitor);
  CHECK(std::holds_alternative<Filtered>(read[4]));  // a bot
}

TEST_CASE("exports: GoatCounter's first version is read, with paths under --base",
          "[replay][exports]") {
  auto given = options("a.de");
  given.base = "https://www.a.de/blog/";
  const auto read =
      read_all({"1Path,Title,Event,Bot,Session,FirstVisit,Referrer,Referrer scheme,"
                "Browser,Screen size,Location,Date",
                R"(/a,T,false,0,77,true,,,Mozilla/5.0 (X11),,DE,2025-06-01T08:00:00Z)"},
               given);
  const auto page = event_of(read.at(0));
  CHECK(page.url == "https://www.a.de/blog/a");
  CHECK(page.user_agent == "Mozilla/5.0 (X11)");
  CHECK(!page.derived.browser);
}

TEST_CASE("exports: Umami's pages and events are read", "[replay][exports]") {
  const std::string start =
      R"("w","session-1","visit-1","e","shop.example","crios","Windows 10","laptop","1470x956",)"
      R"("en-GB","BD","C","Mirpur",)";
  const auto read = read_all(
      {kUmami,
       start +
           R"("/a#top","x=1&y=2","/list","q=1","news.example","T",1,"","","","2025-06-01 08:00:00",\N)",
       start + R"("/a","","/own/page","","","T",2,"Sign up","spring","","2025-06-01 08:00:00",\N)",
       start + R"("/a","","","","","",5,"","","","2025-06-01 08:00:00",\N)"},
      options());
  const auto page = event_of(read.at(0));
  CHECK(page.domains == std::vector<std::string>{"shop.example"});
  CHECK(page.url == "https://shop.example/a?x=1&y=2#top");
  CHECK(page.referrer == "https://news.example/list?q=1");
  CHECK(page.timestamp == parse_rfc3339("2025-06-01T08:00:00Z"));
  CHECK(page.derived.browser == "Chrome");
  CHECK(page.derived.os == "Windows");
  CHECK(page.derived.os_version == "10");
  CHECK(page.derived.device == "Desktop");
  CHECK(page.screen_width == 1470);
  CHECK(page.derived.region == "BD-C");
  CHECK(page.derived.city == "Mirpur");
  CHECK(page.derived.language == "en-GB");
  const auto event = event_of(read.at(1));
  CHECK(event.name == "Sign up");
  CHECK(event.referrer.empty());
  CHECK(event.props == std::vector<Property>{{"tag", "spring"}});
  CHECK(event.visit == page.visit);
  CHECK(event.visitor == page.visitor);
  CHECK(std::holds_alternative<Filtered>(read.at(2)));
}

TEST_CASE("exports: PostgreSQL's short time zones are read", "[replay][exports]") {
  const auto read = read_all({"session_id,visit_id,url_path,referrer_domain,event_type,created_at",
                              "s,v,/a,,1,2025-06-01 10:00:00.5+02"},
                             options("a.de"));
  CHECK(event_of(read.at(0)).timestamp == parse_rfc3339("2025-06-01T08:00:00.500Z"));
}

TEST_CASE("exports: Plausible's table is read as CSV, TSV and JSON", "[replay][exports]") {
  const auto read = read_all({kPlausible, plausible_row("pageview", R"("[]","[]")"),
                              plausible_row("Sign up", R"("['plan','it\'s']","['a ""b""','x']")"),
                              plausible_row("engagement", R"("[]","[]")")},
                             options());
  const auto page = event_of(read.at(0));
  CHECK(page.url ==
        "https://shop.example/k%C3%A4se%20%26%20mehr/?utm_source=letter&utm_medium=email");
  CHECK(page.referrer == "https://news.example/list");
  CHECK(page.derived.country == "AT");
  CHECK(page.derived.region == "AT-9");
  CHECK(page.derived.device == "Mobile");
  CHECK(!page.revenue);
  const auto event = event_of(read.at(1));
  CHECK(event.props == std::vector<Property>{{"plan", "a \"b\""}, {"it's", "x"}});
  CHECK(event.visit == page.visit);
  // The engagement has neither time nor depth.
  CHECK(std::holds_alternative<Filtered>(read.at(2)));

  const auto tabs = read_all(
      {"timestamp\tname\tuser_id\tsession_id\thostname\tpathname\treferrer_source\tmeta.key\t"
       "meta.value\trevenue_source_amount\trevenue_source_currency",
       "2025-06-01 08:00:00\tBuy \\\"\\\\\\t1\\\"\t7\t8\tshop.example\t/a\t\t['plan']\t['it\\'s']\t"
       "12.500\tEUR"},
      options());
  const auto bought = event_of(tabs.at(0));
  CHECK(bought.name == "Buy \"\\\t1\"");
  CHECK(bought.props == std::vector<Property>{{"plan", "it's"}});
  CHECK(bought.revenue->micros == 12'500'000);

  const auto objects = read_all(
      {R"({"timestamp":"2025-06-01 08:00:00","name":"engagement","user_id":"18446744073709551615",)"
       R"("session_id":42,"hostname":"shop.example","pathname":"\/a","referrer_source":"",)"
       R"("country_code":"\u0000\u0000","meta.key":["k"],"meta.value":["v"],"scroll_depth":70,)"
       R"("engagement_time":1500})"},
      options());
  const auto read_on = event_of(objects.at(0));
  CHECK(read_on.engagement == Engagement{1500, 70});
  CHECK(read_on.visitor == page.visitor);  // ids are equal whether they are quoted or not
  CHECK(!read_on.derived.country);
}

TEST_CASE("exports: PostHog's own events are filtered, and data about persons is left out",
          "[replay][exports]") {
  const std::string page =
      R"({"uuid":"u","event":"$pageview","distinct_id":"d","person_id":"p",)"
      R"("timestamp":"2025-06-01T08:00:00.123Z","properties":{"$current_url":"https://a.de/x",)"
      R"("$referrer":"$direct","$session_id":"s","$browser":"Chrome","$browser_version":120,)"
      R"("$os":"Windows","$geoip_country_code":"US","$geoip_subdivision_1_code":"OH",)"
      R"("$geoip_city_name":"Columbus","$screen_width":1790,"plan":"pro","utm_source":"x",)"
      R"("Email":"jane@example.org","contact":"mailto:jane@example.org","n":3}})";
  const auto read = read_all(
      {page,
       R"({"event":"$identify","distinct_id":"d","timestamp":"2025-06-01T08:00:00Z","properties":{}})",
       R"({"event":"Sign up","distinct_id":"d","timestamp":"2025-06-01 08:00:00.000000",)"
       R"("properties":"{\"$current_url\":\"https://a.de/y\",\"plan\":\"free\"}"})"},
      options());
  const auto event = event_of(read.at(0));
  CHECK(event.url == "https://a.de/x?utm_source=x");
  CHECK(event.referrer.empty());
  CHECK(event.derived.region == "US-OH");
  CHECK(event.derived.browser_version == "120");
  CHECK(event.screen_width == 1790);
  CHECK(event.props ==
        std::vector<Property>{{"contact", "mailto:(redacted)"}, {"n", "3"}, {"plan", "pro"}});
  CHECK(event_of(read.at(0)).withheld == 2);
  CHECK(to_json(event).find("jane") == std::string::npos);
  CHECK(std::holds_alternative<Filtered>(read.at(1)));
  CHECK(event_of(read.at(2)).props == std::vector<Property>{{"plan", "free"}});

  auto asked = options();
  asked.map = {{"prop.contact", "properties.contact"}};
  CHECK(event_of(read_all({page}, asked).at(0)).props.back() ==
        Property{"contact", "mailto:(redacted)"});
}

TEST_CASE("exports: calls of Segment and RudderStack are read", "[replay][exports]") {
  const auto read = read_all(
      {R"({"type":"page","messageId":"m1","anonymousId":"a","timestamp":"2025-06-01T10:00:00+02:00",)"
       R"("name":"Home","context":{"ip":"192.0.2.1","userAgent":"Mozilla/5.0","locale":"de-AT",)"
       R"("page":{"search":"?x=1"},"traits":{"name":"Jane"}},)"
       R"("properties":{"url":"https://a.de/","referrer":"https://b.de/","title":"T","kind":"k"}})",
       R"({"type":"track","event":"Order Completed","messageId":"m2","anonymousId":"a",)"
       R"("originalTimestamp":"2025-06-01T08:01:00Z","context":{"sessionId":17,"page":)"
       R"({"url":"https://a.de/cart"}},"properties":{"total":"12.50","currency":"EUR","user_id":"7"}})",
       R"({"type":"identify","messageId":"m3","traits":{"email":"jane@example.org"}})"},
      options("a.de"));
  const auto page = event_of(read.at(0));
  CHECK(page.name == kPageview);
  CHECK(page.url == "https://a.de/?x=1");
  CHECK(page.timestamp == parse_rfc3339("2025-06-01T08:00:00Z"));
  CHECK(page.ip == "192.0.2.1");
  CHECK(page.id == "m1");
  CHECK(page.props == std::vector<Property>{{"kind", "k"}});
  const auto order = event_of(read.at(1));
  CHECK(order.name == "Order Completed");
  CHECK(order.visitor == page.visitor);
  CHECK(order.visit);
  CHECK(order.revenue->micros == 12'500'000);
  CHECK(event_of(read.at(1)).withheld == 1);
  CHECK(std::holds_alternative<Filtered>(read.at(2)));
}

TEST_CASE("exports: Google Analytics 4 is read as lines and as a list", "[replay][exports]") {
  const auto line = [](const std::string& name, const std::string& params) {
    return R"({"event_name":")" + name +
           R"(","event_timestamp":"1748764800123456","user_pseudo_id":"1.2","event_params":[)" +
           R"({"key":"page_location","value":{"string_value":"https://a.de/x?y\u003d1"}},)" +
           R"({"key":"ga_session_id","value":{"int_value":"17"}})" + params +
           R"(],"device":{"category":"mobile","operating_system":"Android",)" +
           R"("operating_system_version":"Android 11","language":"de-de",)" +
           R"("web_info":{"browser":"Chrome","browser_version":"120.0"}}})";
  };
  const auto read =
      read_all({"[" + line("page_view", ""), "," + line("session_start", "") + ",",
                line("purchase", R"(,{"key":"value","value":{"double_value":9.5}},)"
                                 R"({"key":"currency","value":{"string_value":"EUR"}},)"
                                 R"({"key":"coupon","value":{"string_value":"MAY"}})") +
                    ",",
                "]"},
               options());
  const auto page = event_of(read.at(0));
  CHECK(page.url == "https://a.de/x?y=1");
  CHECK(page.timestamp == parse_rfc3339("2025-06-01T08:00:00.123Z"));
  CHECK(page.derived.os == "Android");
  CHECK(page.derived.os_version == "11");
  CHECK(page.derived.device == "Mobile");
  CHECK(std::holds_alternative<Filtered>(read.at(1)));
  const auto purchase = event_of(read.at(2));
  CHECK(purchase.visit == page.visit);
  CHECK(purchase.revenue->micros == 9'500'000);
  CHECK(purchase.props == std::vector<Property>{{"value", "9.5"}, {"coupon", "MAY"}});
  CHECK(read.size() == 3);
}

TEST_CASE("exports: Snowplow's columns have no header", "[replay][exports]") {
  const std::map<std::string, std::string> page = {{"collector_tstamp", "2025-06-01 08:00:00.500"},
                                                   {"event", "page_view"},
                                                   {"event_id", "e1"},
                                                   {"user_ipaddress", "192.0.2.1"},
                                                   {"domain_userid", "d"},
                                                   {"domain_sessionid", "s"},
                                                   {"geo_country", "US"},
                                                   {"geo_region", "TX"},
                                                   {"page_url", "https://a.de/x?y=1"},
                                                   {"useragent", "Mozilla/5.0"}};
  auto ping = page;
  ping["event"] = "page_ping";
  auto click = page;
  click["event"] = "unstruct";
  click["event_name"] = "link_click";
  click["unstruct_event"] =
      R"({"schema":"iglu:x/unstruct_event/jsonschema/1-0-0","data":{"schema":"iglu:x","data":)"
      R"({"targetUrl":"https://b.de/","mail":"jane@example.org"}}})";
  const auto read =
      read_all({snowplow_line(page), snowplow_line(ping), snowplow_line(click)}, options());
  const auto event = event_of(read.at(0));
  CHECK(event.url == "https://a.de/x?y=1");
  CHECK(event.timestamp == parse_rfc3339("2025-06-01T08:00:00.500Z"));
  CHECK(event.derived.region == "US-TX");
  CHECK(!event.ip);  // the record contains the place, so the address is not needed
  CHECK(std::holds_alternative<Filtered>(read.at(1)));
  CHECK(event_of(read.at(2)).name == "link_click");
  CHECK(event_of(read.at(2)).props == std::vector<Property>{{"targetUrl", "https://b.de/"}});
}

TEST_CASE("exports: the error for a row that cannot be an event gives the reason",
          "[replay][exports]") {
  const auto why = [](const std::vector<ReadLine>& read) {
    return std::get<Error>(read.at(0)).message;
  };
  const std::string row = R"(/a,,0,,,,1a-2b,0,,,,,1,)";
  CHECK(why(read_all({kGoatCounter, row + "yesterday"}, options("a.de"))) ==
        "The time is missing or not valid.");
  CHECK(why(read_all({kGoatCounter, row + "2025-06-01T08:00:00Z"}, options())) ==
        "The record does not name a site: use --site DOMAIN.");
  CHECK(why(read_all({kGoatCounter, "/a,b"}, options("a.de"))) ==
        "The record has 2 fields, the header 14.");
  CHECK(why(read_all({"{"}, options("a.de"), "posthog")) == "The line is not a JSON object.");
}

TEST_CASE("exports: a path may be a whole URL", "[replay][exports]") {
  const auto path = read_all({kGoatCounter,
                              "/go?u=https://b.de/,,0,,,,1a-2b,0,,,,,1,"
                              "2025-06-01T08:00:00Z"},
                             options("a.de"));
  CHECK(event_of(path.at(0)).url == "https://a.de/go?u=https://b.de/");
}

TEST_CASE("exports: a damaged reject does not affect the rejects after it", "[replay][exports]") {
  const auto reject = [](const std::string& format, const std::string& original) {
    return R"({"stage":"parse","format":")" + format + R"(","original":)" + json::quote(original) +
           "}";
  };
  auto chosen = open_reader("rejects", "{}", options("a.de"));
  REQUIRE(chosen);
  auto& reader = *chosen->reader;
  const std::string ga4 =
      R"({"event_name":"page_view","event_timestamp":"1748764800123456",)"
      R"("user_pseudo_id":"1","event_params":[{"key":"page_location","value":{"string_value":"https://a.de/"}}]})";
  CHECK(std::holds_alternative<Error>(reader.read(reject("ga4", "garbage,line"))));
  CHECK(std::holds_alternative<ReplayEvent>(reader.read(reject("ga4", ga4))));
  CHECK(std::holds_alternative<Error>(reader.read(reject("snowplow", "a\tb"))));
  CHECK(std::holds_alternative<ReplayEvent>(
      reader.read(reject("snowplow", snowplow_line({{"collector_tstamp", "2025-06-01 08:00:00"},
                                                    {"event", "page_view"},
                                                    {"domain_userid", "d"},
                                                    {"page_url", "https://a.de/"}})))));
}

}  // namespace analytics::test::exports_test
