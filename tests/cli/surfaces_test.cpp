// Tests that a query has the same answer in the API, on the command line, in reports and on the
// shared page.
#include "tests/cli/asked_site.h"

namespace analytics::test::surfaces_test {

namespace {

/// Ranges to query, as first and last day: all days with events, then each day alone.
constexpr std::pair<const char*, const char*> kRanges[] = {{kFirst, kLast},
                                                           {"2026-11-18", "2026-11-18"},
                                                           {"2026-11-19", "2026-11-19"},
                                                           {"2026-11-20", "2026-11-20"}};
constexpr char kMetrics[] =
    "visitors,visits,pageviews,events,views_per_visit,bounce_rate,visit_duration";

constexpr Filter kFilters[] = {
    {"", "[]"},
    {"event:page==/b", R"([["is","event:page",["/b"]]])"},
    {"event:page==/b|/c", R"([["is","event:page",["/b","/c"]]])"},
    {"event:page!=/b", R"([["is_not","event:page",["/b"]]])"},
    {"event:page==/blog/**", R"([["matches_wildcard","event:page",["/blog/**"]]])"},
    {"visit:entry_page==/", R"([["is","visit:entry_page",["/"]]])"},
    {"visit:exit_page!=/c", R"([["is_not","visit:exit_page",["/c"]]])"},
    {"visit:source==Google", R"([["is","visit:source",["Google"]]])"},
    {"visit:source!=Google", R"([["is_not","visit:source",["Google"]]])"},
    {"visit:source==Direct / None", R"([["is","visit:source",["Direct / None"]]])"},
    {"visit:browser==Firefox;event:page==/b",
     R"([["is","visit:browser",["Firefox"]],["is","event:page",["/b"]]])"},
    {"event:props:plan==pro", R"([["is","event:props:plan",["pro"]]])"},
    {"event:goal==Signup", R"([["is","event:goal",["Signup"]]])"},
    {"event:goal==Signup;visit:source==Google",
     R"([["is","event:goal",["Signup"]],["is","visit:source",["Google"]]])"},
};

constexpr Dimension kDimensions[] = {
    {"event:page", "pages"},
    {"visit:entry_page", "pages&pages=entry"},
    {"visit:exit_page", "pages&pages=exit"},
    {"visit:source", "sources"},
    {"visit:browser", "devices&devices=browser"},
    {"event:goal", "goals"},
    {"event:props:plan", "props"},
};

bool has_goal(const Filter& filter) {
  return std::string_view(filter.v1).find("event:goal") != std::string_view::npos;
}

std::string names_of(const Numbers& numbers) {
  std::vector<std::string> names;
  for (const auto& [name, number] : numbers) names.push_back(name);
  return join(names, ",");
}

/// Removes the rows of events without a value, which the Stats API v1 and the page's panel of
/// properties leave out.
Numbers with_values(Numbers rows) {
  rows.erase("(none)");
  rows.erase("(not set)");
  return rows;
}

}  // namespace

TEST_CASE("surfaces: totals are the same on every surface", "[cli][stats]") {
  using Ask = Numbers (AskedSite::*)(const Question&);
  const std::pair<const char*, Ask> kSurfaces[] = {{"v1", &AskedSite::ask_v1},
                                                   {"command line", &AskedSite::ask_command},
                                                   {"report", &AskedSite::ask_report},
                                                   {"page", &AskedSite::ask_page},
                                                   {"CSV", &AskedSite::ask_csv}};
  AskedSite site;
  std::map<std::string, int> answers;
  for (const auto& [from, to] : kRanges) {
    for (const auto& filter : kFilters) {
      Question question{from, to, filter, kMetrics};
      if (has_goal(filter)) question.metrics += ",conversion_rate";
      const auto right = site.ask_v2(question);
      question.metrics = names_of(right);
      INFO(from << ".." << to << " " << filter.v1);
      CHECK(right.at("visitors") > 0);
      CHECK(right.at("visitors") <= right.at("visits"));
      for (const auto& [name, ask] : kSurfaces) {
        const auto answer = (site.*ask)(question);
        answers[name] += static_cast<int>(answer.count("visitors"));
        for (const auto& [metric, value] : answer) {
          INFO(name << ": " << metric);
          REQUIRE(right.count(metric) == 1);
          CHECK(value == right.at(metric));
        }
      }
    }
  }
  const auto questions = static_cast<int>(std::size(kRanges) * std::size(kFilters));
  CHECK(answers["v1"] == questions);
  CHECK(answers["command line"] == questions);
  CHECK(answers["page"] == questions);
  CHECK(answers["report"] == static_cast<int>(std::size(kRanges)));
  CHECK(answers["CSV"] == static_cast<int>((std::size(kRanges) - 1) * std::size(kFilters)));
}

TEST_CASE("surfaces: rows are the same on every surface", "[cli][stats]") {
  using Ask = Numbers (AskedSite::*)(const Question&, const Dimension&);
  const std::pair<const char*, Ask> kSurfaces[] = {{"v1", &AskedSite::rows_v1},
                                                   {"command line", &AskedSite::rows_command},
                                                   {"page", &AskedSite::rows_page}};
  AskedSite site;
  for (const auto& filter : kFilters) {
    const Question question{kRanges[0].first, kRanges[0].second, filter, {}};
    for (const auto& dimension : kDimensions) {
      const auto right = with_values(site.rows_v2(question, dimension));
      INFO(dimension.name << " " << filter.v1);
      CHECK(!right.empty());
      for (const auto& [name, ask] : kSurfaces) {
        INFO(name);
        CHECK(with_values((site.*ask)(question, dimension)) == right);
      }
    }
  }
}

TEST_CASE("surfaces: the numbers of parts add up to the whole", "[cli][stats]") {
  AskedSite site;
  for (const auto& [from, to] : kRanges) {
    const auto ask = [&](const char* filter) {
      return site.ask_v2({from, to, {"", filter}, kMetrics});
    };
    const auto all = ask("[]");
    INFO(from << ".." << to);
    for (const auto* dimension :
         {"visit:source", "visit:browser", "visit:entry_page", "visit:exit_page"}) {
      double visits = 0;
      const auto rows = site.ask_v2({from, to, kFilters[0], {}}, {dimension}, {"visits"});
      for (const auto& row : rows) visits += row["metrics"][0].get<double>();
      INFO(dimension);
      CHECK(visits == all.at("visits"));
    }
    CHECK(ask(R"([["is","visit:source",["Google"]]])").at("visits") +
              ask(R"([["is_not","visit:source",["Google"]]])").at("visits") ==
          all.at("visits"));
    CHECK(ask(R"([["is","event:page",["/b"]]])").at("events") +
              ask(R"([["is_not","event:page",["/b"]]])").at("events") ==
          all.at("events"));
  }
}

}  // namespace analytics::test::surfaces_test
