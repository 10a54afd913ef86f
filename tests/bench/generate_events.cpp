#include <cstdlib>
#include <iostream>

#include "common/text/text.h"
#include "tests/support/event_generator.h"

/// Usage: generate_events EVENTS [SITES [EVENTS_PER_VISIT [SEED [PAGES]]]]. Writes random events
/// as NDJSON to stdout. SITES and PAGES are numbers.
int main(int argc, char** argv) {
  using namespace analytics;
  test::GeneratorOptions options;
  const auto argument = [&](int index, double fallback) {
    return argc > index ? parse_double(argv[index]).value_or(fallback) : fallback;
  };
  options.events = static_cast<std::uint64_t>(argument(1, 1'000));
  const auto sites = static_cast<int>(argument(2, 1));
  for (int i = 1; i < sites; ++i) options.sites.push_back("site-" + std::to_string(i) + ".example");
  options.events_per_visit = argument(3, 2.5);
  options.seed = static_cast<std::uint64_t>(argument(4, 1));
  options.pages = static_cast<std::uint64_t>(argument(5, static_cast<double>(options.pages)));
  test::EventGenerator generator(options);
  for (std::uint64_t i = 0; i < options.events; ++i) std::cout << to_json(generator.next()) << '\n';
  return 0;
}
