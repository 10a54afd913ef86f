#include "cli/replay/formats/access_log_reader.h"

#include "cli/replay/formats/open_reader.h"
#include "common/text/address.h"
#include "tests/support/catch.h"

namespace analytics::test::access_log_reader_test {

using namespace analytics::cli;

namespace {

const std::string kLine =
    R"(1.2.3.4 - - [17/May/2015:10:05:03 +0200] "GET /a%20b?x=1 HTTP/1.1" 200 12 "https://r.example/" "UA \"quoted\" \x41")";

ReaderOptions options() {
  ReaderOptions made;
  made.site = "a.de";
  made.now = UnixMillis(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1));
  return made;
}

AccessLogReader combined() { return {make_combined_format(), options()}; }

std::string replaced(std::string line, const std::string& what, const std::string& with) {
  return line.replace(line.find(what), what.size(), with);
}

}  // namespace

TEST_CASE("access log: a line becomes a pageview with its time, address and browser", "[replay]") {
  const auto read = combined().read(kLine);
  const auto& payload = std::get<ReplayEvent>(read).payload;
  CHECK(payload.url == "https://a.de/a%20b?x=1");
  CHECK(payload.ip == "1.2.3.4");
  CHECK(payload.user_agent == "UA \"quoted\" A");
  CHECK(payload.timestamp == parse_rfc3339("2015-05-17T08:05:03Z"));
  CHECK(payload.referrer == "https://r.example/");
}

TEST_CASE("access log: only successful GET requests for pages become pageviews", "[replay]") {
  auto reader = combined();
  for (const auto& [what, with] :
       std::vector<std::pair<std::string, std::string>>{{"GET", "POST"},
                                                        {" 200 ", " 404 "},
                                                        {" 200 ", " 301 "},
                                                        {"/a%20b?x=1", "/style.CSS?v=2"}}) {
    CHECK(std::holds_alternative<Filtered>(reader.read(replaced(kLine, what, with))));
  }
  CHECK(std::holds_alternative<ReplayEvent>(reader.read(replaced(kLine, " 200 ", " 304 "))));
  CHECK(std::holds_alternative<NoRecord>(reader.read("  ")));
}

TEST_CASE("access log: a line cut at any byte is refused, never misread", "[replay]") {
  auto reader = combined();
  for (std::size_t size = 1; size < kLine.size(); ++size) {
    CHECK(std::holds_alternative<Error>(reader.read(kLine.substr(0, size))));
  }
}

TEST_CASE("access log: every format is recognised by its first line, and gives the same pageview",
          "[replay]") {
  const std::string clf =
      R"x(1.2.3.4 - bob [17/May/2015:10:05:03 +0200] "GET /a?x=1 HTTP/1.1" 200 12)x";
  const std::string agents = R"x( "https://r.example/p" "Mozilla/5.0 (X11; Linux)")x";
  struct Case {
    const char* format;
    std::vector<std::string> lines;
    bool has_agent = true;
    bool has_host = true;
  };
  const std::vector<Case> cases = {
      {"combined", {clf + agents}, true, false},
      {"combined", {clf + agents + R"x( 42 "router@file" "http://10.0.0.1" 3ms)x"}, true, false},
      {"common", {clf}, false, false},
      {"combined-vhost", {"a.de:443 " + clf + agents}},
      {"caddy",
       {R"x({"level":"info","ts":1431849903.0,"logger":"http.log.access","msg":"handled request",)x"
        R"x("request":{"remote_ip":"10.0.0.1","client_ip":"1.2.3.4","method":"GET","host":"a.de",)x"
        R"x("uri":"/a?x=1","headers":{"User-Agent":["Mozilla/5.0 (X11; Linux)"],)x"
        R"x("Referer":["https://r.example/p"]}},"duration":0.1,"size":2,"status":200})x"}},
      {"w3c",
       {"#Software: Microsoft Internet Information Services 10.0", "#Version: 1.0",
        "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip "
        "cs(User-Agent) cs(Referer) cs-host sc-status time-taken",
        "2015-05-17 08:05:03 10.0.0.1 GET /a x=1 443 - 1.2.3.4 Mozilla/5.0+(X11;+Linux) "
        "https://r.example/p a.de 200 15"}},
      {"w3c",
       {"#Version: 1.0",
        "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status "
        "cs(Referer) cs(User-Agent) cs-uri-query x-host-header",
        "2015-05-17\t08:05:03\tFRA50\t12\t1.2.3.4\tGET\td1.cloudfront.net\t/a\t200\t"
        "https://r.example/p\tMozilla/5.0%2520(X11;%2520Linux)\tx=1\ta.de"}},
  };
  for (const auto& [format, lines, has_agent, has_host] : cases) {
    INFO(lines.back());
    auto given = options();
    if (has_host) given.site.clear();
    auto chosen = open_reader("auto", lines.front(), given);
    REQUIRE(chosen);
    CHECK(chosen->format == format);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      CHECK(std::holds_alternative<NoRecord>(chosen->reader->read(lines[i])));
    }
    const auto read = chosen->reader->read(lines.back());
    REQUIRE(std::holds_alternative<ReplayEvent>(read));
    const auto& payload = std::get<ReplayEvent>(read).payload;
    CHECK(payload.domains.front() == "a.de");
    CHECK(payload.url == "https://a.de/a?x=1");
    CHECK(payload.ip == "1.2.3.4");
    CHECK(payload.timestamp == parse_rfc3339("2015-05-17T08:05:03Z"));
    CHECK(payload.user_agent == (has_agent ? "Mozilla/5.0 (X11; Linux)" : ""));
    CHECK(payload.referrer == (has_agent ? "https://r.example/p" : ""));
  }
}

TEST_CASE("access log: the text before the time must be a host and a client", "[replay]") {
  const std::string request = R"x( - - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 12)x";
  const std::string agents = R"x( "-" "Mozilla/5.0 (X11; Linux)")x";
  struct Case {
    std::string before;
    const char* format;
    std::string client;
    std::string host;
  };
  const Case cases[] = {
      {"192.0.2.7", "combined", "192.0.2.7", ""},
      {"www.example.com 192.0.2.7", "combined-vhost", "192.0.2.7", "www.example.com"},
      {"www.example.com:443 host7.isp.example", "combined-vhost", "name", "www.example.com"},
      {"192.0.2.1, 10.0.0.1", "combined", "192.0.2.1", ""},
      {"192.0.2.1,10.0.0.1", "combined", "192.0.2.1", ""},
      {"10.0.0.2, 81.2.69.143, 10.0.0.1", "combined", "81.2.69.143", ""},
      {"10.0.0.2, 10.0.0.3", "combined", "10.0.0.2", ""},
      {"unknown, 81.2.69.143", "combined", "81.2.69.143", ""},
      {"example.com 10.0.0.2, 81.2.69.143", "combined-vhost", "81.2.69.143", "example.com"},
      {"127.0.1.1:80 192.0.2.7", "combined", "192.0.2.7", ""},  // Apache without a ServerName
      {"10.0.0.2, 81.2.69.143 10.0.0.9", "combined", "81.2.69.143", ""},
      {"\"10.0.0.2, 81.2.69.143\" 10.0.0.9", "combined", "81.2.69.143", ""},
      {"\"81.2.69.143\"", "combined", "81.2.69.143", ""},
      {"Sep 17 08:37:18 web1 nginx: 192.0.2.7", "combined", "192.0.2.7", ""},
      {"Sep  7 08:37:18 web1 nginx[12]: 192.0.2.7", "combined", "192.0.2.7", ""},
      {"<190>Sep 17 08:37:18 web1 nginx: 192.0.2.7", "combined", "192.0.2.7", ""},
      {"2025-09-17T08:37:18.123456+02:00 web1 nginx: 192.0.2.7", "combined", "192.0.2.7", ""},
      {"<190>1 2025-09-17T08:37:18Z web1 nginx 12 - - 192.0.2.7", "combined", "192.0.2.7", ""},
      {"web-1  | 192.0.2.7", "combined", "192.0.2.7", ""},
      {"web-1  | www.example.com 192.0.2.7", "combined-vhost", "192.0.2.7", "www.example.com"},
      {"2025-09-17T08:37:18.212345678Z stdout F 192.0.2.7", "combined", "192.0.2.7", ""},
      {"2025-09-17T08:37:18.212345678Z 192.0.2.7", "combined", "192.0.2.7", ""},
      {"[pod/web-6b7/nginx] 192.0.2.7", "combined", "192.0.2.7", ""},
      {"[pod/web-6b7/nginx] 2025-09-17T08:37:18.2Z 192.0.2.7", "combined", "192.0.2.7", ""},
      {"web-1  | 2025-09-17T08:37:18.2Z 192.0.2.7", "combined", "192.0.2.7", ""},
      {"<190>Sep 17 08:37:18 nginx: 192.0.2.7", "combined", "192.0.2.7", ""},
      {"2025-09-17T08:37:18+0200 web1 nginx[12]: 192.0.2.7", "combined", "192.0.2.7", ""},
      {"2001:db8::1", "combined", "2001:db8::1", ""},
      {"host7.isp.example", "combined", "name", ""},
  };
  for (const auto& [before, format, client, host] : cases) {
    for (const bool has_agent : {true, false}) {
      const auto line = before + request + (has_agent ? agents : "");
      INFO(line);
      auto chosen = open_reader("auto", line, options());
      REQUIRE(chosen);
      std::string expected = format;
      if (!has_agent) expected.replace(0, 8, "common");
      CHECK(chosen->format == expected);
      const auto read = chosen->reader->read(line);
      REQUIRE(std::holds_alternative<ReplayEvent>(read));
      const auto& payload = std::get<ReplayEvent>(read).payload;
      CHECK(payload.ip.value_or("name") == client);
      CHECK(payload.visitor.has_value() == (client == "name"));
      CHECK(payload.url == "https://" + (host.empty() ? "a.de" : host) + "/a");
    }
  }
  for (const std::string before :
       {"192.0.2.1 10.0.0.1", "-", "unix:", "GET / 192.0.2.7", "a.de b.de 192.0.2.7",
        "info 192.0.2.7", "192.0.2.1 192.0.2.2, 10.0.0.1", "a,b", "192.0.2.1:4711 192.0.2.7",
        "2025-09-17T08:37:18Z stdout P 192.0.2.7", "Sep 17 08:37:18 192.0.2.7",
        "web1 nginx: 192.0.2.7"}) {
    INFO(before);
    auto chosen = open_reader("auto", before + request + agents, options());
    REQUIRE_FALSE(chosen);
    CHECK(chosen.error().message.find(before.substr(0, 5)) != std::string::npos);
    auto reader = combined();
    CHECK(std::holds_alternative<Error>(reader.read(before + request + agents)));
  }
}

TEST_CASE("access log: an address that may not be the client's is never used as the visitor's",
          "[replay]") {
  const std::string rest = R"x([17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 12 "-" "UA")x";
  const auto vhost = open_reader("auto", "www.example.com 81.2.69.7 - " + rest, options());
  REQUIRE(vhost);
  const auto read = vhost->reader->read("www.example.com 81.2.69.7 - " + rest);
  CHECK(std::get<ReplayEvent>(read).payload.ip == "81.2.69.7");
  CHECK(std::get<ReplayEvent>(read).payload.url == "https://www.example.com/a");
  for (const std::string before : {"10.0.0.1 81.2.69.7 - ", "10.0.0.1 - 81.2.69.7 ",
                                   "www.example.com - 81.2.69.7 ", "web1 81.2.69.7 - "}) {
    INFO(before);
    CHECK_FALSE(open_reader("auto", before + rest, options()));
  }
}

TEST_CASE("access log: a proxy's X-Forwarded-For names the client of a private address",
          "[replay]") {
  const auto ip = [](std::string line) {
    auto chosen = open_reader("auto", line, options());
    REQUIRE(chosen);
    const auto read = chosen->reader->read(line);
    if (std::holds_alternative<Error>(read)) return std::get<Error>(read).message.substr(0, 26);
    return std::get<ReplayEvent>(read).payload.ip.value_or("none");
  };
  const std::string rest =
      R"x( - - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 12 "-" "UA")x";
  CHECK(ip("10.0.0.1" + rest + R"( "81.2.69.7, 10.0.0.2")") == "81.2.69.7");
  CHECK(ip("10.0.0.1" + rest + R"( X-Forwarded-For="81.2.69.7, 10.0.0.2")") == "81.2.69.7");
  CHECK(ip("10.0.0.1" + rest + R"( upstream="81.2.69.7:80")") == "10.0.0.1");
  CHECK(ip("81.2.69.9" + rest + R"( "81.2.69.7")") == "81.2.69.9");
  CHECK(ip("10.0.0.1" + rest + R"( "-")") == "10.0.0.1");
  const std::string json =
      R"({"time":"2025-11-20T10:00:00Z","status":200,"request":"/a","method":"GET")";
  CHECK(ip(json + R"(,"remote_addr":"10.0.0.1","http_x_forwarded_for":"81.2.69.7, 10.0.0.2"})") ==
        "81.2.69.7");
  CHECK(ip(json + R"(,"remote_addr":"10.0.0.9, 81.2.69.7"})") == "81.2.69.7");
  CHECK(ip(json + R"(,"remote_addr":"","x_real_ip":"81.2.69.7"})") == "81.2.69.7");
  CHECK(ip(json + R"(,"host":"81.2.69.7"})") == "81.2.69.7");  // Apache's %h
  CHECK(ip(json + R"(,"host":"a.de"})") == "The record has no client a");
}

TEST_CASE("access log: a visitor's address is not a host name", "[replay]") {
  auto chosen = open_reader(
      "auto", R"({"time":"2025-11-20T10:00:00Z","status":200,"request":"/a","host":"81.2.69.7"})",
      options());
  REQUIRE(chosen);
  const auto read = chosen->reader->read(
      R"({"time":"2025-11-20T10:00:00Z","status":200,"request":"/a","host":"81.2.69.7"})");
  CHECK(std::get<ReplayEvent>(read).payload.url == "https://a.de/a");
}

TEST_CASE("access log: the port of an IPv6 client is removed from its address", "[replay]") {
  const auto ip = [](const std::string& line) {
    auto chosen = open_reader("auto", line, options());
    REQUIRE(chosen);
    return std::get<ReplayEvent>(chosen->reader->read(line)).payload.ip;
  };
  CHECK(ip("h2 2025-11-20T10:00:00.123456Z app/x/y 2a02:a33c:4538:1:bcf4:5264:e01c:f215:50718 "
           R"(10.0.0.1:80 0.0 0.0 0.0 200 200 34 366 "GET https://a.de:443/a HTTP/2.0" "UA")") ==
        "2a02:a33c:4538:1:bcf4:5264:e01c:f215");
  CHECK(ip("Feb  6 12:14:14 lb haproxy[1]: 2a02:a33c::1:5000 [06/Feb/2009:12:14:14.655] f b/s "
           R"(10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET /a HTTP/1.1")") ==
        "2a02:a33c::1");
}

TEST_CASE("access log: a W3C line with more values than columns is refused", "[replay]") {
  auto chosen = open_reader(
      "w3c", "#Fields: date time cs-method cs-uri-stem sc-status cs(User-Agent) c-ip", options());
  REQUIRE(chosen);
  auto& reader = *chosen->reader;
  (void)reader.read("#Fields: date time cs-method cs-uri-stem sc-status cs(User-Agent) c-ip");
  CHECK(std::holds_alternative<ReplayEvent>(
      reader.read("2025-11-20 10:00:00 GET /a 200 UA+1 81.2.69.7")));
  CHECK(std::holds_alternative<Error>(
      reader.read("2025-11-20 10:00:00 GET /a 200 UA (X11; Linux) 81.2.69.7")));
}

TEST_CASE("access log: --base replaces the host that a log names", "[replay]") {
  const std::string line =
      "https 2025-11-20T10:00:00.123456Z app/x/y 81.2.69.7:2817 10.0.0.1:80 0.0 0.0 0.0 200 200 34 "
      R"(366 "GET https://192.0.2.1:443/a?x=1 HTTP/2.0" "UA" - -)";
  auto given = options();
  given.base = "https://www.a.de/";
  auto chosen = open_reader("auto", line, given);
  REQUIRE(chosen);
  CHECK(std::get<ReplayEvent>(chosen->reader->read(line)).payload.url == "https://www.a.de/a?x=1");
}

TEST_CASE("access log: lighttpd's host is read in the place of the identity", "[replay]") {
  const std::string line =
      R"x(192.0.2.7 www.b.de - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 12 "-" "UA")x";
  auto given = options();
  given.site.clear();
  auto chosen = open_reader("auto", line, given);
  REQUIRE(chosen);
  const auto read = chosen->reader->read(line);
  const auto& payload = std::get<ReplayEvent>(read).payload;
  CHECK(payload.domains.front() == "www.b.de");
  CHECK(payload.ip == "192.0.2.7");
}

TEST_CASE("access log: an address is never the name of a site", "[replay]") {
  const std::string line =
      "https 2018-07-02T22:23:00.186641Z app/lb/50dc 1.2.3.4:2817 10.0.0.1:80 0.086 0.048 0.037 "
      "200 200 0 57 \"GET https://203.0.113.9:443/a HTTP/1.1\" \"UA 1\" ECDHE TLSv1.2 arn \"Root\"";
  auto given = options();
  given.site.clear();
  auto chosen = open_reader("auto", line, given);
  REQUIRE(chosen);
  CHECK(std::holds_alternative<Error>(chosen->reader->read(line)));
}

TEST_CASE("access log: documents and archives become downloads on request, and never pageviews",
          "[replay]") {
  for (const std::string path : {"/a.pdf", "/a.tar.gz?x=1", "/b/c.JAR", "/app.log", "/x.docx"}) {
    const auto line = replaced(kLine, "/a%20b?x=1", path);
    CHECK(std::holds_alternative<Filtered>(combined().read(line)));
    auto given = options();
    given.downloads = true;
    const auto read = AccessLogReader(make_combined_format(), given).read(line);
    REQUIRE(std::holds_alternative<ReplayEvent>(read));
    const auto& payload = std::get<ReplayEvent>(read).payload;
    CHECK(payload.name == "File Download");
    REQUIRE(payload.props.size() == 1);
    CHECK(payload.props[0] == Property{"url", "https://a.de" + path.substr(0, path.find('?'))});
  }
  for (const std::string path : {"/v1.2", "/pdf", "/a.pdf/", "/logs.d/x"}) {
    const auto read = combined().read(replaced(kLine, "/a%20b?x=1", path));
    CHECK(std::get<ReplayEvent>(read).payload.name == "pageview");
  }
}

TEST_CASE("access log: lines of S3, HAProxy and Envoy become pageviews", "[replay]") {
  struct Case {
    const char* format;
    std::string line;
    std::string agent;
    std::string referrer;
  };
  const Case cases[] = {
      {"s3",
       "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be a.de "
       "[17/May/2015:08:05:03 +0000] 1.2.3.4 - 3E57427F3EXAMPLE WEBSITE.GET.OBJECT a "
       "\"GET /a?x=1 HTTP/1.1\" 200 - 113 113 7 6 \"https://r.example/p\" \"UA 1\" - hostid SigV2",
       "UA 1", "https://r.example/p"},
      {"haproxy",
       "May 17 08:05:03 lb haproxy[14389]: 1.2.3.4:33317 [17/May/2015:08:05:03.655] http-in "
       "static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {a} {} \"GET /a?x=1 HTTP/1.1\"",
       "", ""},
      {"envoy",
       "[2015-05-17T08:05:03.000Z] \"GET /a?x=1 HTTP/2\" 200 - 154 0 226 100 \"1.2.3.4,10.0.0.1\" "
       "\"UA 1\" \"cc21d9b0-cf5c\" \"a.de\" \"10.0.2.1:80\"",
       "UA 1", ""}};
  for (const auto& [format, line, agent, referrer] : cases) {
    INFO(line);
    auto chosen = open_reader("auto", line, options());
    REQUIRE(chosen);
    CHECK(chosen->format == format);
    const auto read = chosen->reader->read(line);
    REQUIRE(std::holds_alternative<ReplayEvent>(read));
    const auto& payload = std::get<ReplayEvent>(read).payload;
    CHECK(payload.url == "https://a.de/a?x=1");
    CHECK(parse_address(*payload.ip) == parse_address("1.2.3.4"));
    CHECK(payload.user_agent == agent);
    CHECK(payload.referrer == referrer);
    CHECK(payload.timestamp == parse_rfc3339("2015-05-17T08:05:03Z"));
    // A truncated line is never misread.
    for (std::size_t size = 1; size < line.rfind('"'); ++size) {
      const auto cut = chosen->reader->read(line.substr(0, size));
      CHECK_FALSE(std::holds_alternative<ReplayEvent>(cut));
    }
  }
}

TEST_CASE("access log: a host name in place of an address identifies a visitor, too", "[replay]") {
  const auto read = [](const std::string& host) {
    return combined().read(replaced(kLine, "1.2.3.4", host));
  };
  const auto visitor = [&](const std::string& host) {
    return std::get<ReplayEvent>(read(host)).payload.visitor.value_or("none");
  };
  CHECK(visitor("in24.example.net") != "none");
  CHECK(visitor("in24.example.net") == visitor("in24.example.net"));
  CHECK(visitor("in24.example.net") != visitor("in25.example.net"));
  CHECK(visitor("1.2.3.4") == "none");
}

TEST_CASE("access log: a line of an AWS load balancer names its site by its URL", "[replay]") {
  const std::string line =
      "https 2018-07-02T22:23:00.186641Z app/lb/50dc 1.2.3.4:2817 10.0.0.1:80 0.086 0.048 0.037 "
      "200 200 0 57 \"GET https://a.de:443/a HTTP/1.1\" \"UA 1\" ECDHE TLSv1.2 arn \"Root\"";
  auto given = options();
  given.site.clear();
  auto chosen = open_reader("auto", line, given);
  REQUIRE(chosen);
  CHECK(chosen->format == "alb");
  const auto read = chosen->reader->read(line);
  REQUIRE(std::holds_alternative<ReplayEvent>(read));
  const auto& payload = std::get<ReplayEvent>(read).payload;
  CHECK(payload.url == "https://a.de:443/a");
  CHECK(payload.domains.front() == "a.de");
  CHECK(payload.user_agent == "UA 1");
  CHECK(payload.timestamp == parse_rfc3339("2018-07-02T22:23:00.186Z"));
}

TEST_CASE("access log: bytes that are not UTF-8 are converted, never mangled", "[replay]") {
  const auto read = combined().read(replaced(kLine, "UA \\", "f\xFCr \\"));
  CHECK(std::get<ReplayEvent>(read).payload.user_agent == "f\xC3\xBCr \"quoted\" A");
  CHECK(log_text("caf\xE9\x01") == "caf\xC3\xA9 ");
}

}  // namespace analytics::test::access_log_reader_test
