#include "cli/totals/goatcounter_export.h"

#include <map>

#include "tests/cli/replay_service.h"
#include "tests/cli/totals/write_zip.h"

namespace analytics::test::goatcounter_export_test {

using namespace analytics::cli;

namespace {

const std::vector<std::pair<std::string, std::string>> kTexts = {
    {"x/info.json", "{\n  \"export_version\": \"1.0\"\n}\n"},
    {"x/paths.jsonl", R"({"id":211,"path":"/","title":"Home"}
{"id":215,"path":"/api?x=1","title":"API"}
{"id":300,"event":true,"path":"click-banana","title":"Yellow"}
)"},
    {"x/refs.jsonl", R"({"id":1,"ref":"","ref_scheme":"o"}
{"id":2,"ref":"Google","ref_scheme":"g"}
{"id":3,"ref":"www.Example.com/page.html","ref_scheme":"h"}
{"id":4,"ref":"letter","ref_scheme":"c"}
)"},
    {"x/browsers.jsonl", "{\"id\":1,\"name\":\"Chrome\",\"version\":\"46\"}\n"},
    {"x/systems.jsonl", "{\"id\":2,\"name\":\"Android\",\"version\":\"7.1\"}\n"},
    {"x/hit_stats.jsonl", R"({"hour":"2026-10-01T18:00:00Z","path_id":211,"ref_id":1,"count":4}
{"hour":"2026-10-01T19:00:00Z","path_id":211,"ref_id":2,"count":3}
{"hour":"2026-10-01T19:00:00Z","path_id":215,"ref_id":3,"count":2}
{"hour":"2026-10-01T19:00:00Z","path_id":300,"ref_id":1,"count":1}
{"hour":"2026-10-02T15:00:00Z","path_id":215,"ref_id":4,"count":5}
)"},
    {"x/browser_stats.jsonl", R"({"day":"2026-10-01","path_id":211,"browser_id":1,"count":7}
{"day":"2026-10-01","path_id":300,"browser_id":1,"count":1}
)"},
    {"x/system_stats.jsonl",
     "{\"day\":\"2026-10-01\",\"path_id\":211,\"system_id\":2,\"count\":7}\n"},
    {"x/location_stats.jsonl",
     "{\"day\":\"2026-10-01\",\"path_id\":211,\"location\":\"DE-BW\",\"count\":7}\n"},
    {"x/size_stats.jsonl", "{\"day\":\"2026-10-01\",\"path_id\":211,\"width\":1280,\"count\":7}\n"},
    {"x/language_stats.jsonl",
     "{\"day\":\"2026-10-01\",\"path_id\":211,\"language\":\"eng\",\"count\":7}\n"}};

/// Reads all tables of the export. Returns the sums of events; the key is day, dimension and
/// value.
std::map<std::string, std::int64_t> read_all(const std::vector<ReportPlace>& places) {
  const auto names = read_goatcounter_names(places);
  REQUIRE(names);
  std::map<std::string, std::int64_t> all;
  const auto add = [&](const std::vector<TotalsLine>& lines) {
    for (const auto& line : lines) {
      all[line.day + ' ' + line.dimension + ' ' + line.value] += line.sums.events;
    }
  };
  for (const auto& place : places) {
    const auto reader = make_goatcounter_reader(place, *names);
    if (reader == nullptr) continue;
    const auto text = ReportText::open(place);
    REQUIRE(text);
    for (ReportText::Line line; (*text)->next(line);) {
      const auto read = reader->read(line.text);
      REQUIRE(std::holds_alternative<AddedReportRow>(read));
      add(std::get<AddedReportRow>(read).before);
    }
    add(reader->finish());
  }
  return all;
}

}  // namespace

TEST_CASE("totals: GoatCounter's JSON export is added up by day", "[totals]") {
  const TempFolder folder;
  const auto places = list_texts(write_zip(folder / "a.zip", kTexts));
  REQUIRE(places);
  REQUIRE(is_goatcounter_export(*places));
  const std::map<std::string, std::int64_t> wanted = {
      {"2026-10-01 event:goal click-banana", 1},
      {"2026-10-01 event:name click-banana", 1},
      {"2026-10-01 event:page /", 7},
      {"2026-10-01 event:page /api", 2},
      {"2026-10-01 total ", 10},
      {"2026-10-01 visit:source ", 4},
      {"2026-10-01 visit:source Google", 3},
      {"2026-10-01 visit:source example.com", 2},
      {"2026-10-01 visit:referrer www.Example.com/page.html", 2},
      {"2026-10-01 visit:browser Chrome", 7},
      {"2026-10-01 visit:os Android", 7},
      {"2026-10-01 visit:country DE", 7},
      {"2026-10-01 visit:region DE-BW", 7},
      {"2026-10-01 visit:screen Laptop", 7},
      {"2026-10-02 event:page /api", 5},
      {"2026-10-02 total ", 5},
      {"2026-10-02 visit:source letter", 5},
      {"2026-10-02 visit:utm_source letter", 5}};
  CHECK(read_all(*places) == wanted);
}

TEST_CASE("totals: rows of GoatCounter without a known path are reported", "[totals]") {
  const ReportPlace place{"a.zip", "x/hit_stats.jsonl"};
  auto names = std::make_shared<GoatCounterNames>();
  names->paths["1"] = {"/", false};
  const auto reader = make_goatcounter_reader(place, names);
  REQUIRE(reader != nullptr);
  for (const auto* line : {"nothing", R"({"hour":"soon","path_id":1,"count":1})",
                           R"({"hour":"2026-10-01T00:00:00Z","path_id":2,"count":1})",
                           R"({"hour":"2026-10-01T00:00:00Z","path_id":1})",
                           R"({"hour":"2026-10-01T00:00:00Z","path_id":1,"count":-1})"}) {
    INFO(line);
    CHECK(std::holds_alternative<BadReportRow>(reader->read(line)));
  }
  CHECK(reader->finish().empty());
  CHECK(make_goatcounter_reader({"a.zip", "x/language_stats.jsonl"}, names) == nullptr);
}

TEST_CASE("replay: GoatCounter's JSON export is imported once, and can be undone", "[totals]") {
  ReplayService service;
  const auto file = write_zip(service.folder / "goatcounter.zip", kTexts);
  const std::vector<std::string> command = {"--site", "demo.example", file};
  const auto [exit, summary] = service.replay(command);
  CHECK(exit == 0);
  CHECK(summary["read"] == 10);
  CHECK(summary["rejected"] == 0);
  CHECK(summary["dimensions"]["total"]["pageviews"] == 14);
  const auto accepted = summary["accepted"];
  const auto again = service.replay(command).second;
  CHECK(again["accepted"] == 0);
  CHECK(again["duplicate"] == accepted);
  const auto shown =
      service.run_command({"stats", "--site", "demo.example", "--period", "2026-10-01,2026-10-02",
                           "--by", "page", "--metrics", "pageviews", "-o", "csv"});
  CHECK(shown.out.find("/,7") != std::string::npos);
  CHECK(shown.out.find("/api,7") != std::string::npos);
  const auto import = summary["import"].get<std::string>();
  CHECK(service.run_command({"imports", "undo", "--site", "demo.example", import}).exit == 0);
  CHECK(service.daemon.query("SELECT count(*) FROM total_batches") == "0");
}

TEST_CASE("replay: a day of GoatCounter with many pages is sent in several requests", "[totals]") {
  ReplayService service;
  std::string paths;
  std::string hits;
  constexpr int kPages = 11'000;  // number of pages; more than fit into one request
  for (int i = 0; i < kPages; ++i) {
    const auto id = std::to_string(i);
    paths += R"({"id":)" + id + R"(,"path":"/)" + id + "\"}\n";
    hits += R"({"hour":"2026-10-01T18:00:00Z","path_id":)" + id + ",\"ref_id\":1,\"count\":1}\n";
  }
  const auto file = write_zip(service.folder / "goatcounter.zip",
                              {{"paths.jsonl", paths}, {"hit_stats.jsonl", hits}});
  const auto [exit, summary] = service.replay({"--site", "demo.example", file});
  CHECK(exit == 0);
  CHECK(summary["accepted"] == kPages + 2);
  const auto again = service.replay({"--site", "demo.example", file}).second;
  CHECK(again["accepted"] == 0);
  CHECK(again["duplicate"] == kPages + 2);
}

}  // namespace analytics::test::goatcounter_export_test
