// Tests reports of other services, in forms that their vendors document or users have reported,
// with made-up numbers.
#include "cli/totals/report_reader.h"
#include "cli/totals/report_text.h"

#include <fstream>

#include "common/text/text.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::report_reader_test {

using namespace analytics::cli;

namespace {

struct Read {
  /// Lines of totals, such as "2026-11-19 visit:source=Google 5/6/7/8/1/60" with the sums in the
  /// order of kDaySumFields.
  std::string lines;
  std::size_t rows = 0;  ///< Number of rows without totals to import.
  std::string problem;   ///< Error of the last invalid row.
  std::set<std::string> passed_over;
};

Read read(std::string_view text, const ReportReader::Dividers& known = {}) {
  ReportReader reader(known);
  Read all;
  for (const auto record : split(text, '\n')) {
    const auto made = reader.read(record);
    if (const auto* bad = std::get_if<BadReportRow>(&made)) all.problem = bad->why;
    const auto* row = std::get_if<ReportRow>(&made);
    if (row == nullptr) continue;
    if (row->lines.empty()) ++all.rows;
    for (const auto& [day, dimension, value, counts] : row->lines) {
      all.lines += day + ' ' + dimension + (value.empty() ? "" : "=" + value) + ' ' +
                   std::to_string(counts.visitors) + '/' + std::to_string(counts.visits) + '/' +
                   std::to_string(counts.pageviews) + '/' + std::to_string(counts.events) + '/' +
                   std::to_string(counts.bounces) + '/' + std::to_string(counts.seconds) + '\n';
    }
  }
  all.passed_over = reader.passed_over();
  return all;
}

bool is_report(std::string_view text) {
  std::vector<std::string> head;
  for (const auto line : split(text, '\n')) head.emplace_back(line);
  return ReportReader::is_report(head);
}

}  // namespace

TEST_CASE("reports: Plausible's tables are read", "[totals]") {
  CHECK(read("date,visitors,pageviews,bounces,visits,visit_duration\n"
             "2026-11-19,5,9,1,6,60\n")
            .lines == "2026-11-19 total 5/6/9/9/1/60\n");
  CHECK(read("date,source,referrer,utm_source,utm_medium,utm_campaign,utm_content,utm_term,"
             "pageviews,visitors,visits,visit_duration,bounces\n"
             "2026-11-19,Google,google.com,,,,,,9,5,6,60,1\n")
            .lines.find("2026-11-19 visit:source=Google 5/6/9/9/1/60\n"
                        "2026-11-19 visit:referrer=google.com 5/6/9/9/1/60\n"
                        "2026-11-19 visit:utm_source 5/6/9/9/1/60\n") == 0);
  CHECK(read("date,hostname,page,visits,visitors,pageviews,total_scroll_depth\n"
             "2026-11-19,a.de,\"/a,b\",6,5,9,70\n")
            .lines ==
        "2026-11-19 event:hostname=a.de 5/6/9/9/0/0\n"
        "2026-11-19 event:page=/a,b 5/6/9/9/0/0\n");
  CHECK(read("date,exit_page,visitors,visit_duration,exits,bounces,pageviews\n"
             "2026-11-19,/bye,5,60,6,1,9\n")
            .lines == "2026-11-19 visit:exit_page=/bye 5/6/9/9/1/60\n");
  CHECK(read("date,name,link_url,path,visitors,events\n"
             "2026-11-19,Outbound Link: Click,https://b.de/,,2,3\n")
            .lines ==
        "2026-11-19 event:goal=Outbound Link: Click 2/0/0/3/0/0\n"
        "2026-11-19 event:name=Outbound Link: Click 2/0/0/3/0/0\n"
        "2026-11-19 event:props:url=https://b.de/ 2/0/0/3/0/0\n");
  CHECK(read("date,country,region,city,visitors,visits,visit_duration,bounces,pageviews\n"
             "2026-11-19,DE,DE-BE,2950159,5,6,60,1,9\n")
            .lines ==
        "2026-11-19 visit:country=DE 5/6/9/9/1/60\n"
        "2026-11-19 visit:region=DE-BE 5/6/9/9/1/60\n");
  CHECK(read("date,property,value,visitors,events\n2026-11-19,plan,pro,2,3\n").lines ==
        "2026-11-19 event:props:plan=pro 2/0/0/3/0/0\n");
}

TEST_CASE("reports: files of Google Analytics 4 with several tables are read", "[totals]") {
  const auto overview = read(
      "# ----------------------------------------\n# Reports snapshot\n# Account: a\n"
      "# Property: b\n# ----------------------------------------\n#  \n"
      "# Start date: 20261101\n# End date: 20261128\nNth day,Active users\n0000,5\n0002,7\n\n"
      "# Fecha de inicio: 20261101\n# Fecha de finalización: 20261128\nNth day,Views\n0002,9\n\n"
      "# Start date: 20261001\n# End date: 20261028\nNth day,Active users\n0000,3\n\n"
      "# Start date: 20261101\n# End date: 20261128\nNth day,Active users\n0000,5\n\n"
      "# Start date: 20261101\n# End date: 20261128\nCountry ID,Active users\nAE,5\n\n"
      "Date,Week 0\nNov 23 - Nov 29,4\n");
  CHECK(overview.lines ==
        "2026-11-01 total 5/0/0/0/0/0\n2026-11-03 total 7/0/0/0/0/0\n"
        "2026-11-03 total 0/0/9/0/0/0\n2026-10-01 total 3/0/0/0/0/0\n");
  CHECK(overview.passed_over ==
        std::set<std::string>{"Country ID,Active users: it has no dates",
                              "Date,Week 0: it counts nothing that is known",
                              "Nth day,Active users: the file has it twice"});
  CHECK(read("# ----------------------------------------\n# b - GA4\n# Free form 1\n"
             "# 20261101-20261130\n# ----------------------------------------\n\n"
             "Date,Page path and screen class,Active users,Views,Event count\n"
             ",,9,20,30,Grand total\n20261119,/listen?x=1,5,9,11\n")
            .lines == "2026-11-19 event:page=/listen 5/0/9/11/0/0\n");
  CHECK(read("date,sessionSource,sessions,totalUsers,screenPageViews,engagedSessions,"
             "averageSessionDuration\n20261119,(direct),6,5,9,4,10.5\n")
            .lines == "2026-11-19 visit:source 5/6/9/9/2/63\n");
  CHECK(read("Date,Country,Active users\n20261119,South Korea,5\n20261119,(not set),1\n").lines ==
        "2026-11-19 visit:country=KR 5/0/0/0/0/0\n2026-11-19 visit:country 1/0/0/0/0/0\n");
  CHECK(read("Date,Country,Active users\n20261119,Atlantis,5\n").problem ==
        "Atlantis is neither a country's English name nor its code");
  CHECK(read("# Start date: 20261101,,\n# End date: 20261128,,\nNth day,Views,\n0000,5,\n,,\n")
            .lines == "2026-11-01 total 0/0/5/0/0/0\n");
}

TEST_CASE("reports: Matomo's tables are read", "[totals]") {
  CHECK(read("date,nb_uniq_visitors,nb_users,nb_visits,nb_actions,bounce_count,sum_visit_length,"
             "bounce_rate\n2026-11-19,5,0,6,9,1,60,17%\n")
            .lines == "2026-11-19 total 5/6/0/0/1/60\n");
  CHECK(read("Date,Unique visitors,Visits,Bounce Rate,Avg. Visit Duration (in seconds)\n"
             "2026-11-19,5,6,50%,10\n")
            .lines == "2026-11-19 total 5/6/0/0/3/60\n");
  CHECK(read("date,label,nb_visits,nb_uniq_visitors,nb_hits,metadata_url\n"
             "2026-11-19,/index,6,5,9,http://a.de/\n2026-11-19,Others,1,1,1\n")
            .lines == "2026-11-19 event:page=/ 5/6/9/9/0/0\n");
  CHECK(
      read("date,label,nb_uniq_visitors,nb_visits,metadata_code,metadata_segment\n"
           "2026-11-19,France,5,6,fr,countryCode==fr\n2026-11-19,Unknown,1,1,xx,countryCode==xx\n")
          .lines ==
      "2026-11-19 visit:country=FR 5/6/0/0/0/0\n2026-11-19 visit:country 1/1/0/0/0/0\n");
  CHECK(read("date,label,nb_visits,metadata_segment\n"
             "2026-11-19,'-shop.de,6,referrerName==-shop.de\n"
             "2026-11-19,Smartphone,6,deviceType==smartphone\n")
            .lines ==
        "2026-11-19 visit:source=-shop.de 0/6/0/0/0/0\n"
        "2026-11-19 visit:device=Mobile 0/6/0/0/0/0\n");
  CHECK(read("date,nb_visits\n\"2026-11-16,2026-11-22\",6\n").problem ==
        "\"2026-11-16,2026-11-22\" is not a day.");
  CHECK(read("date,nb_visits\n2026-11-16,many\n").problem == "\"many\" is not a count.");
  CHECK(read("label,nb_visits,metadata_code\nFrance,6,fr\n").passed_over.size() == 1);
}

TEST_CASE("reports: Matomo's websites and versions are read", "[totals]") {
  CHECK(read("date,label,nb_uniq_visitors,nb_visits,nb_actions,metadata_url\n"
             "2026-11-19,www.b.de/x,1,2,3,http://www.b.de/x\n")
            .lines == "2026-11-19 visit:source=b.de 1/2/0/0/0/0\n");
  CHECK(read("date,label,nb_visits,metadata_segment\n"
             "2026-11-19,Firefox 3.6,6,browserCode==FF;browserVersion==3.6\n"
             "2026-11-19,Android 4.2,6,operatingSystemCode==AND;operatingSystemVersion==4.2\n")
            .lines ==
        "2026-11-19 visit:browser_version=3.6 0/6/0/0/0/0\n"
        "2026-11-19 visit:os_version=4.2 0/6/0/0/0/0\n");
  CHECK(read("date,label,nb_visits,metadata_segment\n"
             "2026-11-19,Firefox Unknown,6,browserCode==FF;browserVersion==\n")
            .lines == "2026-11-19 visit:browser_version 0/6/0/0/0/0\n");
}

TEST_CASE("reports: a table divided by an unknown column is not added up", "[totals]") {
  const std::string header = "date,sessionSource,pageReferrer,sessions";
  const auto table = header +
                     "\n,,,12,Grand total\n20261119,(direct),,3\n"
                     "20261119,(direct),https://b.de/,4\n";
  ReportReader looks;
  for (const auto record : split(table, '\n')) (void)looks.read(record);
  CHECK(looks.dividers() == ReportReader::Dividers{{1, "pageReferrer"}});
  const auto divided = read(table, looks.dividers());
  CHECK(divided.lines.empty());
  CHECK(divided.passed_over ==
        std::set<std::string>{header +
                              ": its counts are divided by pageReferrer, which is not known"});
  CHECK(read("Date,Country,Region,Views\n20261119,US,California,3\n").lines ==
        "2026-11-19 visit:country=US 0/0/3/3/0/0\n");
  CHECK(read("date,screenPageViews,userEngagementDuration,sessions\n20261119,3,29,2\n").lines ==
        "2026-11-19 total 0/2/3/3/0/29\n");
  CHECK(read("date,userEngagementDuration,sessions,averageSessionDuration\n20261119,29,2,40\n")
            .lines == "2026-11-19 total 0/2/0/0/0/80\n");
}

TEST_CASE("reports: other tables are not read as reports", "[totals]") {
  CHECK(read("Date,Visits,Pageviews,Unique Pageviews\n2026-11-19,12,50,40\n").lines ==
        "2026-11-19 total 0/12/50/50/0/0\n");
  CHECK(read("Date,Page title,Views,New users\n2026-11-19,Home,3,1\n").rows == 1);
  CHECK(read("Date,Country,Views\n2026-11-19,United States,3\n").lines ==
        "2026-11-19 visit:country=US 0/0/3/3/0/0\n");
  CHECK(read("date,page,visitors\n2026-11-19\n").rows == 1);
  CHECK(read("date,label,nb_hits,metadata_url,metadata_segment\n"
             "2026-11-19,x,3,https://b.de/x,outlinkUrl==x\n")
            .rows == 1);
  CHECK(read("date,visits,bounce rate\n2026-11-19,10,27\n").lines ==
        "2026-11-19 total 0/10/0/0/0/0\n");
  CHECK(read("date,visits\n2026-11-19,nan\n").problem == "\"nan\" is not a count.");
}

TEST_CASE("reports: reports are distinguished from files of events", "[totals]") {
  CHECK(is_report("date,visitors,pageviews\n2026-11-19,1,2"));
  CHECK(is_report("# ----------------------------------------\n# Reports snapshot"));
  CHECK_FALSE(is_report("timestamp,url,visitor\n2026-11-19T10:00:00Z,/,x"));
  CHECK_FALSE(is_report("date,url,ip\n2026-11-19,/,192.0.2.1"));
  CHECK_FALSE(is_report("2Path,Title,Event,Bot,Session,FirstVisit,Referrer,Date"));
  CHECK_FALSE(is_report("#Version: 1.0\n#Fields: date time cs-uri-stem"));
  CHECK_FALSE(is_report(R"({"name":"pageview"})"));
  CHECK_FALSE(is_report(""));
}

TEST_CASE("reports: texts in UTF-16 and of any size are read", "[totals]") {
  TempFolder folder;
  const auto file = folder / "a.csv";
  std::string wanted;
  std::string bytes = "\xFF\xFE";
  for (int i = 0; i < 3'000; ++i) {
    wanted += "é";
    bytes += std::string("\xE9\0", 2);
  }
  wanted += "\xF0\x9F\x93\x8A|end|";
  bytes += std::string("\x3D\xD8\xCA\xDC\r\0\n\0e\0n\0d\0", 14);
  std::ofstream(file, std::ios::binary) << bytes;
  auto text = ReportText::open({file, {}}).value();
  std::string all;
  std::uint64_t end = 0;
  for (ReportText::Line line; text->next(line);) {
    CHECK(line.from == end);
    end = line.to;
    all += line.text + '|';
  }
  CHECK(all == wanted);
  CHECK_FALSE(text->error());
  std::ofstream(file, std::ios::binary) << "PK\x03\x04 and no archive";
  CHECK_FALSE(list_texts(file));
}

}  // namespace analytics::test::report_reader_test
