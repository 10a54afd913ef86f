#include <sstream>

#include "cli/stats/stats_overview.h"
#include "common/text/text.h"
#include "tests/cli/replay_service.h"
#include "tests/support/programs.h"
#include "tests/support/terminal.h"

namespace analytics::test::stats_test {

namespace {

/// A site with two visits on 2026-11-20; one of them comes from a hostile page.
struct Counted : ReplayService {
  Counted() {
    const auto file = write(
        "events.ndjson",
        R"({"domain":"demo.example","name":"pageview","url":"https://demo.example/a","referrer":"https://google.com/","timestamp":"2026-11-20T10:00:00Z","ip":"1.1.1.1","user_agent":"Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"}
{"domain":"demo.example","name":"pageview","url":"https://demo.example/%1b%5B31mred","timestamp":"2026-11-20T10:01:00Z","ip":"1.1.1.1","user_agent":"Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"}
{"domain":"demo.example","name":"Signup","url":"https://demo.example/a","revenue":{"amount":"9.90","currency":"EUR"},"timestamp":"2026-11-20T11:00:00Z","ip":"2.2.2.2","user_agent":"Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"}
)");
    REQUIRE(run_command({"replay", file, "-q"}).exit == 0);
    REQUIRE(run_command({"goals", "ensure", "--site", "demo.example", "--event", "Signup"}).exit ==
            0);
  }
  Process::Finished stats(std::vector<std::string> more) {
    std::vector<std::string> all{"stats", "--site", "demo.example", "--date", "2026-11-20"};
    if (std::find(more.begin(), more.end(), "--period") == more.end()) {
      all.insert(all.end(), {"--period", "day"});
    }
    all.insert(all.end(), more.begin(), more.end());
    return run_command(all);
  }
};

std::string drawn(const cli::Overview& overview, std::size_t columns, bool colour) {
  std::ostringstream out;
  cli::draw_overview(out, overview, columns, colour);
  return out.str();
}

}  // namespace

TEST_CASE("stats: the overview of a site fits its terminal, with and without colour",
          "[cli][stats]") {
  Counted service;
  for (const unsigned short columns : std::initializer_list<unsigned short>{40, 80, 200}) {
    const auto shown = run_on_terminal({cli_program(), "stats", "--site", "demo.example",
                                        "--period", "day", "--date", "2026-11-20"},
                                       service.options(), columns);
    INFO(shown.out);
    CHECK(shown.exit == 0);
    CHECK(shown.out.find("\033[1mdemo.example, 2026-11-20\033[0m") != std::string::npos);
    CHECK(shown.out.find("/%1b[31mred") != std::string::npos);
  }
  const auto plain = run_on_terminal({cli_program(), "stats", "--site", "demo.example", "--period",
                                      "day", "--date", "2026-11-20", "--no-color"},
                                     service.options(), 80);
  CHECK(plain.out.find('\033') == std::string::npos);
  CHECK(plain.out.find("█") != std::string::npos);
}

TEST_CASE("stats: no line of the overview is wider than the terminal", "[cli][stats]") {
  cli::Overview overview{"example.com", {}, "Visitors", {}, {}};
  for (const char* name :
       {"Visitors", "Visits", "Pageviews", "Views/visit", "Bounce rate", "Duration"}) {
    overview.totals.push_back({name, "1,234,567", "+1200%", cli::Tone::kBetter});
  }
  for (int i = 0; i < 31; ++i) {
    overview.buckets.push_back({"2026-11-" + std::to_string(10 + i), static_cast<double>(i * i)});
  }
  const std::vector<std::string> headings[] = {
      {"Visitors"}, {"Visitors"}, {"Visitors", "Rate", "Revenue"}};
  for (const auto& columns : headings) {
    std::vector<std::string> values(columns.size(), "1,234,567");
    overview.panels.push_back({"Pages",
                               columns,
                               {{std::string(300, 'x'), values},
                                {"漢字イベント漢字イベント漢字イベント漢字イベント", values}}});
  }
  for (const std::size_t columns : {40u, 55u, 80u, 120u}) {
    const auto text = drawn(overview, columns, false);
    INFO(text);
    for (const auto line : split(text, '\n')) CHECK(count_columns(line) <= columns);
    CHECK(text.find('\033') == std::string::npos);
    CHECK(text.find("xx…") != std::string::npos);
  }
  overview.buckets.clear();
  CHECK_NOTHROW(drawn(overview, 80, true));
  CHECK(cli::fit("äöü", 2) == "ä…");
  CHECK(cli::fit("äöü", 4) == "äöü ");
  CHECK(cli::fit("漢字", 3) == "漢…");
  CHECK(cli::fit("漢字", 2) == "… ");
}

TEST_CASE("stats: programs get every output form", "[cli][stats]") {
  Counted service;
  const auto text = service.stats({});
  CHECK(text.exit == 0);
  CHECK(text.err.empty());
  CHECK(text.out.starts_with("total\tvisitors\t2\t100\n"));
  CHECK(text.out.find("\npage\t/a\t2\n") != std::string::npos);
  CHECK(text.out.find("\ngoal\tSignup\t1\n") != std::string::npos);
  CHECK(text.out.find('\033') == std::string::npos);
  const auto json = nlohmann::json::parse(service.stats({"-o", "json"}).out);
  CHECK(json["totals"]["visitors"]["value"] == 2);
  CHECK(json["timeseries"].size() == 24);
  CHECK(json["source"][0]["visitors"] == 1);
  CHECK(service.stats({"-o", "csv"})
            .out.starts_with("metric,value,comparison_value,change\r\nvisitors,2,0,100\r\n"));
}

TEST_CASE("stats: a table by a property accepts metrics, conditions and a limit", "[cli][stats]") {
  Counted service;
  CHECK(service.stats({"--by", "source", "--metrics", "visitors,bounce_rate", "-o", "csv"}).out ==
        "source,visitors,bounce_rate\r\nDirect / None,1,0\r\nGoogle,1,0\r\n");
  CHECK(service.stats({"--by", "page", "--filter", "page==/a", "--filter", "source!=Google"}).out ==
        "/a\t1\n");
  CHECK(service.stats({"--by", "goal", "--metrics", "conversion_rate"}).out == "Signup\t50\n");
  CHECK(service.stats({"--by", "hour", "--limit", "2", "--metrics", "pageviews"}).out ==
        "2026-11-20 22:00:00\t0\n2026-11-20 23:00:00\t0\n");
  CHECK(service.stats({"--by", "page", "--filter", "page==/a;b=1|/a"}).out == "/a\t2\n");
  CHECK(service.stats({"--by", "day", "--period", "30d", "-o", "json"})
            .out.find(R"({"date":"2026-11-19","visitors":0})") != std::string::npos);
  CHECK(service.stats({"--metrics", "visitors,pageviews", "-o", "csv"}).out ==
        "metric,value,comparison_value,change\r\nvisitors,2,0,100\r\npageviews,2,0,100\r\n");
  CHECK(service.stats({"--by", "goal", "--metrics", "visitors,total_revenue"}).out ==
        "Signup\t1\t9.9 EUR\n");
  CHECK(service.stats({"--by", "visit:country", "-o", "csv"}).out ==
        "country,visitors\r\n(not set),2\r\n");
  CHECK(service.stats({"--by", "props:plan", "--filter", "name==Nothing", "-o", "csv"}).out ==
        "plan,visitors\r\n");
  CHECK(service.stats({"--by", "hour", "--period", "7d", "-o", "json"})
            .out.find(R"({"date":"2026-11-13 00:00:00","visitors":0})") != std::string::npos);
}

TEST_CASE("stats: filters select the events that their notation describes", "[cli][stats]") {
  Counted service;
  const auto visitors = [&](const std::vector<std::string>& filters) {
    std::vector<std::string> more{"--metrics", "visitors", "--compare", "none"};
    for (const auto& filter : filters) more.insert(more.end(), {"--filter", filter});
    return service.stats(more).out;
  };
  CHECK(visitors({"page==/a"}) == "visitors\t2\t\t\n");
  CHECK(visitors({"page==/*"}) == "visitors\t2\t\t\n");
  CHECK(visitors({"page==/b*|*a"}) == "visitors\t2\t\t\n");
  CHECK(visitors({"page!=/*"}) == "visitors\t0\t\t\n");
  CHECK(visitors({"page==/."}) == "visitors\t0\t\t\n");   // not a regular expression
  CHECK(visitors({"page==/.*"}) == "visitors\t0\t\t\n");  // this is no regular expression either
  CHECK(visitors({"page==/a\\|b"}) == "visitors\t0\t\t\n");
  CHECK(visitors({"source==Google", "page==/a"}) == "visitors\t1\t\t\n");
  CHECK(visitors({"visit:source == Google | Bing"}) == "visitors\t1\t\t\n");
  CHECK(visitors({"goal==Signup"}) == "visitors\t1\t\t\n");
}

TEST_CASE("stats: only totals that have a meaning are shown", "[cli][stats]") {
  Counted service;
  const auto names = [&](const std::string& filter) {
    const auto shown = service.stats({"--filter", filter, "-o", "json"});
    CHECK(shown.err.empty());
    const auto all = nlohmann::json::parse(shown.out);
    std::string joined;
    for (const auto& [name, total] : all["totals"].items()) joined += name + " ";
    return joined;
  };
  CHECK(names("page==/a") == "bounce_rate pageviews visit_duration visitors visits ");
  CHECK(names("goal==Signup") == "average_revenue conversion_rate events total_revenue visitors ");
  CHECK(names("name==pageview") ==
        "bounce_rate pageviews views_per_visit visit_duration visitors visits ");
  CHECK(service.stats({"--filter", "goal!=Signup", "--metrics", "visitors"}).out ==
        "visitors\t1\t0\t100\n");
  CHECK(service.run_command({"stats", "--site", "demo.example", "--period", "all"})
            .out.find("total\tvisitors\t2\t\n") != std::string::npos);
  const auto asked =
      service.stats({"--filter", "page==/a", "--metrics", "visitors,views_per_visit"});
  CHECK(asked.out == "visitors\t2\t0\t100\nviews_per_visit\t\t\t\n");
  CHECK(asked.err.find("views_per_visit: ") != std::string::npos);
}

TEST_CASE("stats: --period selects the days, and --compare the days to compare with",
          "[cli][stats]") {
  Counted service;
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> all{"stats", "--site", "demo.example", "--metrics", "visitors"};
    all.insert(all.end(), more.begin(), more.end());
    return service.run_command(all);
  };
  for (const auto& period : std::vector<std::vector<std::string>>{
           {"--period", "2026-11-01,2026-11-30"},
           {"--period", "custom", "--date", "2026-11-20, 2026-11-20"},
           {"--period", "7d", "--date", "2026-11-21"},
           {"--period", "1mo", "--date", "2026-12-31"},
           {"--period", "month", "--date", "2026-11-01"},
           {"--period", "year", "--date", "2026-01-01"},
           {"--period", "all", "--compare", "previous"}}) {
    CAPTURE(join(period, " "));
    CHECK(run(period).out.starts_with("visitors\t2\t0\t"));
  }
  CHECK(run({"--period", "7d", "--date", "2026-11-20"}).out.starts_with("visitors\t0\t"));
  CHECK(run({"--period", "2026-11-21,2026-11-21", "--compare", "previous"}).out ==
        "visitors\t0\t2\t-100\n");
  CHECK(run({"--period", "2027-11-20,2027-11-20", "--compare", "year"}).out ==
        "visitors\t0\t2\t-100\n");
  CHECK(
      run({"--period", "day", "--date", "2026-11-01", "--compare", "2026-11-19,2026-11-20"}).out ==
      "visitors\t0\t2\t-100\n");
  CHECK(run({"--period", "day", "--date", "2026-11-20", "--by", "source", "--compare", "previous",
             "-o", "csv"})
            .out ==
        "source,visitors,visitors_before,visitors_change\r\n"
        "Direct / None,1,0,100\r\nGoogle,1,0,100\r\n");
  CHECK(run({"--period", "2026-11-20,2026-11-21", "--by", "day", "--compare", "year"}).out ==
        "2026-11-20\t2\t0\t100\n2026-11-21\t0\t0\t0\n");
  for (const auto& wrong :
       std::vector<std::vector<std::string>>{{"--compare", "before"},
                                             {"--period", "all", "--date", "2026-01-01"},
                                             {"--period", "2026-01-01,"},
                                             {"--date", "yesterday"}}) {
    CHECK(run(wrong).exit == 2);
  }
}

TEST_CASE("stats: wrong words are refused with the server's message", "[cli][stats]") {
  Counted service;
  for (const auto& wrong : std::vector<std::vector<std::string>>{{"--by", "shoes"},
                                                                 {"--filter", "page"},
                                                                 {"--metrics", "money"},
                                                                 {"--period", "week"},
                                                                 {"--limit", "3"},
                                                                 {"--limit", "0"}}) {
    const auto refused = service.stats(wrong);
    CHECK(refused.exit == 2);
    CHECK(!refused.err.empty());
    CHECK(refused.out.empty());
  }
  CHECK(service.run_command({"stats", "--site", "nope.example"}).exit == 5);
  CHECK(service.run_command({"stats", "--by", "page"}).exit == 2);
}

TEST_CASE("stats: without --site, each site has a line", "[cli][stats]") {
  Counted service;
  const auto all = service.run_command({"stats"});
  CHECK(all.exit == 0);
  CHECK(all.out.starts_with("demo.example\t"));
  const auto csv = service.run_command({"stats", "-o", "csv"});
  CHECK(csv.out.starts_with("domain,current_visitors,visitors_today,visitors_7d,change_7d,"));
  const auto json = nlohmann::json::parse(service.run_command({"stats", "-o", "json"}).out);
  CHECK(json["sites"][0]["visitors_by_day"].size() == 30);
  const auto drawn = run_on_terminal({cli_program(), "stats"}, service.options(), 80);
  CHECK(drawn.out.find("last event") != std::string::npos);
  CHECK(drawn.out.find("Together") == std::string::npos);
  REQUIRE(service.run_command({"sites", "create", "second.example"}).exit == 0);
  const auto two = run_on_terminal({cli_program(), "stats"}, service.options(), 80);
  CHECK(two.out.find("Together") != std::string::npos);
  CHECK(service.run_command({"stats"}).out.find("Together") == std::string::npos);
}

}  // namespace analytics::test::stats_test
