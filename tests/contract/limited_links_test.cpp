// A link with filters shows a site as if the events that its filters refuse had never been sent.
#include <random>

#include "common/text/text.h"
#include "common/text/time.h"
#include "common/text/url.h"
#include "tests/contract/stats_fixture.h"
#include "tests/support/rounds.h"

namespace analytics::test::limited_links_test {
namespace {

using Json = nlohmann::json;
using nlohmann::literals::operator""_json_pointer;
using std::chrono::seconds;

/// The site with all events. Each limit has a twin site, with the events that the limit accepts.
constexpr char kAll[] = "all.example";
constexpr char kFirstDay[] = "2026-11-18T00:00:00Z";
constexpr int kDays = 3;

/// A link's filters, and a function that returns true if their conditions on events accept an
/// event. Their conditions on visits apply to the visits that the accepted events form.
struct Limit {
  const char* filters;
  bool (*accepts)(const Json& line);
};

std::string path_of(const Json& line) {
  const std::string url = line["url"];
  const auto begin = url.find('/', std::string("https://").size());
  return url.substr(begin, url.find('?') - begin);
}
bool is_in_blog(const Json& line) { return path_of(line).starts_with("/blog/"); }

const Limit kLimits[] = {
    {R"([["matches_wildcard","event:page",["/blog/**"]]])", is_in_blog},
    {R"([["is","event:page",["/blog/b"]]])",
     [](const Json& line) { return path_of(line) == "/blog/b"; }},
    {R"([["not",["contains","event:page",["/cart"]]]])",
     [](const Json& line) { return path_of(line) != "/cart"; }},
    {R"([["is","event:hostname",["docs.shop.example"]]])",
     [](const Json& line) {
       return std::string(line["url"]).starts_with("https://docs.shop.example/");
     }},
    {R"([["is","event:name",["pageview"]]])",
     [](const Json& line) { return line["name"] == "pageview"; }},
    {R"([["is","event:goal",["Signup"]]])",
     [](const Json& line) { return line["name"] == "Signup"; }},
    {R"([["is","event:props:plan",["pro"]]])",
     [](const Json& line) { return line.value("/props/plan"_json_pointer, "") == "pro"; }},
    {R"([["is","visit:source",["Google"]]])", [](const Json&) { return true; }},
    {R"([["is","visit:source",["Google"]],["matches_wildcard","event:page",["/blog/**"]]])",
     is_in_blog},
    {R"([["and",[["matches_wildcard","event:page",["/blog/**"]],["is_not","visit:exit_page",["/blog/a"]]]]])",
     is_in_blog},
    {R"([["has_done",["is","event:goal",["Signup"]]],["matches_wildcard","event:page",["/blog/**"]]])",
     is_in_blog},
    {R"([["or",[["is","visit:entry_page",["/"]],["is","event:page",["/blog/a"]]]]])",
     [](const Json&) { return true; }},
    {R"([["is","event:page",["/nowhere"]]])", [](const Json&) { return false; }},
};

/// Creates random events of visitors with one or several visits.
class Events {
 public:
  explicit Events(std::uint32_t seed) : random_(seed) {}

  [[nodiscard]] std::size_t pick(std::size_t below) { return random_() % below; }
  template <typename Values>
  auto one_of(const Values& values) {
    return values[pick(std::size(values))];
  }

  void add(int visitors) {
    const auto first = std::chrono::floor<seconds>(*parse_rfc3339(kFirstDay));
    for (int visitor = 0; visitor < visitors; ++visitor) {
      auto time = first + seconds(pick(kDays * 24 * 3'600 - 7 * 3'600));
      if (visitor % 4 == 0) {  // this visitor is on the site at midnight
        time = first + std::chrono::hours(24 * (1 + pick(kDays - 1))) - seconds(pick(1'200));
      }
      const auto address =
          "198.51." + std::to_string(next_ % 200) + "." + std::to_string(next_ / 200 % 200);
      ++next_;
      for (std::size_t events = 1 + pick(7); events > 0; --events) {
        time = add_event(time, address);
        time += pick(6) == 0 ? seconds(1'801 + pick(3'600)) : seconds(1 + pick(1'700));
      }
    }
  }

  [[nodiscard]] const std::vector<Json>& sent() const { return sent_; }

 private:
  /// Adds an event, sometimes followed by an engagement. Returns the time of the later one.
  UnixSeconds add_event(UnixSeconds time, const std::string& address) {
    static const char* const kPages[] = {"/", "/blog/a", "/blog/b", "/blog/c/d", "/cart"};
    static const char* const kReferrers[] = {"", "", "https://google.com/",
                                             "https://news.example/x"};
    static const char* const kAgents[] = {
        kFirefox,
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/131.0.0.0 Safari/537.36"};
    const std::string referrer = one_of(kReferrers);
    const std::string page = one_of(kPages);
    const auto kind = pick(5);
    Json line = {{"name", kind == 0   ? "Signup"
                          : kind == 1 ? "Order"
                                      : "pageview"},
                 {"url", (pick(4) == 0 ? "https://docs.shop.example" : "https://shop.example") +
                             page + (pick(8) == 0 ? "?utm_source=letter&utm_medium=email" : "")},
                 {"referrer", referrer},
                 {"timestamp", format_rfc3339(time)},
                 {"ip", address},
                 {"user_agent", kAgents[address.back() % 2]}};
    if (pick(3) == 0) line["props"] = {{"plan", pick(2) == 0 ? "pro" : "free"}};
    if (kind == 1) {
      line["props"]["email"] = "ada@corp.example";
      line["revenue"] = {{"amount", "12.50"}, {"currency", "EUR"}};
    }
    sent_.push_back(line);
    if (pick(3) != 0) return time;
    const auto stay = 1 + pick(20);
    line["name"] = "engagement";
    for (const auto* key : {"revenue", "referrer"}) line.erase(key);
    line["engagement_time"] = stay * 1'000;
    line["scroll_depth"] = pick(101);
    time += seconds(stay);
    line["timestamp"] = format_rfc3339(time);
    sent_.push_back(line);
    return time;
  }

  std::mt19937 random_;
  std::size_t next_ = 0;
  std::vector<Json> sent_;
};

std::string twin_of(const Limit& limit) {
  return "twin" + std::to_string(&limit - kLimits) + ".example";
}

struct Sites : StatsFixture {
  Sites() {
    add_site(kAll);
    for (const auto& limit : kLimits) add_site(twin_of(limit));
  }

  void add_site(const std::string& domain) {
    api.form("POST", "/api/v1/sites", "domain=" + domain + "&timezone=Europe/Berlin");
    const auto of_site = "site_id=" + domain;
    for (const auto* goal :
         {"goal_type=event&event_name=Signup", "goal_type=event&event_name=Order",
          "goal_type=event&event_name=Never", "goal_type=page&page_path=/cart"}) {
      REQUIRE(api.form("PUT", "/api/v1/sites/goals", of_site + "&" + goal).status == 200);
    }
    const auto steps = percent_encode(R"([{"page":"/blog/**"},{"event":"Order"}])");
    REQUIRE(
        api.form("PUT", "/api/v1/sites/funnels", of_site + "&name=Way&within=visit&steps=" + steps)
            .status == 200);
  }

  /// Sends the events from index `from` on: each to kAll and to the twins whose limits accept it.
  void send(const std::vector<Json>& events, std::size_t from) {
    std::string lines;
    for (auto i = from; i < events.size(); ++i) {
      auto line = events[i];
      line["domain"] = kAll;
      lines += line.dump() + "\n";
      for (const auto& limit : kLimits) {
        if (!limit.accepts(line)) continue;
        line["domain"] = twin_of(limit);
        lines += line.dump() + "\n";
      }
    }
    const auto reply = api.bulk(lines);
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    REQUIRE(body_of(reply)["rejected"] == 0);
  }

  /// Creates a shared link with these filters. Returns its token.
  std::string link(const std::string& domain, const char* filters) {
    return token_of(
        api.form("PUT", "/api/v1/sites/shared-links",
                 "site_id=" + domain + "&name=limited&filters=" + percent_encode(filters)));
  }

  /// Requests a path below the shared page. Returns status and body with "~" for domain and token.
  std::string ask(const std::string& domain, const std::string& token, const std::string& below,
                  const std::string& parameters) {
    std::string path = "/share/";
    path.append(domain).append(below).append("?auth=").append(token).append(parameters);
    const auto reply = visitor.send("GET", path);
    auto text = std::to_string(reply.status) + " " + reply.body;
    for (const auto& name : {domain, token}) {
      for (auto at = text.find(name); at != std::string::npos; at = text.find(name)) {
        text.replace(at, name.size(), "~");
      }
    }
    return text;
  }
};

/// Returns the URL parameters of a random request for a shared page.
std::string request(Events& events) {
  static const char* const kPeriods[] = {
      "&period=all", "&from=2026-11-18&to=2026-11-20", "&from=2026-11-19&to=2026-11-19",
      "&from=2026-11-20&to=2026-11-20", "&from=2026-11-01&to=2026-11-30&interval=week"};
  static const char* const kFilters[] = {"",
                                         "",
                                         "",
                                         R"([["has_done",["matches","event:props:email",["^a"]]]])",
                                         R"([["has_not_done",["is","event:goal",["Order"]]]])",
                                         R"([["not",["has_done",["is","event:page",["/cart"]]]]])",
                                         R"([["is","event:goal",["Order"]]])",
                                         R"([["is","event:goal",["Never"]]])",
                                         R"([["is","event:goal",["Nobody"]]])",
                                         R"([["is","visit:source",["Google"]]])",
                                         R"([["is","visit:source",["Direct / None"]]])",
                                         R"([["is","visit:entry_page",["/"]]])",
                                         R"([["is_not","visit:exit_page",["/cart"]]])",
                                         R"([["contains","event:page",["blog"]]])",
                                         R"([["is","event:hostname",["docs.shop.example"]]])",
                                         R"([["is","visit:utm_source",["letter"]]])"};
  return std::string(events.one_of(kPeriods)) +
         "&filters=" + percent_encode(events.one_of(kFilters));
}

std::string panel(Events& events) {
  static const char* const kPanels[] = {"&panel=",
                                        "&panel=pages",
                                        "&panel=pages&pages=entry&more=pages",
                                        "&panel=pages&pages=exit&more=pages",
                                        "&panel=pages&pages=host&more=pages",
                                        "&panel=pages&more=pages",
                                        "&panel=sources",
                                        "&panel=sources&sources=channel&more=sources",
                                        "&panel=sources&sources=referrer",
                                        "&panel=sources&sources=medium",
                                        "&panel=devices&devices=browser&more=devices",
                                        "&panel=goals",
                                        "&panel=goals&goals=event",
                                        "&panel=props&props=email",
                                        "&panel=props",
                                        "&panel=funnels"};
  return events.one_of(kPanels);
}

/// Returns the first line of each text that differs from the other text; empty if they are equal.
std::string difference(const std::string& one, const std::string& other) {
  const auto lines = split(one, '\n');
  const auto others = split(other, '\n');
  for (std::size_t i = 0; i < std::max(lines.size(), others.size()); ++i) {
    const auto line = i < lines.size() ? lines[i] : std::string_view();
    const auto of_other = i < others.size() ? others[i] : std::string_view();
    if (line != of_other) return std::string(line) + "\n" + std::string(of_other);
  }
  return {};
}

/// Sends random requests to a limited link and to the twin site. Their answers must be equal.
void compare(Sites& sites, const Limit& limit, Events& events) {
  const auto domain = twin_of(limit);
  const auto all = sites.link(kAll, limit.filters);
  const auto twin = sites.link(domain, limit.filters);
  const auto compare_answers = [&](const std::string& below, const std::string& parameters) {
    INFO(limit.filters << "\n" << below << parameters);
    const auto minute = [] { return std::chrono::floor<std::chrono::minutes>(system_now()); };
    auto begin = minute();
    std::string hidden;
    std::string absent;
    do {  // until both answers are from the same minute, which some answers contain
      begin = minute();
      hidden = sites.ask(kAll, all, below, parameters);
      absent = sites.ask(domain, twin, below, parameters);
    } while (minute() != begin);
    REQUIRE(difference(hidden, absent) == "");
  };
  for (int i = 0; i < rounds(12, 500); ++i) {
    const bool is_page = i % 5 == 0;
    const auto parameters = request(events) + (is_page ? "" : panel(events));
    compare_answers(is_page ? "" : "/csv", parameters);
  }
  compare_answers("/current", "");
}

}  // namespace

TEST_CASE("limited link: answers are as if the hidden events had never been sent",
          "[contract][share]") {
  Events events(7);
  events.add(60);
  Sites sites;
  sites.send(events.sent(), 0);
  for (const auto& limit : kLimits) compare(sites, limit, events);
}

TEST_CASE("limited link: hidden events stay hidden after sealing and new events",
          "[contract][share][alone]") {
  Events events(8);
  events.add(60);
  Sites sites;
  sites.send(events.sent(), 0);
  sites.seal();
  const auto sealed = events.sent().size();
  events.add(30);
  sites.send(events.sent(), sealed);
  for (const auto& limit : kLimits) compare(sites, limit, events);
}

}  // namespace analytics::test::limited_links_test
