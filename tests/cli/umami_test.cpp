#include <algorithm>
#include <sstream>

#include "tests/cli/replay_service.h"
#include "tests/cli/totals/write_zip.h"

namespace analytics::test::umami_test {

namespace {

/// Parts of a pg_dump of Umami 3: two websites and three sessions, with one page and one event
/// each, and one page whose session is missing.
constexpr char kHead[] = "--\n-- PostgreSQL database dump\n--\n\n";
constexpr char kEventData[] =
    "COPY public.event_data (event_data_id, website_id, website_event_id, data_key, string_value, "
    "number_value, date_value, data_type, created_at) FROM stdin;\n"
    "d1\tw1\te2\tplan\tpro\t\\N\t\\N\t1\t2026-03-20 10:00:09+00\n"
    "d2\tw1\te2\tseats\t12.5000\t12.5000\t\\N\t2\t2026-03-20 10:00:09+00\n"
    "d3\tw1\te2\temail\ta@b.example\t\\N\t\\N\t1\t2026-03-20 10:00:09+00\n\\.\n\n";
constexpr char kRevenue[] =
    "COPY public.revenue (revenue_id, website_id, session_id, event_id, event_name, currency, "
    "revenue, created_at) FROM stdin;\n"
    "r1\tw1\ts1\te2\tSignup\tEUR\t9.9500\t2026-03-20 10:00:09+00\n\\.\n\n";
constexpr char kSessions[] =
    "COPY public.session (session_id, website_id, browser, os, device, screen, language, country, "
    "region, city, created_at, distinct_id) FROM stdin;\n"
    "s1\tw1\tedge-chromium\tWindows "
    "10\tlaptop\t1366x768\tde-DE\tDE\tDE-BE\tBerlin\t2026-03-20\t\\N\n"
    "s2\tw2\tfirefox\tLinux\tdesktop\t1920x1080\ten\tGB\t\\N\t\\N\t2026-03-20\t\\N\n\\.\n\n";
constexpr char kWebsites[] =
    "COPY public.website (website_id, name, domain) FROM stdin;\n"
    "w1\tShop\tshop.example\nw2\tDocs\tdocs.example\n\\.\n\n";
constexpr char kEvents[] =
    "COPY public.website_event (event_id, website_id, session_id, created_at, url_path, url_query, "
    "referrer_path, referrer_query, referrer_domain, page_title, event_type, event_name, visit_id, "
    "hostname) FROM stdin;\n"
    "e1\tw1\ts1\t2026-03-20 "
    "10:00:00.25+00\t/a\\tb\tq=1\t/x\t\tnews.example\tA\t1\t\\N\tv1\twww.shop."
    "example\n"
    "e2\tw1\ts1\t2026-03-20 12:00:09+02\t/buy\t\t\\N\t\\N\t\\N\tBuy\t2\tSignup\tv1\t\\N\n"
    "e3\tw2\ts2\t2026-03-20 11:00:00+00\t/docs\t\t\\N\t\\N\t\\N\tDocs\t1\t\\N\tv2\tdocs.example\n"
    "e4\tw2\tsX\t2026-03-20 11:30:00+00\t/docs\t\t\\N\t\\N\t\\N\tDocs\t1\t\\N\tv3\tdocs.example\n"
    "e5\tw2\ts2\t2026-03-20 "
    "11:31:00+00\t/docs\t\t\\N\t\\N\t\\N\tDocs\t5\t\\N\tv2\tdocs.example\n\\.\n\n";
constexpr char kEnd[] = "-- PostgreSQL database dump complete\n";

std::string dump() {
  return std::string(kHead) + kEventData + kRevenue + kSessions + kWebsites + kEvents + kEnd;
}

struct TwoSites : ReplayService {
  TwoSites() {
    for (const char* domain : {"shop.example", "docs.example"}) {
      api.form("POST", "/api/v1/sites", std::string("domain=") + domain);
    }
  }
  /// Returns the stored events of a site, ordered by time.
  std::vector<nlohmann::json> events_of(const std::string& domain) {
    const auto done = run_command({"export", "events", "--site", domain});
    std::vector<nlohmann::json> events;
    std::istringstream lines(done.out);
    for (std::string line; std::getline(lines, line);)
      events.push_back(nlohmann::json::parse(line));
    std::sort(events.begin(), events.end(),
              [](const auto& a, const auto& b) { return a["timestamp"] < b["timestamp"]; });
    return events;
  }
};

/// Returns a table in COPY format as CSV.
std::string csv_of(std::string_view copied) {
  const auto open = copied.find('(');
  const auto close = copied.find(')');
  std::string csv(copied.substr(open + 1, close - open - 1));
  csv.erase(std::remove(csv.begin(), csv.end(), ' '), csv.end());
  const auto rows = copied.substr(copied.find('\n') + 1);
  csv += '\n' + std::string(rows.substr(0, rows.find("\\.\n")));
  for (auto at = csv.find("\\N"); at != std::string::npos; at = csv.find("\\N")) csv.erase(at, 2);
  for (auto at = csv.find("\\t"); at != std::string::npos; at = csv.find("\\t")) csv.erase(at, 2);
  std::replace(csv.begin(), csv.end(), '\t', ',');
  return csv;
}

void check_joined(TwoSites& service) {
  const auto shop = service.events_of("shop.example");
  REQUIRE(shop.size() == 2);
  CHECK(shop[0]["name"] == "pageview");
  CHECK(shop[0]["referrer"] == "https://news.example/x");
  CHECK(shop[0]["browser"] == "Edge");
  CHECK(shop[0]["os_version"] == "10");
  CHECK(shop[0]["city"] == "Berlin");
  CHECK(shop[0]["language"] == "de");
  CHECK(shop[1]["name"] == "Signup");
  CHECK(shop[1]["timestamp"] == 1774000809000);
  CHECK(shop[1]["props"] == nlohmann::json{{"plan", "pro"}, {"seats", "12.5"}});
  CHECK(shop[1]["revenue"]["currency"] == "EUR");
  CHECK(shop[1]["visit"] == shop[0]["visit"]);
  const auto docs = service.events_of("docs.example");
  REQUIRE(docs.size() == 2);  // the third row is a measurement, not an event
  CHECK(docs[0]["browser"] == "Firefox");
  CHECK_FALSE(docs[1].contains("browser"));  // its session is missing in the dump
}

}  // namespace

TEST_CASE("replay: files of events in a zip archive are read like those of a folder", "[cli]") {
  TwoSites service;
  const auto csv = [](const std::string& line) {
    return "event_id,website_id,session_id,created_at,url_path,url_query,referrer_path,"
           "referrer_query,referrer_domain,page_title,event_type,event_name,visit_id,hostname\n" +
           line;
  };
  const auto file = write_zip(
      service.folder / "export.zip",
      {{"a/website_event.csv", csv("e1,w1,s1,2026-03-20 10:00:00,/a,,,,,A,1,,v1,shop.example\n")},
       {"a/session.csv",
        "session_id,website_id,browser,os,device,screen,language,country,region,city,created_at\n"
        "s1,w1,firefox,Linux,desktop,1920x1080,en,GB,,,2026-03-20\n"},
       {"__MACOSX/a/._session.csv", "x"},
       {"b/access.log",
        "192.0.2.1 - - [20/Mar/2026:10:00:00 +0000] \"GET /b HTTP/1.1\" 200 1 \"-\" \"UA\"\n"}});
  const std::vector<std::string> arguments{file, "--site", "shop.example"};
  const auto [exit, summary] = service.replay(arguments);
  CHECK(exit == 0);
  CHECK(summary["accepted"] == 2);
  CHECK(
      service.daemon.query("SELECT group_concat(path || ' ' || coalesce(country, '-'), ', ') FROM "
                           "(SELECT * FROM event_text ORDER BY path)") == "/a GB, /b -");
  CHECK(service.replay(arguments).second["this_run"]["accepted"] == 0);
  // The checkpoints are deleted, so that only the server knows what was sent.
  std::filesystem::remove_all(state_folder());
  CHECK(service.replay(arguments).second["accepted"] == 2);
  CHECK(service.daemon.query("SELECT count(*) FROM events") == "2");
  // A file inside the archive can be named.
  CHECK(service.replay({file + "/b/access.log", "--site", "docs.example"}).second["accepted"] == 1);
  CHECK(service.replay({file + "/b/access.log", "--follow"}).first == 2);
  // In a folder, a copy of the archive is recognised by its content.
  std::filesystem::create_directory(service.folder / "sub");
  std::filesystem::copy(file, service.folder / "sub" / "copy.zip");
  const auto folder = (service.folder / "sub").string();
  CHECK(service.replay({folder, "--site", "shop.example"}).second["this_run"]["accepted"] == 0);
  std::filesystem::resize_file(file, 300);
  CHECK(service.replay(arguments).first == 3);
}

TEST_CASE("umami: the tables of a dump are joined", "[cli]") {
  TwoSites service;
  const auto file = service.write("umami.sql", dump());
  const auto [exit, summary] = service.replay({file});
  CHECK(exit == 0);
  CHECK(summary["accepted"] == 4);
  CHECK(summary["filtered"] == 1);
  CHECK(summary["withheld"] == 1);  // a property contained an e-mail address
  check_joined(service);
  // Umami stores paths decoded, so replay encodes the "%" again.
  CHECK(service.events_of("shop.example")[0]["url"] == "https://shop.example/a%2509b");
  CHECK(service.replay({file}).second["this_run"]["accepted"] == 0);
  const auto import = summary["import"].get<std::string>();
  for (const char* site : {"shop.example", "docs.example"}) {
    CHECK(service.run_command({"imports", "undo", import, "--site", site}).exit == 0);
  }
  CHECK(service.rows() == "0");
}

TEST_CASE("umami: the tables of a dump may be in any order, except in a pipe", "[cli]") {
  TwoSites service;
  const auto other = std::string(kHead) + kEvents + kSessions + kWebsites + kRevenue + kEventData;
  const auto [piped, problem] = service.replay({"-"}, other + kEnd);
  CHECK(piped == 8);
  CHECK(service.rows() == "0");
  CHECK(service.replay({"-"}, dump()).second["accepted"] == 4);
  check_joined(service);
  TwoSites another;
  CHECK(another.replay({another.write("other.sql", other + kEnd)}).first == 0);
  check_joined(another);
}

TEST_CASE("umami: --site selects the website of that name", "[cli]") {
  TwoSites service;
  const auto file = service.write("umami.sql", dump());
  const auto [exit, summary] = service.replay({"--site", "docs.example", file});
  CHECK(exit == 0);
  CHECK(summary["accepted"] == 2);
  CHECK(summary["filtered"] == 3);
  CHECK(service.events_of("docs.example").size() == 2);
  TwoSites all;
  CHECK(all.replay({"--site-override", "docs.example", all.write("umami.sql", dump())})
            .second["accepted"] == 4);
  CHECK(all.events_of("docs.example").size() == 4);
}

TEST_CASE("umami: tables as CSV files belong together", "[cli]") {
  TwoSites service;
  const auto events = service.write("website_event.csv", csv_of(kEvents));
  const auto sessions = service.write("session.csv", csv_of(kSessions));
  const auto [exit, summary] = service.replay(
      {service.write("event_data.csv", csv_of(kEventData)), events,
       service.write("website.csv", csv_of(kWebsites)), sessions,
       service.write("revenue.csv", csv_of(kRevenue)),
       service.write("session_data.csv",
                     "session_id,website_id,data_key,string_value\ns1,w1,name,Ann\n")});
  CHECK(exit == 0);
  CHECK(summary["accepted"] == 4);
  check_joined(service);
  CHECK(service.run_command({"replay", sessions}).err.find("website_event") != std::string::npos);
}

TEST_CASE("umami: other files of a run do not change the byte ranges of a dump's events", "[cli]") {
  TwoSites service;
  const auto file = service.write("umami.sql", dump());
  auto text = dump();
  for (auto at = text.find("shop.example"); at != std::string::npos;
       at = text.find("shop.example")) {
    text.replace(at, 12, "cafe.example");
  }
  const auto other = service.write("other.sql", text);
  run({"sh", "-c", "gzip -k " + file});
  CHECK(service.replay({file}).second["accepted"] == 4);
  CHECK(service.replay({file, file + ".gz"}).second["this_run"]["accepted"] == 0);
  CHECK(service.replay({other, file}).second["this_run"]["read"] == 5);
  // Only the events of docs.example are new, because the site cafe.example does not exist.
  CHECK(service.rows() == "6");
  const auto events = service.write("website_event.csv", csv_of(kEvents));
  const auto sessions = service.write("session.csv", csv_of(kSessions));
  TwoSites plain;
  CHECK(plain.replay({"--site-override", "shop.example", events}).second["accepted"] == 4);
  CHECK(plain.replay({"--site-override", "shop.example", events, sessions})
            .second["this_run"]["accepted"] == 0);
  CHECK(plain.rows() == "4");
}

TEST_CASE("umami: each of two requested sites gets its own events", "[cli]") {
  TwoSites service;
  const auto file = service.write("umami.sql", dump());
  CHECK(service.replay({"--site", "shop.example,docs.example", file}).second["accepted"] == 4);
  check_joined(service);
}

TEST_CASE("umami: options override the format that a file's columns suggest", "[cli]") {
  TwoSites service;
  const auto file = service.write("pages.csv",
                                  "website_id,domain,name,url,time\n1,x,pageview,https://shop."
                                  "example/,2026-03-20T10:00:00Z\n");
  CHECK(service
            .replay({"--site-override", "shop.example", "--format", "csv", "--map", "url=url",
                     "--map", "timestamp=time", file})
            .second["accepted"] == 1);
  // The error about a damaged row does not show the row's values.
  const auto bad = service.write("event_data.csv",
                                 "website_id,event_id,data_key,string_value\nw,e1,a@b.example\n");
  const auto refused = service.run_command({"replay", file, bad});
  CHECK(refused.exit == 3);
  CHECK(refused.err.find("row 1 of the table event_data") != std::string::npos);
  CHECK(refused.err.find("a@b") == std::string::npos);
}

TEST_CASE("umami: truncated dumps and dumps of other programs are not imported", "[cli]") {
  TwoSites service;
  const auto refuse = [&](const std::string& text) {
    const auto done = service.run_command({"replay", service.write("x.sql", text)});
    CHECK(done.exit == 3);
    return done.err;
  };
  const auto whole = dump();
  CHECK(refuse(whole.substr(0, whole.size() - 100)).find("middle") != std::string::npos);
  CHECK(refuse(whole.substr(0, whole.size() - sizeof kEnd)).find("not whole") != std::string::npos);
  CHECK(refuse("CREATE TABLE a (b int);\nCREATE TABLE c (d int);\n").find("a, c") !=
        std::string::npos);
  CHECK(service.rows() == "0");
}

TEST_CASE("umami: a dump whose import was killed is imported exactly once", "[cli]") {
  constexpr int kEvents = 20'000;
  std::string rows = std::string(kHead) + kSessions + kWebsites;
  rows +=
      "COPY public.website_event (event_id, website_id, session_id, visit_id, created_at, "
      "url_path, referrer_domain, event_type, hostname) FROM stdin;\n";
  for (int i = 0; i < kEvents; ++i) {
    rows += "e" + std::to_string(i) + "\tw1\ts1\tv" + std::to_string(i / 10) +
            "\t2026-03-20 10:00:00+00\t/p\t\\N\t1\tshop.example\n";
  }
  TwoSites service;
  const auto file = service.write("umami.sql", rows + "\\.\n" + kEnd);
  kill_replay_at(service, {file, "--batch", "500"}, 3'000);
  const auto [exit, summary] = service.replay({file, "--batch", "500"});
  CHECK(exit == 0);
  CHECK(summary["read"] == kEvents);
  check_accounts(summary);
  CHECK(service.rows() == std::to_string(kEvents));
}

}  // namespace analytics::test::umami_test
