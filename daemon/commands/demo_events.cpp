#include "daemon/commands/demo_events.h"

#include <algorithm>
#include <array>
#include <random>

#include <nlohmann/json.hpp>

namespace analytics {
namespace {

using nlohmann::json;
using std::chrono::days;
using std::chrono::seconds;

constexpr int kDays = 30;
constexpr int kVisitsOfDay = 180;
constexpr std::size_t kLinesOfRequest = 5'000;

/// A row of the tables of pages, sources, places or browsers in this file. choose() picks a row
/// with a probability proportional to its weight.
struct Choice {
  int weight;
  std::array<const char*, 5> values;
};

constexpr std::array kPages = {
    Choice{40, {"/"}},
    Choice{16, {"/pricing"}},
    Choice{14, {"/blog/why-we-count-less"}},
    Choice{10, {"/blog/a-year-without-cookies"}},
    Choice{12, {"/docs/install"}},
    Choice{8, {"/docs/api"}},
    Choice{5, {"/about"}},
    Choice{3, {"/jobs"}},
};
/// Origins of visits: weight; referrer and URL query of the first page.
constexpr std::array kSources = {
    Choice{34, {"", ""}},
    Choice{26, {"https://www.google.com/", ""}},
    Choice{9, {"https://news.ycombinator.com/item?id=42", ""}},
    Choice{8, {"https://www.reddit.com/r/selfhosted/", ""}},
    Choice{7, {"https://github.com/topics/analytics", ""}},
    Choice{6, {"https://duckduckgo.com/", ""}},
    Choice{5, {"https://chatgpt.com/", ""}},
    Choice{5, {"", "?utm_source=newsletter&utm_medium=email&utm_campaign=november"}},
};
/// Places of visitors: weight; country, region, city.
constexpr std::array kPlaces = {
    Choice{26, {"DE", "DE-BE", "Berlin"}},        Choice{10, {"DE", "DE-HH", "Hamburg"}},
    Choice{20, {"US", "US-CA", "San Francisco"}}, Choice{9, {"US", "US-NY", "New York"}},
    Choice{12, {"GB", "GB-ENG", "London"}},       Choice{10, {"FR", "FR-IDF", "Paris"}},
    Choice{7, {"NL", "NL-NH", "Amsterdam"}},      Choice{6, {"JP", "JP-13", "Tokyo"}},
};
/// Browsers of visitors: weight; device, browser, its version, operating system, its version.
constexpr std::array kClients = {
    Choice{30, {"Desktop", "Chrome", "142.0", "Windows", "10"}},
    Choice{22, {"Mobile", "Safari", "18.6", "iOS", "18.6"}},
    Choice{18, {"Mobile", "Chrome", "142.0", "Android", "15"}},
    Choice{12, {"Desktop", "Firefox", "145.0", "Linux", ""}},
    Choice{11, {"Desktop", "Safari", "18.6", "Mac", "10.15"}},
    Choice{4, {"Tablet", "Safari", "18.6", "iOS", "18.6"}},
    Choice{3, {"Desktop", "Edge", "142.0", "Windows", "10"}},
};

class Demo {
 public:
  Demo(std::string site, UnixSeconds now, std::uint32_t seed)
      : site_(std::move(site)), now_(now), random_(seed) {}

  std::vector<std::string> run() {
    const auto today = std::chrono::floor<days>(now_);
    for (int day = kDays; day >= 0; --day) visit_all_day(today - days(day), kDays - day);
    // Adds visitors who are on the site now.
    for (int i = 0; i < 4; ++i) visit(now_ - seconds(below(240)));
    return std::move(requests_);
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  template <typename Choices>
  const Choice& choose(const Choices& choices) {
    int sum = 0;
    for (const auto& choice : choices) sum += choice.weight;
    auto left = below(sum);
    for (const auto& choice : choices) {
      if ((left -= choice.weight) < 0) return choice;
    }
    return choices.front();
  }

  /// Adds the visits of a day. Workdays, afternoons and later days have more visits. `number`: 0
  /// for the first day.
  void visit_all_day(std::chrono::sys_days day, int number) {
    const bool is_weekend = std::chrono::weekday(day).iso_encoding() > 5;
    const int visits = kVisitsOfDay * (70 + 2 * number + below(30)) / 100 / (is_weekend ? 2 : 1);
    for (int i = 0; i < visits; ++i) {
      const auto hour = (below(14) + below(14)) / 2 + 7 + below(4);
      visit(day + std::chrono::hours(hour) + seconds(below(3'600)));
    }
  }

  void visit(UnixSeconds at) {
    json event = {{"domain", site_}, {"visitor", "demo-" + std::to_string(++visits_)}};
    const auto& place = choose(kPlaces).values;
    event["country"] = place[0];
    event["region"] = place[1];
    event["city"] = place[2];
    const auto& client = choose(kClients).values;
    const std::string device = client[0];
    event["device"] = device;
    event["screen"] = device == "Desktop" && below(3) == 0 ? "Laptop" : device;
    event["browser"] = client[1];
    event["browser_version"] = client[2];
    event["os"] = client[3];
    if (*client[4] != '\0') event["os_version"] = client[4];
    const auto& source = choose(kSources).values;
    const auto pages = below(100) < 45 ? 1 : 2 + below(4);
    for (int page = 0; page < pages; ++page) {
      event["name"] = "pageview";
      event["url"] = "https://" + site_ + choose(kPages).values[0] + (page == 0 ? source[1] : "");
      event["referrer"] = page == 0 ? source[0] : "";
      add(event, at);
      const seconds read(10 + below(120));
      stay(event, at + read, read);
      at += read + seconds(5);
    }
    if (below(100) < 6) sign_up(event, at);
  }

  /// Adds the engagement event that a tracker sends when the visitor leaves a page. `read`: time
  /// spent on the page.
  void stay(json event, UnixSeconds at, seconds read) {
    event["name"] = "engagement";
    event["e"] = std::chrono::milliseconds(read).count();
    event["sd"] = 40 + below(61);
    add(event, at);
  }

  void sign_up(json event, UnixSeconds at) {
    const bool pays = below(3) == 0;
    event["name"] = "Signup";
    event["props"] = {{"plan", pays ? "team" : "free"}};
    if (pays) event["revenue"] = {{"amount", "19.00"}, {"currency", "EUR"}};
    add(event, at);
  }

  void add(json& event, UnixSeconds at) {
    if (at > now_) return;
    event["timestamp"] = format_rfc3339(at);
    if (lines_ % kLinesOfRequest == 0) requests_.emplace_back();
    ++lines_;
    requests_.back() += event.dump() + '\n';
  }

  const std::string site_;
  const UnixSeconds now_;
  std::mt19937 random_;
  std::size_t visits_ = 0;
  std::size_t lines_ = 0;
  std::vector<std::string> requests_;
};

}  // namespace

std::vector<std::string> demo_events(const std::string& site, UnixSeconds now, std::uint32_t seed) {
  return Demo(site, now, seed).run();
}

}  // namespace analytics
