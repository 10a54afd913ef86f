// Tests of the commands `report`, `alerts` and `watch`.
#include <nlohmann/json.hpp>

#include "cli/stats/report_html.h"
#include "common/text/local_time.h"
#include "tests/cli/apply_fixture.h"
#include "tests/support/catch.h"

namespace analytics::test::report_test {

using namespace analytics::cli;

namespace {

bool has(const std::string& text, const std::string& piece) {
  INFO(piece << "\n" << text);
  return text.find(piece) != std::string::npos;
}

/// A daemon with two sites, one of which has just had a visit.
struct Sites : Server {
  Sites() {
    CHECK(run_command({"sites", "create", "a.example"}).exit == 0);
    CHECK(run_command({"sites", "create", "b.example"}).exit == 0);
    CHECK(run_command({"send", "--site", "a.example", "--url", "https://a.example/now"}).exit == 0);
  }
};

}  // namespace

TEST_CASE("report: HTML is self-contained, and hostile names are inert", "[cli]") {
  Overview site;
  site.title = "a.example <script>alert(1)</script>";
  site.totals = {{"Visitors", "1,204", "+12%", Tone::kBetter}};
  site.series = "Visitors";
  site.buckets = {{"2026-11-16", 3}, {"2026-11-17", 0}};
  site.panels = {{"Pages", {"Visitors"}, {{"/\"onload=\"x&\x1b[31m", {"7"}}}}, {"Goals", {}, {}}};
  const auto html = html_report({site});
  CHECK(has(html, "a.example &lt;script&gt;"));
  CHECK(!has(html, "<script"));
  CHECK(has(html, "/&quot;onload=&quot;x&amp;\\x1b[31m"));
  CHECK(has(html, ">Mon</td>"));  // label of the bar of Monday the 16th
  CHECK(has(html, ">2026-11-17</td>"));
  CHECK(!has(html, "Goals"));  // a panel without rows is left out
  for (const auto* loaded : {"src=", "href=", "url(", "@import"}) CHECK(!has(html, loaded));
}

TEST_CASE("report: no message is too long for mail programs, and each site is in the table",
          "[cli]") {
  Overview site;
  site.totals = {{"Visitors", "1,204", "+12%", Tone::kBetter}};
  for (int day = 10; day < 20; ++day) site.buckets.push_back({"2026-11-" + std::to_string(day), 3});
  for (const char* title : {"Pages", "Sources", "Countries", "Devices", "Goals"}) {
    site.panels.push_back({title, {"Visitors"}, {5, {std::string(60, 'x'), {"1,204"}}}});
  }
  std::vector<Overview> sites(40, site);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    sites[i].name = "site-" + std::to_string(i) + ".example";
    sites[i].title = sites[i].name + ", 2026-11-10 to 2026-11-19";
  }
  sites[1].buckets = {{"2026-11-10", 0}};
  const auto html = html_report(sites);
  CHECK(html.size() < 102'000);  // Gmail cuts longer messages
  CHECK(has(html, "site-39.example</td>"));
  CHECK(has(html, "No visitors."));
  CHECK(has(html, " more sites only the line above is here."));
}

TEST_CASE("report: a report covers one site or all sites, as text, HTML and JSON", "[cli]") {
  Sites sites;
  const auto text = sites.run_command({"report", "--site", "a.example", "--period", "day"});
  CHECK(text.exit == 0);
  CHECK(has(text.out, "a.example, "));
  CHECK(has(text.out, "/now"));
  const auto html = sites.run_command({"report", "--all", "--period", "day", "-o", "html"});
  CHECK(html.exit == 0);
  CHECK(has(html.out, "<title>Statistics of 2 sites</title>"));
  CHECK(has(html.out, "b.example"));
  CHECK(sites.json({"report", "--all"})["sites"].size() == 2);
  // A week or month has its first day as its label, even if that day is before the period.
  const auto weeks =
      sites.run_command({"report", "--site", "a.example", "--period", "2026-01-01,2026-10-31"});
  CHECK(weeks.out.starts_with("a.example, 2026-01-01 to 2026-10-31\n"));
  // The current month ends with today.
  const auto month = sites.json({"report", "--site", "a.example", "--period", "month"})["sites"][0];
  CHECK(month["timeseries"].back()["date"] == month["date_range"][1]);
  CHECK(month["date_range"][1] <=
        format_day(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())));
  CHECK(sites.run_command({"report"}).exit == 2);
  CHECK(sites.run_command({"report", "--all", "--site", "a.example"}).exit == 2);
  CHECK(sites.run_command({"report", "--site", "none.example"}).exit == 5);
  CHECK(sites.run_command({"report", "--all", "-o", "csv"}).exit == 2);
  CHECK(sites.run_command({"sites", "list", "-o", "html"}).exit == 2);
}

TEST_CASE("report: goals have a rate and revenue, and a shared link leads to the pages", "[cli]") {
  Sites sites;
  const auto event = [&](const char* name, const std::string& more) {
    sites.write("event.ndjson",
                R"({"domain":"a.example","name":")" + std::string(name) +
                    R"(","url":"https://a.example/","timestamp":"2026-11-20T10:00:00Z")" + more +
                    "}\n");
    CHECK(sites.run_command({"replay", sites.file("event.ndjson")}).exit == 0);
  };
  event("Signup", "");
  event("Buy", R"(,"revenue":{"currency":"EUR","amount":"12.50"})");
  CHECK(sites.run_command({"goals", "ensure", "--site", "a.example", "--event", "Signup"}).exit ==
        0);
  const auto report = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"report", "--period", "2026-11-20,2026-11-20"});
    return sites.run_command(more);
  };
  // The column for revenue appears only if a goal has revenue.
  const auto text = report({"--site", "a.example"}).out;
  CHECK(has(text, " Visitors Rate\nSignup "));
  CHECK(!has(text, "Revenue"));
  CHECK(sites.run_command({"goals", "ensure", "--site", "a.example", "--event", "Buy"}).exit == 0);
  CHECK(has(report({"--site", "a.example"}).out, " Visitors Rate Revenue\n"));
  CHECK(has(report({"--site", "a.example"}).out, "€12.50\n"));
  CHECK(has(report({"--site", "a.example", "-o", "html"}).out, ">€12.50</td>"));
  // A row shows the amounts in all currencies. A panel that is too wide for two side by side is on
  // its own line.
  event("Buy", R"(,"revenue":{"currency":"USD","amount":"12345.60"})");
  CHECK(has(report({"--site", "a.example"}).out, "€12.50, $12,345.60\n"));
  const auto missing = report({"--site", "a.example", "--link", "Team"});
  CHECK(missing.exit == 5);
  CHECK(has(missing.err, "analytics links ensure --site a.example NAME"));
  const auto made = sites.run_command({"links", "ensure", "--site", "a.example", "Team"}).out;
  const auto url = made.substr(made.find("http"));  // the URL with its line end
  CHECK(report({"--site", "a.example", "--link", "Team"}).out.ends_with("\n\n" + url));
  const auto all = sites.run_command({"links", "ensure", "--all-sites", "Me"}).out;
  const auto secret = all.substr(all.find("?auth="), all.find('\n') - all.find("?auth="));
  const auto html = report({"--all", "--link", "Me", "-o", "html"}).out;
  CHECK(has(html, "/share/a.example" + secret + "\""));
  CHECK(has(html, "/share/b.example" + secret + "\""));
}

TEST_CASE("alerts: the exit code is 0 without an alert and 9 with one", "[cli]") {
  Sites sites;
  CHECK(sites.run_command({"alerts", "--all"}).exit == 0);
  const auto time = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()) -
                    std::chrono::hours(30);
  sites.write("old.ndjson",
              R"({"domain":"b.example","name":"pageview","url":"https://b.example/","timestamp":)" +
                  std::to_string(time.time_since_epoch().count()) + "}\n");
  CHECK(sites.run_command({"replay", sites.file("old.ndjson")}).exit == 0);
  const auto all = sites.run_command({"alerts", "--all"});
  CHECK(all.exit == 9);
  CHECK(has(all.out, "b.example has had no event since"));
  CHECK(sites.run_command({"alerts", "--site", "a.example"}).exit == 0);
  CHECK(sites.run_command({"alerts", "--site", "b.example", "--silent-hours", "31"}).exit == 0);
  CHECK(sites.json({"alerts", "--all"})["alerts"][0]["kind"] == "silent");
  CHECK(sites.run_command({"alerts"}).exit == 2);
}

TEST_CASE("watch: the last half hour is shown once without a terminal", "[cli]") {
  Sites sites;
  const auto now = sites.run_command({"watch", "--site", "a.example"});
  CHECK(now.exit == 0);
  CHECK(has(now.out, "a.example: 1 visitor in the last five minutes"));
  CHECK(has(now.out, "/now"));
  CHECK(!has(now.out, "\033"));
  CHECK(sites.run_command({"watch", "--site", "a.example", "--every", "0s"}).exit == 2);
  CHECK(sites.run_command({"watch", "--site", "none.example"}).exit == 5);
}

}  // namespace analytics::test::report_test
