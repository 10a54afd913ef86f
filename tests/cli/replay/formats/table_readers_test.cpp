#include "cli/replay/formats/table_readers.h"

#include <fstream>

#include "cli/replay/formats/open_reader.h"
#include "cli/replay/formats/rejects_reader.h"
#include "cli/replay/input/input.h"
#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::table_readers_test {

using namespace analytics::cli;
using namespace analytics::cli::test;

namespace {

ReaderOptions options(std::vector<std::pair<std::string, std::string>> map = {}) {
  ReaderOptions made;
  made.site = "a.de";
  made.now = UnixMillis(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1));
  made.map = std::move(map);
  return made;
}

/// Returns all records of a file, read as replay reads them.
std::vector<Record> read_all(const std::filesystem::path& file, InputConfig config = {}) {
  config.files = {file.string()};
  if (config.reader.site.empty()) config.reader = options();
  auto input = ReplayInput::open(config);
  REQUIRE(input);
  (*input)->start(
      {[](const std::string&) { return SourcePast{}; }, [](const std::string&) { return false; }});
  std::vector<Record> records;
  while (!(*input)->records().at_end()) {
    auto bundle = (*input)->records().take(std::chrono::milliseconds(50));
    if (!bundle) continue;
    for (auto& record : *bundle) records.push_back(std::move(record));
  }
  CHECK_FALSE((*input)->error().has_value());
  return records;
}

std::vector<std::string> urls_of(const std::vector<Record>& records) {
  std::vector<std::string> urls;
  for (const auto& record : records) {
    if (const auto* event = std::get_if<ReplayEvent>(&record.content)) {
      urls.push_back(event->payload.url);
    }
  }
  return urls;
}

}  // namespace

TEST_CASE("json log: logs of known servers give the same pageview without --map", "[replay]") {
  const std::string logs[] = {
      // A line of nginx with escape=json and single variables.
      R"({"time_iso8601":"2015-05-17T10:05:03+02:00","remote_addr":"1.2.3.4","request_method":"GET","request_uri":"/a?x=1","status":"200","http_referer":"https://r.example/","http_user_agent":"UA","host":"a.de"})",
      // A line of nginx with the whole request line and msec.
      R"({"msec":"1431849903.000","remote_addr":"1.2.3.4","request":"GET /a?x=1 HTTP/1.1","status":200,"http_referer":"https://r.example/","http_user_agent":"UA","http_host":"a.de"})",
      // A line of Traefik.
      R"({"ClientHost":"1.2.3.4","DownstreamStatus":200,"RequestHost":"a.de","RequestMethod":"GET","RequestPath":"/a?x=1","StartUTC":"2015-05-17T08:05:03Z","request_User-Agent":"UA","request_Referer":"https://r.example/"})",
      // A line of Cloudflare Logpush with times in nanoseconds.
      R"({"ClientIP":"1.2.3.4","ClientRequestHost":"a.de","ClientRequestMethod":"GET","ClientRequestURI":"/a?x=1","EdgeResponseStatus":200,"EdgeStartTimestamp":1431849903000000000,"ClientRequestUserAgent":"UA","ClientRequestReferer":"https://r.example/"})",
      // A line of Google's load balancers.
      R"({"timestamp":"2015-05-17T08:05:03Z","httpRequest":{"requestMethod":"GET","requestUrl":"https://a.de/a?x=1","status":200,"userAgent":"UA","remoteIp":"1.2.3.4","referer":"https://r.example/"}})",
      // A line of Envoy.
      R"({"start_time":"2015-05-17T08:05:03.000Z","method":"GET","path":"/a?x=1","response_code":200,"client_ip":"1.2.3.4","user_agent":"UA","referer":"https://r.example/","authority":"a.de"})"};
  for (const auto& line : logs) {
    INFO(line);
    const auto chosen = open_reader("auto", line, options());
    REQUIRE(chosen);
    CHECK(chosen->format == "json");
    const auto read = chosen->reader->read(line);
    const auto* event = std::get_if<ReplayEvent>(&read);
    REQUIRE(event != nullptr);
    CHECK(event->payload.url == "https://a.de/a?x=1");
    CHECK(event->payload.ip == "1.2.3.4");
    CHECK(event->payload.user_agent == "UA");
    CHECK(event->payload.referrer == "https://r.example/");
    CHECK(event->payload.timestamp == parse_rfc3339("2015-05-17T08:05:03Z"));
  }
}

TEST_CASE("json log: the rules for access logs apply, and events are not mistaken for requests",
          "[replay]") {
  const auto with = [](const std::string& uri, const std::string& status) {
    return R"({"time_iso8601":"2015-05-17T10:05:03+02:00","remote_addr":"1.2.3.4","request_uri":")" +
           uri + R"(","status":)" + status + "}";
  };
  JsonReader reader(options());
  CHECK(std::holds_alternative<Filtered>(reader.read(with("/x.css", "200"))));
  CHECK(std::holds_alternative<Filtered>(reader.read(with("/x", "404"))));
  CHECK(std::holds_alternative<ReplayEvent>(reader.read(with("/x", "200"))));
  CHECK(std::holds_alternative<Error>(reader.read("nonsense")));
  CHECK(open_reader("auto", R"({"n":"pageview","u":"https://a.de/","status":200})", options())
            ->format == "ndjson");
  CHECK(open_reader("auto", R"({"p":"/"})", options({{"target", "p"}}))->format == "json");
}

TEST_CASE("csv: columns are found by name or by --map, with any delimiter", "[replay]") {
  const std::string headers[] = {"name,page,when,plan", "name;page;when;plan",
                                 "name\tpage\twhen\tplan", "name|page|when|plan"};
  for (const auto& header : headers) {
    INFO(header);
    const auto map = options({{"url", "page"}, {"timestamp", "when"}, {"prop.plan", "plan"}});
    CsvReader reader(map);
    const char delimiter = header[4];
    CHECK(CsvReader::is_header(header, map));
    CHECK(std::holds_alternative<NoRecord>(reader.read(header)));
    std::string row = R"("Sign ""up""",https://a.de/x,2015-05-17 08:05:03,pro)";
    std::replace(row.begin(), row.end(), ',', delimiter);
    const auto read = reader.read(row);
    const auto* event = std::get_if<ReplayEvent>(&read);
    REQUIRE(event != nullptr);
    CHECK(event->payload.name == "Sign \"up\"");
    CHECK(event->payload.props == std::vector<Property>{{"plan", "pro"}});
    CHECK(event->payload.timestamp == parse_rfc3339("2015-05-17T08:05:03Z"));
    CHECK(std::holds_alternative<Error>(reader.read("too" + std::string(1, delimiter) + "few")));
    CHECK(std::holds_alternative<Error>(reader.read("\"open" + row)));
  }
  CHECK_FALSE(CsvReader::is_header("some, words of prose", options()));
}

TEST_CASE("csv: a record may have several lines, and a stray quote affects only its own line",
          "[replay]") {
  TempFolder folder;
  const auto file = folder / "e.csv";
  std::ofstream(file) << "name,url\r\n"
                         "a,https://a.de/1\r\n"
                         "\"two\r\nlines\",https://a.de/2\n"
                         "stray\" quote,https://a.de/3\n"
                         "\n"
                         "b,https://a.de/4\n"
                         "\"never closed,https://a.de/5\n"
                         "c,https://a.de/6";
  const auto records = read_all(file);
  CHECK(urls_of(records) == std::vector<std::string>{"https://a.de/1", "https://a.de/2",
                                                     "https://a.de/4", "https://a.de/6"});
  REQUIRE(records.size() == 7);  // one of them is the header
  CHECK(records[2].line == 3);
  CHECK(records[3].line == 5);
  CHECK(std::holds_alternative<Error>(records[3].content));
  CHECK(records[5].line == 8);
  for (std::size_t i = 1; i < records.size(); ++i) CHECK(records[i].begin == records[i - 1].end);
  CHECK(records[3].origin->header == "name,url");
}

TEST_CASE(
    "input: every compression of the same bytes gives the same records of the same source file",
    "[replay]") {
  TempFolder folder;
  const auto file = folder / "e.ndjson";
  {
    std::ofstream out(file);
    for (int i = 0; i < 3'000; ++i) {
      out << R"({"n":"pageview","u":"https://a.de/)" << i << "\"}\n";
      if (i % 100 == 0) out << "\n";
    }
  }
  const auto plain = read_all(file);
  CHECK(plain.size() == 3'000);
  for (const std::vector<std::string>& packer :
       {std::vector<std::string>{"gzip", "-k"}, {"bzip2", "-k"}, {"xz", "-k"}, {"zstd", "-q"}}) {
    auto command = packer;
    command.push_back(file.string());
    REQUIRE(run(command).exit == 0);
  }
  for (const char* suffix : {".gz", ".bz2", ".xz", ".zst"}) {
    const auto packed = read_all(file.string() + suffix);
    CHECK(urls_of(packed) == urls_of(plain));
    CHECK(*packed.front().source == *plain.front().source);
    CHECK(packed.back().end == plain.back().end);
  }
}

TEST_CASE("input: UTF-16 with a byte order mark and named encodings are read", "[replay]") {
  const TempFolder folder;
  const std::string text = "url,ip\nhttps://a.de/k\xC3\xA4se,192.0.2.1\nhttps://a.de/b,192.0.2.1\n";
  std::ofstream(folder / "utf8") << text;
  const auto convert = [&](const std::string& name) {
    const auto file = (folder / name.c_str()).string();
    run({"sh", "-c", "iconv -f UTF-8 -t " + name + " " + (folder / "utf8").string() + " >" + file});
    return file;
  };
  const auto wanted = urls_of(read_all(folder / "utf8"));
  REQUIRE(wanted.size() == 2);
  CHECK(urls_of(read_all(convert("UTF-16"))) == wanted);
  for (const std::string name : {"windows-1252", "UTF-16LE", "UTF-32BE"}) {
    INFO(name);
    InputConfig config;
    config.encoding = name;
    CHECK(urls_of(read_all(convert(name), config)) == wanted);
  }
}

TEST_CASE("json: objects with props and revenue are read if the other columns are known",
          "[replay]") {
  const TempFolder folder;
  std::ofstream(folder / "a.json")
      << R"({"url":"https://a.de/","ts":1760000000,"ip":"192.0.2.1","props":{"plan":"pro"},)"
      << R"("revenue":{"amount":"1.5","currency":"EUR"}})";
  const auto records = read_all(folder / "a.json");
  REQUIRE(records.size() == 1);
  const auto& payload = std::get<ReplayEvent>(records[0].content).payload;
  CHECK(payload.props == std::vector<Property>{{"plan", "pro"}});
  REQUIRE(payload.revenue.has_value());
  CHECK(payload.revenue->micros == 1'500'000);
}

TEST_CASE("input: a document may begin with blank lines", "[replay]") {
  const TempFolder folder;
  std::ofstream(folder / "a.json") << "\n\n[\n  {\n    \"url\": \"https://a.de/\",\n    \"ip\": "
                                      "\"192.0.2.1\"\n  }\n]\n";
  CHECK(urls_of(read_all(folder / "a.json")).size() == 1);
}

TEST_CASE("csv: a path in place of a URL is completed with --base or the site", "[replay]") {
  const TempFolder folder;
  std::ofstream(folder / "a.csv") << "page,ip\n/x?y=1,192.0.2.1\n";
  InputConfig config;
  config.reader = options({{"url", "page"}});
  CHECK(urls_of(read_all(folder / "a.csv", config)) ==
        std::vector<std::string>{"https://a.de/x?y=1"});
  config.reader.base = "https://shop.a.de/";
  CHECK(urls_of(read_all(folder / "a.csv", config)) ==
        std::vector<std::string>{"https://shop.a.de/x?y=1"});
}

TEST_CASE("csv: a refused record over several lines stays one record", "[replay]") {
  TempFolder folder;
  const auto file = folder / "e.csv";
  std::ofstream(file) << "domain,url,name\n"
                         "a.de,not a url,\"line one\nline two\"\n"
                         "a.de,also bad,\"x\na.de,https://a.de/forged,forged\n\"\n"
                         "a.de,https://a.de/good,y\n";
  const auto records = read_all(file);
  REQUIRE(records.size() == 4);
  CHECK(urls_of(records) == std::vector<std::string>{"https://a.de/good"});
  CHECK(std::get<Error>(records[1].content).code == ErrorCode::kInvalidEvent);
  CHECK(records[1].original == "a.de,not a url,\"line one\nline two\"");
}

TEST_CASE("csv: --map must name existing columns", "[replay]") {
  const auto opened = open_reader("csv", "domain,url,when", options({{"timestamp", "whn"}}));
  REQUIRE_FALSE(opened);
  CHECK(opened.error().message.find("whn") != std::string::npos);
  CHECK(open_reader("csv", "domain,url,when", options({{"timestamp", "when"}})));
}

TEST_CASE("json: records may have different keys", "[replay]") {
  JsonReader reader(options({{"url", "page"}}));
  for (const std::string key : {"ts", "time", "@timestamp", "ts"}) {
    const auto read = reader.read(R"({"page":"https://a.de/","name":"x",")" + key +
                                  R"(":"2015-05-17T08:05:03Z"})");
    CHECK(std::get<ReplayEvent>(read).payload.timestamp == parse_rfc3339("2015-05-17T08:05:03Z"));
  }
}

TEST_CASE("tables: a User-Agent in a browser column is read as a User-Agent, mapped or not",
          "[replay]") {
  const std::string agent =
      "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0";
  const auto line = "2025-10-26 14:03:11,/p,81.2.69.142,\"" + agent + "\"";
  for (const auto& given : {options(), options({{"user_agent", "browser"}})}) {
    CsvReader reader(given);
    (void)reader.read("timestamp,url,ip,browser");
    const auto event = std::get<ReplayEvent>(reader.read(line)).payload;
    CHECK(event.user_agent == agent);
    CHECK(!event.derived.browser);
    CHECK(event.withheld == 0);
  }
}

TEST_CASE("tables: a mapped column is used only for its field", "[replay]") {
  CsvReader reader(options({{"prop.kind", "device"}, {"city", "country"}}));
  (void)reader.read("timestamp,url,device,country");
  const auto event =
      std::get<ReplayEvent>(reader.read("2025-10-26 14:03:11,/p,Tablet,Bern")).payload;
  CHECK(event.props == std::vector<Property>{{"kind", "Tablet"}});
  CHECK(event.derived.city == "Bern");
  CHECK(!event.derived.device);
  CHECK(!event.derived.country);
  // A column that every record needs, such as the URL, may be mapped to a property as well.
  CsvReader pages(options({{"prop.page", "url"}}));
  (void)pages.read("timestamp,url");
  CHECK(std::get<ReplayEvent>(pages.read("2025-10-26 14:03:11,/p")).payload.url ==
        "https://a.de/p");
}

}  // namespace analytics::test::table_readers_test
