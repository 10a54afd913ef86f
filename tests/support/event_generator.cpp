#include "tests/support/event_generator.h"

#include <cmath>

namespace analytics::test {
namespace {

constexpr std::size_t kOpenVisits = 12;
const std::vector<std::string> kPages = {
    "/",          "/pricing",          "/docs",         "/docs/install",
    "/blog",      "/blog/fast-sqlite", "/blog/privacy", "/about",
    "/changelog", "/contact",          "/careers",      "/terms"};
const std::vector<std::string> kReferrers = {"",
                                             "",
                                             "https://www.google.com/",
                                             "https://news.ycombinator.com/item?id=1",
                                             "https://duckduckgo.com/",
                                             "https://github.com/topics/analytics",
                                             "https://t.co/abc",
                                             "https://www.reddit.com/r/selfhosted/"};
const std::vector<std::string> kQueries = {
    "", "", "", "", "?utm_source=newsletter&utm_medium=email&utm_campaign=autumn", "?ref=partner"};
const std::vector<std::string> kBrowsers = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/130.0.0.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.0 Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/130.0.0.0 Mobile Safari/537.36"};

}  // namespace

EventGenerator::EventGenerator(GeneratorOptions options)
    : options_(std::move(options)), engine_(options_.seed) {}

std::uint64_t EventGenerator::draw_popular(std::uint64_t below) {
  const double part = static_cast<double>(engine_() >> 11) / static_cast<double>(1ULL << 53);
  return static_cast<std::uint64_t>(static_cast<double>(below) * part * part * part);
}

std::string EventGenerator::draw_page() {
  const auto page = draw_popular(options_.pages);
  return page < kPages.size() ? kPages[page] : "/blog/archive/" + std::to_string(page);
}

EventGenerator::Visit EventGenerator::new_visit() {
  const auto visitor = draw(options_.events / 3 + 1);  // so few visitors that some of them return
  Visit visit;
  visit.site = options_.sites[draw_popular(options_.sites.size())];
  visit.ip =
      "198.51." + std::to_string(visitor / 250 % 250) + "." + std::to_string(visitor % 250 + 1);
  visit.user_agent = kBrowsers[visitor % kBrowsers.size()];
  visit.referrer = kReferrers[draw(kReferrers.size())];
  visit.query = kQueries[draw(kQueries.size())];
  // A visit has 1 to 2 * events_per_visit - 1 pages, so that the mean is events_per_visit.
  visit.left = 1 + draw(static_cast<std::uint64_t>(std::lround(2 * options_.events_per_visit - 1)));
  return visit;
}

EventPayload EventGenerator::next() {
  while (open_.size() < kOpenVisits) open_.push_back(new_visit());
  auto& visit = open_[draw(open_.size())];
  EventPayload event;
  event.domains = {visit.site};
  event.name = kPageview;
  event.url = "https://" + visit.site + draw_page() + visit.query;
  event.referrer = visit.referrer;
  event.ip = visit.ip;
  event.user_agent = visit.user_agent;
  event.timestamp =
      options_.from + std::chrono::duration_cast<std::chrono::milliseconds>(options_.span) *
                          static_cast<std::int64_t>(made_) /
                          static_cast<std::int64_t>(options_.events);
  if (draw(12) == 0) {
    event.name = draw(3) == 0 ? "Signup" : "Download";
    event.props = {{"plan", draw(2) == 0 ? "free" : "pro"}};
  }
  visit.referrer.clear();
  visit.query.clear();
  ++made_;
  if (--visit.left == 0) open_.erase(open_.begin() + (&visit - open_.data()));
  return event;
}

}  // namespace analytics::test
