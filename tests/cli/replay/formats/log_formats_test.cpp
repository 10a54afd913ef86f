#include "cli/replay/formats/log_head.h"
#include "cli/replay/formats/open_reader.h"
#include "tests/cli/replay/formats/read_lines.h"
#include "tests/support/catch.h"

namespace analytics::test::log_formats_test {

using namespace analytics::cli;
using namespace analytics::cli::test;

namespace {

ReaderOptions options(const std::string& site = "") {
  ReaderOptions made;
  made.site = site;
  made.now = UnixMillis(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1));
  return made;
}

/// Reads the lines in order with one reader, and returns the result for the last line.
ReadLine read_last(const std::vector<std::string>& lines, const std::string& format,
                   const std::string& site = "") {
  auto chosen = open_reader("auto", lines.front(), options(site));
  if (!chosen) FAIL(chosen.error().message);
  CHECK(chosen->format == format);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    CHECK(std::holds_alternative<NoRecord>(chosen->reader->read(lines[i])));
  }
  return chosen->reader->read(lines.back());
}

std::string with_tabs(std::string text) {
  std::replace(text.begin(), text.end(), '^', '\t');
  return text;
}

const std::string kAgent = "Mozilla/5.0 (X11; Linux)";
const std::string kCombined =
    R"x(1.2.3.4 - - [17/May/2015:10:05:03 +0200] "GET /a?x=1 HTTP/1.1" 200 )x"
    R"x(12 "https://r.example/p" "Mozilla/5.0 (X11; Linux)")x";
const std::string kQuoted =
    R"x({"log":"1.2.3.4 - - [17/May/2015:10:05:03 +0200] \"GET /a?x=1 HTTP/1.1\" 200 12 )x"
    R"x(\"https://r.example/p\" \"Mozilla/5.0 (X11; Linux)\"\n","stream":"stdout")x";

}  // namespace

TEST_CASE("log formats: lines of all services and log transports give the same pageview",
          "[replay][logs]") {
  struct Case {
    std::string format;
    std::vector<std::string> lines;
    bool has_referrer = true;
    bool has_agent = true;
    bool has_host = true;
  };
  const Case cases[] = {
      {"elb",
       {R"x(2015-05-17T08:05:03.000000Z lb 1.2.3.4:2817 10.0.0.1:80 0.00007 0.001 0.00005 200 200 0 )x"
        R"x(29 "GET https://a.de:443/a?x=1 HTTP/1.1" "Mozilla/5.0 (X11; Linux)" - -)x"},
       false},
      {"elb",  // old form without a User-Agent
       {R"x(2015-05-17T08:05:03.000000Z lb 1.2.3.4:2817 - -1 -1 -1 200 0 0 29 )x"
        R"x("GET https://a.de:443/a?x=1 HTTP/1.1")x"},
       false,
       false},
      {"cloudfront-realtime",
       {with_tabs(
           "1431849903.000^1.2.3.4^0.002^200^782^GET^https^a.de^/a?x=1^58^FRA^id^d1.cloudfront"
           ".net^0.08^HTTP/2.0^IPv4^Mozilla/5.0%20(X11;%20Linux)^https://r.example/p^-^x=1^Hit^"
           "-^TLSv1.3^c^Hit^-^-^text/html^782^-^-^11040^Hit^FR^gzip^*/*^/*^-^-^7")}},
      {"bunny",
       {"HIT|200|1431849903000|2326|390|1.2.3.4|https://r.example/p|https://a.de/a?x=1|WA|" +
        kAgent + "|322b688bd63fb63f2babe9de30a5d262|DE"}},
      {"bunny",
       {"HIT|200|1431849903000|2326|390|1.2.3.4|https://r.example/p|https://a.de/a?x=1|WA|" +
        kAgent + "|322b688bd63fb63f2babe9de30a5d262|DE|12345|bytes=0-1|-"}},
      {"combined-vhost",
       {R"x(a.de 1.2.3.4 - me [17/May/2015:10:05:03 +0200] (0 s) "GET /a?x=1 HTTP/1.1" 200 1 )x"
        R"x("https://r.example/p" "Mozilla/5.0 (X11; Linux)")x"}},
      {"w3c",  // log of IIS's Advanced Logging
       {"#Software: IIS Advanced Logging Module",
        "#Fields:   date-local time-local   s-ip   cs-method cs-uri-stem cs-uri-query c-ip "
        "cs(User-Agent) cs(Referer) cs(Host) sc-status TimeTakenMS",
        R"x(2015-05-17 08:05:03.000 10.0.0.1 GET /a x=1 "1.2.3.4" "Mozilla/5.0 (X11; Linux)" )x"
        R"x("https://r.example/p" "a.de" 200 109)x"}},
      {"w3c",  // log of Incapsula
       {"#Fields: date time c-ip cs(User-Agent) cs-uri cs(Referrer) cs-method cs-uri-query "
        "sc-status s-xff",
        R"x("2015-05-17" "08:05:03" "1.2.3.4" "Mozilla/5.0 (X11; Linux)" "a.de/a" )x"
        R"x("https://r.example/p" "GET" "x=1" "" "")x"}},
      {"w3c",  // log of Shoutcast, which may write date and time in two fields
       {"#Fields: c-ip date cs-uri-stem c-status cs(User-Agent) time",
        "1.2.3.4 2015-05-17 /a?x=1 200 Mozilla%2F5.0%20(X11%3B%20Linux) 08:05:03"},
       false,
       true,
       false},
      {"haproxy",
       {"Feb  6 12:14:14 localhost haproxy[14389]: 1.2.3.4:33317 [17/May/2015:08:05:03.000] in s/1 "
        "10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {a.de|Mozilla/5.0 (X11; Linux)|"
        "https://r.example/p} {} \"GET /a?x=1 HTTP/1.1\""},
       true,
       true,
       false},
      {"combined", {kQuoted + R"x(,"time":"2015-05-17T08:05:04.1Z"})x"}, true, true, false},
      {"combined",
       {R"x({"kubernetes":{"pod_name":"p"},"message":"1.2.3.4 - - [17/May/2015:10:05:03 +0200] )x"
        R"x(\"GET /a?x=1 HTTP/1.1\" 200 12 \"https://r.example/p\" \"Mozilla/5.0 (X11; Linux)\""})x"},
       true,
       true,
       false},
      {"combined",
       {R"x({"__REALTIME_TIMESTAMP":"1","MESSAGE":"1.2.3.4 - - [17/May/2015:10:05:03 +0200] )x"
        R"x(\"GET /a?x=1 HTTP/1.1\" 200 12 \"https://r.example/p\" \"Mozilla/5.0 (X11; Linux)\""})x"},
       true,
       true,
       false},
      {"json",  // nginx's JSON inside Docker's JSON
       {R"x({"log":"{\"time_iso8601\":\"2015-05-17T08:05:03Z\",\"remote_addr\":\"1.2.3.4\",)x"
        R"x(\"status\":200,\"request_uri\":\"/a?x=1\",\"http_host\":\"a.de\",)x"
        R"x(\"http_referer\":\"https://r.example/p\",\"http_user_agent\":\"Mozilla/5.0 (X11; )x"
        R"x(Linux)\"}\n","stream":"stdout"})x"}},
      {"csv",  // log of Google Cloud Storage
       {R"x("time_micros","c_ip","cs_method","cs_uri","sc_status","cs_host","cs_referer",)x"
        R"x("cs_user_agent")x",
        R"x("1431849903000000","1.2.3.4","GET","/a?x=1","200","a.de","https://r.example/p",)x"
        R"x("Mozilla/5.0 (X11; Linux)")x"}},
      {"json",  // log of Azure Front Door
       {R"x({"category":"FrontdoorAccessLog","time":"2015-05-17T08:05:03.0000000Z","properties":{)x"
        R"x("clientIp":"1.2.3.4","httpMethod":"GET","requestUri":"https://a.de:443/a?x=1",)x"
        R"x("httpStatusCode":"200","userAgent":"Mozilla/5.0 (X11; Linux)",)x"
        R"x("referer":"https://r.example/p"}})x"}},
      {"json",  // log of Fastly
       {R"x({"timestamp":"2015-05-17T10:05:03+0200","client_ip":"1.2.3.4","host":"a.de",)x"
        R"x("url":"/a?x=1","request_method":"GET","request_referer":"https://r.example/p",)x"
        R"x("request_user_agent":"Mozilla/5.0 (X11; Linux)","response_status":200})x"}},
      {"json",  // log of pino, with the visitor's address and that of the proxy
       {R"x({"time":1431849903000,"ip":"1.2.3.4","req":{"method":"GET","url":"/a?x=1",)x"
        R"x("remoteAddress":"127.0.0.1"},"res":{"statusCode":200},"host":"a.de",)x"
        R"x("referrer":"https://r.example/p","user_agent":"Mozilla/5.0 (X11; Linux)"})x"}},
      {"json",  // log of Vercel
       {R"x({"id":"1","source":"static","host":"a-4f1.vercel.app","timestamp":1431849903000,)x"
        R"x("path":"/_fn","statusCode":200,"proxy":{"timestamp":1431849903000,"method":"GET",)x"
        R"x("host":"a.de","path":"/a?x=1","userAgent":["Mozilla/5.0 (X11; Linux)"],)x"
        R"x("referer":"https://r.example/p","statusCode":200,"clientIp":"1.2.3.4"}})x"}},
  };
  for (const auto& [format, lines, has_referrer, has_agent, has_host] : cases) {
    INFO(lines.back());
    const auto read = read_last(lines, format, has_host ? "" : "a.de");
    if (const auto* error = std::get_if<Error>(&read)) FAIL(error->message);
    REQUIRE(std::holds_alternative<ReplayEvent>(read));
    const auto& payload = std::get<ReplayEvent>(read).payload;
    CHECK(payload.domains.front() == "a.de");
    CHECK((payload.url == "https://a.de/a?x=1" || payload.url == "https://a.de:443/a?x=1"));
    CHECK(payload.ip == "1.2.3.4");
    CHECK(payload.timestamp == parse_rfc3339("2015-05-17T08:05:03Z"));
    CHECK(payload.user_agent == (has_agent ? kAgent : ""));
    CHECK(payload.referrer == (has_referrer ? "https://r.example/p" : ""));
  }
}

TEST_CASE("log formats: Vercel's visitor request takes precedence over that of the deployment",
          "[replay][logs]") {
  const std::string deployment =
      R"({"host":"a-4f1.vercel.app","timestamp":1431849903000,"path":"/_fn","statusCode":200)";
  const auto read = read_all(
      {deployment + "}",
       deployment +
           R"(,"proxy":{"host":"a.de","path":"/a?x=1","userAgent":["M"],"clientIp":"1.2.3.4","method":"GET"}})"},
      options());
  REQUIRE(read.size() == 2);
  CHECK(event_of(read[1]).url == "https://a.de/a?x=1");
}

TEST_CASE("log formats: lines without a request are filtered, even at the start of a file",
          "[replay][logs]") {
  const std::string owner(64, 'a');
  const std::string haproxy = " [17/May/2015:08:05:03.000] in s/1 -1/-1/-1/-1/0 ";
  const std::pair<std::string, std::string> cases[] = {
      {"s3", owner + " bucket [17/May/2015:08:05:03 +0000] - AmazonS3 1A S3.EXPIRE.OBJECT a/b "
                     "\"-\" - - - - - - \"-\" \"-\" -"},
      {"s3", owner + " bucket [17/May/2015:08:05:03 +0000] - AmazonS3 1A BATCH.DELETE.OBJECT a/b - "
                     "204 - - 8 - - - - -"},
      {"elb",
       R"x(2015-05-17T08:05:03.000000Z lb 1.2.3.4:2817 10.0.0.1:80 0.001 0.0 0.0 - - 82 305 )x"
       R"x("- - - " "-" - -)x"},
      {"envoy",
       "[2015-05-17T08:05:03.000Z] \"- - -\" 0 UF,URX 0 0 0 - \"-\" \"-\" \"-\" \"-\" "
       "\"127.0.0.1:9200\""},
      {"haproxy", "1.2.3.4:1" + haproxy + "400 0 - - CR-- 8/1/0/0/0 0/0 \"<BADREQ>\""},
      {"haproxy", "1.2.3.4:1" + haproxy + "-1 0 - - CR-- 8/1/0/0/0 0/0 \"\""},
      {"haproxy", "-:22222" + haproxy + "200 200 - - ---- 2/2/2/0/0 0/0 \"GET / HTTP/1.1\""},
  };
  for (const auto& [format, line] : cases) {
    INFO(line);
    CHECK(std::holds_alternative<Filtered>(read_last({line}, format, "a.de")));
  }
}

TEST_CASE("log formats: the start of playback in CloudFront's log of streams is a pageview",
          "[replay][logs]") {
  const std::string fields =
      "#Fields: date time x-edge-location c-ip x-event sc-bytes x-cf-status x-cf-client-id "
      "cs-uri-stem cs-uri-query c-referrer x-page-url c-user-agent x-sname";
  const auto line = [](const std::string& event) {
    return with_tabs("2015-05-17^ 08:05:03^ SEA4^ 1.2.3.4^ " + event +
                     "^ 3914^ OK^ id^ rtmp://s1.cloudfront.net/cfx/st^k=v^ -^ "
                     "https://r.example/p^ LNX%2010,0,32,18^ myvideo");
  };
  const auto read = read_last({fields, line("play")}, "w3c");
  REQUIRE(std::holds_alternative<ReplayEvent>(read));
  const auto& payload = std::get<ReplayEvent>(read).payload;
  CHECK(payload.url == "https://s1.cloudfront.net/cfx/st/myvideo");
  CHECK(payload.referrer == "https://r.example/p");
  CHECK(payload.user_agent == "LNX 10,0,32,18");
  CHECK(std::holds_alternative<Filtered>(read_last({fields, line("stop")}, "w3c")));
}

TEST_CASE(
    "log formats: quotes and repeated spaces in W3C logs are read, and comments in any log are "
    "skipped",
    "[replay][logs]") {
  const std::string fields =
      "#Fields: date time c-ip cs-method cs-uri-stem cs(User-Agent) sc-status";
  const auto read = read_last(
      {fields, "2015-05-17   08:05:03 1.2.3.4  GET /a \"a \"\"b\"\" c\" 200 "}, "w3c", "a.de");
  REQUIRE(std::holds_alternative<ReplayEvent>(read));
  CHECK(std::get<ReplayEvent>(read).payload.user_agent == "a \"b\" c");
  auto combined = open_reader("combined", kCombined, options("a.de"));
  CHECK(std::holds_alternative<NoRecord>(combined->reader->read("# a comment")));
}

TEST_CASE(
    "log formats: a line cut at any byte is refused or filtered, never read as another request",
    "[replay][logs]") {
  for (const auto* name : {"elb", "bunny", "cloudfront-realtime", "haproxy"}) {
    const std::string line =
        std::string(name) == "elb"
            ? R"x(2015-05-17T08:05:03.000000Z lb 1.2.3.4:2817 10.0.0.1:80 0.1 0.1 0.1 200 200 0 29 )x"
              R"x("GET https://a.de:443/a HTTP/1.1" "UA" - -)x"
        : std::string(name) == "bunny"
            ? "HIT|200|1431849903000|2326|390|1.2.3.4|-|https://a.de/a|WA|U|A|"
              "322b688bd63fb63f2babe9de30a5d262|DE"
        : std::string(name) == "haproxy"
            ? R"x(1.2.3.4:1 [17/May/2015:08:05:03.000] i s/1 1/0/3/6/1 200 2 - - ---- 1/1 0/0 "GET / HTTP/1.1")x"
            : with_tabs("1431849903.0^1.2.3.4^0.002^200^782^GET^https^a.de^/a");
    for (std::size_t size = 1; size < line.size(); ++size) {
      auto chosen = open_reader(name, line, options("a.de"));
      REQUIRE(chosen);
      const auto read = chosen->reader->read(line.substr(0, size));
      const auto* event = std::get_if<ReplayEvent>(&read);
      if (event != nullptr) CHECK(event->payload.ip == "1.2.3.4");
    }
  }
}

TEST_CASE("log formats: JSON around a line is removed only if it contains a line",
          "[replay][logs]") {
  std::string buffer;
  const std::string bytes = R"({"MESSAGE":[1,2]})";
  CHECK(bare_line(R"({"log":"a\r\n"})", buffer) == "a");
  CHECK(bare_line(bytes, buffer) == bytes);
  CHECK(bare_line(R"({"log":)", buffer) == R"({"log":)");
  CHECK(bare_line("2025-09-17T08:37:18.2Z stdout F " + kCombined, buffer) == kCombined);
  // The log of a server may itself have a member "message", with which collectors of logs wrap
  // lines.
  CHECK(bare_json(R"({"message":"slow","status":200})", buffer).starts_with("{\"message\""));
  CHECK(bare_json(R"({"log":"{\"status\":200}\n"})", buffer) == R"({"status":200})");
}

TEST_CASE(
    "log formats: only plain hosts, User-Agents and referrers are read from HAProxy's captures",
    "[replay][logs]") {
  const auto read = [](const std::string& captured) {
    const auto line =
        "1.2.3.4:1 [17/May/2015:08:05:03.000] in s/1 1/0/3/6/1 200 2 - - ---- 1/1 0/0 {" +
        captured + "} \"GET /a HTTP/1.1\"";
    return std::get<ReplayEvent>(read_last({line}, "haproxy", "a.de")).payload;
  };
  for (const auto* secret : {"Basic amFuZTpzZWNyZXQ/", "eyJhbGci.eyJzdWIi.c2ln|x", "|jane.doe",
                             "text/html,*/*", "sid=abc/1"}) {
    INFO(secret);
    CHECK(read(secret).url == "https://a.de/a");
    CHECK(read(secret).user_agent == "");
  }
  CHECK(read("b.de|Mozilla/5.0 (X11)|text/1").url == "https://b.de/a");
  CHECK(read("b.de|Mozilla/5.0 (X11)|text/1").user_agent == "Mozilla/5.0 (X11)");
}

TEST_CASE("log formats: a W3C value may begin with a quote, and cs-uri does not add a second path",
          "[replay][logs]") {
  const auto given = [](const std::string& fields, const std::string& line) {
    const auto read =
        read_last({"#Fields: date time c-ip cs-method " + fields, line}, "w3c", "a.de");
    REQUIRE(std::holds_alternative<ReplayEvent>(read));
    return std::get<ReplayEvent>(read).payload;
  };
  const std::string start = "2015-05-17 08:05:03 1.2.3.4 GET ";
  CHECK(given("cs-uri-stem cs-uri-query cs(User-Agent) sc-status", start + "/a \"x UA 200").url ==
        "https://a.de/a?\"x");
  CHECK(given("cs-uri-stem cs-uri-query cs-uri sc-status", start + "/a x=1 /a?x=1 200").url ==
        "https://a.de/a?x=1");
}

TEST_CASE("log formats: a comment alone does not make a W3C log", "[replay][logs]") {
  CHECK_FALSE(open_reader("auto", "# GA4", options("a.de")));
  CHECK(open_reader("auto", "#Software: Microsoft Internet Information Services 10.0",
                    options("a.de"))
            ->format == "w3c");
}

}  // namespace analytics::test::log_formats_test
