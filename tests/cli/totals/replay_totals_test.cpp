// Tests of `replay` with reports of daily totals.
#include "tests/cli/replay_service.h"
#include "tests/cli/totals/write_zip.h"

namespace analytics::test::replay_totals_test {

namespace {

constexpr char kVisitors[] =
    "date,visitors,pageviews,bounces,visits,visit_duration\n"
    "2026-10-01,5,9,1,6,60\n2026-10-02,7,8,2,7,70\n";
constexpr char kPages[] =
    "date,hostname,page,visits,visitors,pageviews\n"
    "2026-10-01,demo.example,/a,6,5,9\n2026-10-02,demo.example,/b,x,7,8\n";

/// Writes a zip archive in the form of Plausible's export, and returns its path.
std::string write_archive(ReplayService& service) {
  return write_zip(service.folder / "demo_example_20261003.zip",
                   {{"imported_visitors_20261001_20261002.csv", kVisitors},
                    {"imported_pages_20261001_20261002.csv", kPages},
                    {"readme.txt", "hello\n"}});
}

std::string totals(ReplayService& service) {
  const auto shown =
      service.run_command({"stats", "--site", "demo.example", "--period", "2026-10-01,2026-10-02",
                           "--metrics", "visitors,pageviews", "-o", "csv"});
  return shown.out;
}

}  // namespace

TEST_CASE("replay: an archive of daily totals is imported once, and can be undone", "[totals]") {
  ReplayService service;
  const auto file = write_archive(service);
  const auto [planned, plan] = service.replay({"--site", "demo.example", file, "--dry-run"});
  CHECK(planned == 8);
  CHECK(plan["outcome"] == "dry_run");
  CHECK(plan["dimensions"]["total"]["pageviews"] == 17);
  CHECK(totals(service).find("17") == std::string::npos);
  const auto [exit, summary] = service.replay({"--site", "demo.example", file});
  CHECK(exit == 8);
  CHECK(summary["read"] == 4);
  CHECK(summary["rejected"] == 1);
  CHECK(summary["accepted"] == 4);
  CHECK(summary["first_day"] == "2026-10-01");
  CHECK(totals(service).find("visitors,12") != std::string::npos);
  CHECK(totals(service).find("pageviews,17") != std::string::npos);
  const auto again = service.replay({"--site", "demo.example", file}).second;
  CHECK(again["accepted"] == 0);
  CHECK(again["duplicate"] == 4);
  CHECK(totals(service).find("pageviews,17") != std::string::npos);
  CHECK(service
            .run_command(
                {"imports", "undo", "--site", "demo.example", summary["import"].get<std::string>()})
            .exit == 0);
  CHECK(totals(service).find("pageviews,0") != std::string::npos);
}

TEST_CASE("replay: errors about reports name the unsupported option, file or table", "[totals]") {
  ReplayService service;
  const auto report = service.write("visitors.csv", kVisitors);
  const auto events = service.write("events.ndjson", generate(2));
  const auto error_of = [&](std::vector<std::string> arguments, int exit) {
    arguments.insert(arguments.begin(), "replay");
    const auto done = service.run_command(std::move(arguments));
    CHECK(done.exit == exit);
    return done.err;
  };
  CHECK(error_of({report}, 2).find("use --site DOMAIN") != std::string::npos);
  CHECK(error_of({"--site", "demo.example", report, events}, 2).find("one after the other") !=
        std::string::npos);
  CHECK(error_of({"--site", "demo.example", "--base", "https://a.de", report}, 2)
            .find("--base has no effect") != std::string::npos);
  CHECK(error_of({"--site", "unknown.example", report}, 5).find("Unknown site") !=
        std::string::npos);
  const auto weeks = service.write(
      "Reports.csv",
      "# ----------------\n# Start date: 20261001\n# End date: 20261002\nNth week,Users\n0000,3\n");
  CHECK(error_of({"--site", "demo.example", weeks}, 0).find("it has no dates") !=
        std::string::npos);
}

TEST_CASE("replay: reports without rows and other files of a folder are named", "[totals]") {
  ReplayService service;
  const auto folder = service.folder / "reports";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "visitors.csv") << kVisitors;
  std::ofstream(folder / "websites.csv") << "date\n";
  std::ofstream(folder / "README.txt") << "Reports of the shop.\n";
  const auto done = service.run_command({"replay", "--site", "demo.example", folder.string()});
  CHECK(done.exit == 0);
  CHECK(done.err.find("websites.csv has no rows") != std::string::npos);
  CHECK(done.err.find("README.txt is not read, because it is not a report of daily totals") !=
        std::string::npos);
  CHECK(totals(service).find("pageviews,17") != std::string::npos);
  const auto divided = service.write("divided.csv",
                                     "date,sessionSource,pageReferrer,sessions\n"
                                     "20261001,(direct),,3\n20261001,(direct),https://b.de/,4\n");
  const auto refused = service.run_command({"replay", "--site", "demo.example", divided});
  CHECK(refused.err.find("its counts are divided by pageReferrer") != std::string::npos);
}

}  // namespace analytics::test::replay_totals_test
