#pragma once

#include <map>
#include <random>
#include <regex>
#include <sstream>

#include "common/text/text.h"
#include "common/text/time.h"
#include "common/text/url.h"
#include "tests/cli/replay_service.h"

/// A site whose numbers can be queried in every way that exists: by the Stats API v1 and v2, the
/// command line, its report, the shared page and the page's CSV.
namespace analytics::test {

using Json = nlohmann::json;
/// Numbers by metric, or by the value of a dimension.
using Numbers = std::map<std::string, double>;

/// A filter in the notation of the Stats API v1 and the command line (`v1`), and in that of the
/// Stats API v2 and the shared page (`v2`).
struct Filter {
  const char* v1;
  const char* v2;
};
struct Dimension {
  const char* name;
  /// Name of the shared page's panel, followed by the URL parameter that selects its tab.
  const char* panel;
};
struct Question {
  std::string from;
  std::string to;
  Filter filter;
  std::string metrics;  ///< Names of metrics, separated by commas.
};

/// Parses a number as the shared page shows it: 12, 1.5, 50% or 3m 20s (200 seconds).
inline double shown_number(const std::string& text) {
  static const std::regex kDuration(R"((?:(\d+)m )?(\d+)s)");
  std::smatch parts;
  if (!std::regex_match(text, parts, kDuration)) return std::stod(text);
  return 60 * (parts[1].matched ? std::stod(parts[1]) : 0) + std::stod(parts[2]);
}

inline Numbers numbers_of(const Json& metrics) {
  Numbers numbers;
  for (const auto& [name, value] : metrics.items()) {
    const auto& number = value.is_object() ? value["value"] : value;
    if (number.is_number()) numbers[name] = number.get<double>();
  }
  return numbers;
}

inline std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    while (line.ends_with('\r')) line.pop_back();
    std::vector<std::string> cells;
    for (const auto cell : split(line, ',')) cells.emplace_back(cell);
    rows.push_back(std::move(cells));
  }
  return rows;
}

/// First and last day with events of the site.
inline constexpr char kFirst[] = "2026-11-18";
inline constexpr char kLast[] = "2026-11-20";

/// A daemon with a site in New York that has events on three days. Some events are sealed, others
/// are not.
class AskedSite : public ReplayService {
 public:
  AskedSite() {
    api.form("PUT", "/api/v1/sites/demo.example", "timezone=America/New_York");
    goal("goal_type=event&event_name=Signup");
    goal("goal_type=page&page_path=/b");
    load(120);
    seal();
    load(60);
    token_ = make_link();
  }

  Json ask_v2(const Question& question, const Json& dimensions, const Json& metrics) {
    const auto body = Json{{"site_id", "demo.example"},
                           {"date_range", {question.from, question.to}},
                           {"metrics", metrics},
                           {"dimensions", dimensions},
                           {"filters", Json::parse(question.filter.v2)}}
                          .dump();
    const auto reply = api.json("POST", "/api/v2/query", body);
    INFO(body << reply.body);
    REQUIRE(reply.status == 200);
    return body_of(reply)["results"];
  }
  Numbers ask_v1(const Question& question) {
    const auto body =
        get("/api/v1/stats/aggregate?" + v1_of(question) + "&metrics=" + question.metrics);
    return numbers_of(Json::parse(body)["results"]);
  }
  Numbers ask_v2(const Question& question) {
    const auto metrics = split(question.metrics, ',');
    const auto row = ask_v2(question, Json::array(), metrics)[0];
    Json named;
    for (std::size_t i = 0; i < metrics.size(); ++i) named[metrics[i]] = row["metrics"][i];
    return numbers_of(named);
  }
  Numbers ask_command(const Question& question) {
    Numbers numbers;
    const auto answer = command(question, {"--metrics", question.metrics, "--compare", "none"});
    for (const auto& row : answer["results"]) numbers[row["metric"]] = row["value"].get<double>();
    return numbers;
  }
  Numbers ask_report(const Question& question) {
    if (*question.filter.v1 != '\0') return {};  // a report has no filters
    const auto done = run_command({"report", "--site", "demo.example", "--period",
                                   question.from + "," + question.to, "-o", "json"});
    INFO(done.err);
    REQUIRE(done.exit == 0);
    return numbers_of(Json::parse(done.out)["sites"][0]["totals"]);
  }
  Numbers ask_page(const Question& question) {
    const std::map<std::string, std::string> metrics = {{"Visitors", "visitors"},
                                                        {"Converted", "visitors"},
                                                        {"Visits", "visits"},
                                                        {"Pageviews", "pageviews"},
                                                        {"Bounce rate", "bounce_rate"},
                                                        {"Views per visit", "views_per_visit"},
                                                        {"Visit duration", "visit_duration"},
                                                        {"Conversions", "events"},
                                                        {"Rate", "conversion_rate"}};
    const auto page = get(page_of(question, ""));
    static const std::regex kTotal(R"(([A-Z][a-z ]+)</span> <strong>([^<]+)</strong>)");
    Numbers numbers;
    for (auto at = std::sregex_iterator(page.begin(), page.end(), kTotal);
         at != std::sregex_iterator(); ++at) {
      const auto metric = metrics.find((*at)[1]);
      const std::string value = (*at)[2];
      if (metric != metrics.end() && value != "–") numbers[metric->second] = shown_number(value);
    }
    return numbers;
  }
  /// Returns the numbers of one day from the page's CSV of all days; empty if the question is
  /// about several days.
  Numbers ask_csv(const Question& question) {
    if (question.from != question.to) return {};
    const Question days{kFirst, kLast, question.filter, {}};
    const auto rows = cells_of(get(page_of(days, "/csv") + "&interval=day"));
    Numbers numbers;
    for (const auto& row : rows) {
      if (row[0] != question.from) continue;
      for (std::size_t i = 1; i < row.size(); ++i) {
        if (!row[i].empty()) numbers[rows[0][i]] = std::stod(row[i]);
      }
    }
    return numbers;
  }

  Numbers rows_v1(const Question& question, const Dimension& dimension) {
    const auto body = get("/api/v1/stats/breakdown?" + v1_of(question) +
                          "&limit=1000&property=" + dimension.name);
    return rows_of(Json::parse(body)["results"]);
  }
  Numbers rows_v2(const Question& question, const Dimension& dimension) {
    Numbers numbers;
    for (const auto& row : ask_v2(question, {dimension.name}, {"visitors"})) {
      numbers[row["dimensions"][0]] = row["metrics"][0].get<double>();
    }
    return numbers;
  }
  Numbers rows_command(const Question& question, const Dimension& dimension) {
    return rows_of(command(question, {"--by", dimension.name, "--limit", "1000"})["results"]);
  }
  Numbers rows_page(const Question& question, const Dimension& dimension) {
    const auto rows = cells_of(get(page_of(question, "/csv") + "&panel=" + dimension.panel));
    Numbers numbers;
    for (std::size_t i = 1; i < rows.size(); ++i) numbers[rows[i][0]] = std::stod(rows[i][1]);
    return numbers;
  }

 private:
  /// Sends random visits, many of which are near midnight in UTC or in New York.
  void load(int visits) {
    const auto pick = [&](int below) {
      return static_cast<int>(random_() % static_cast<unsigned>(below));
    };
    static const char* const kPages[] = {"/", "/b", "/c", "/blog/x", "/blog/y/z"};
    static const char* const kReferrers[] = {"", "", "https://google.com/",
                                             "https://example.org/x"};
    static const char* const kAgents[] = {
        kFirefox,
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        "Version/17.5 Safari/605.1.15"};
    const auto first =
        std::chrono::floor<std::chrono::seconds>(*parse_rfc3339("2026-11-18T05:00:00Z"));
    std::string lines;
    for (int visit = 0; visit < visits; ++visit) {
      auto time = first + std::chrono::minutes(pick(71 * 60));
      if (visit % 3 == 0) {
        const std::chrono::hours midnight(19 + 24 * pick(2) + 5 * pick(2));
        time = first + midnight - std::chrono::minutes(pick(20));
      }
      const auto address = "192.0.2." + std::to_string(pick(50));
      const auto* agent = kAgents[pick(2)];
      const auto* referrer = kReferrers[pick(4)];
      for (int event = 0, events = 1 + pick(4); event < events; ++event) {
        const bool signup = pick(5) == 0;
        Json line = {{"domain", "demo.example"},
                     {"name", signup ? "Signup" : "pageview"},
                     {"url", std::string("https://demo.example") + kPages[pick(5)]},
                     {"referrer", referrer},
                     {"timestamp", format_rfc3339(time)},
                     {"ip", address},
                     {"user_agent", agent}};
        if (pick(3) == 0) line["props"]["plan"] = pick(2) == 0 ? "pro" : "free";
        lines += line.dump() + "\n";
        time += std::chrono::seconds(pick(600));
      }
    }
    const auto reply = api.bulk(lines);
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    REQUIRE(body_of(reply)["rejected"] == 0);
  }

  static std::string v1_of(const Question& question) {
    return "site_id=demo.example&period=custom&date=" + question.from + "," + question.to +
           "&filters=" + percent_encode(question.filter.v1);
  }
  std::string page_of(const Question& question, const std::string& below) const {
    return "/share/demo.example" + below + "?auth=" + token_ + "&from=" + question.from +
           "&to=" + question.to + "&filters=" + percent_encode(question.filter.v2);
  }
  std::string get(const std::string& target) {
    const auto reply = api.send("GET", target);
    INFO(target << "\n" << reply.body);
    REQUIRE(reply.status == 200);
    return reply.body;
  }
  Json command(const Question& question, const std::vector<std::string>& more) {
    std::vector<std::string> all{
        "stats", "--site", "demo.example", "--period", question.from + "," + question.to,
        "-o",    "json"};
    for (const auto filter : split(question.filter.v1, ';')) {
      if (!filter.empty()) all.insert(all.end(), {"--filter", std::string(filter)});
    }
    all.insert(all.end(), more.begin(), more.end());
    const auto done = run_command(all);
    INFO(done.err);
    REQUIRE(done.exit == 0);
    return Json::parse(done.out);
  }
  /// Returns the visitors of each row, by the row's value of a dimension.
  static Numbers rows_of(const Json& rows) {
    Numbers numbers;
    for (const auto& row : rows) {
      for (const auto& [name, value] : row.items()) {
        if (value.is_string()) numbers[value] = row["visitors"].get<double>();
      }
    }
    return numbers;
  }

  std::mt19937 random_{42};
  std::string token_;
};

}  // namespace analytics::test
