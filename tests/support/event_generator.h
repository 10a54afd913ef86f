#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/event/event_payload.h"

namespace analytics::test {

struct GeneratorOptions {
  std::uint64_t seed = 1;
  std::vector<std::string> sites{"demo.example"};
  UnixMillis from = std::chrono::sys_days(std::chrono::year(2026) / 10 / 1);
  std::chrono::seconds span = std::chrono::hours(24 * 30);  ///< Length of the period with events.
  std::uint64_t events = 1'000;
  double events_per_visit = 2.5;
  std::uint64_t pages = 12;  ///< Number of pages of each site; few of them are popular.
};

/// Generates realistic events, which are the same for the same options. Each visitor has an
/// address and a browser, comes from a referrer or campaign, and views pages of decreasing
/// popularity.
class EventGenerator {
 public:
  explicit EventGenerator(GeneratorOptions options);
  /// Returns the next event. REQUIRES: fewer than options.events were returned.
  EventPayload next();

 private:
  struct Visit {
    std::string site, ip, user_agent, referrer, query;
    std::uint64_t left = 0;
  };
  Visit new_visit();
  std::uint64_t draw(std::uint64_t below) { return engine_() % below; }
  std::uint64_t draw_popular(std::uint64_t below);
  std::string draw_page();

  GeneratorOptions options_;
  // Used without distributions, whose sequences differ between standard libraries.
  std::mt19937_64 engine_;
  std::vector<Visit> open_;
  std::uint64_t made_ = 0;
};

}  // namespace analytics::test
