// Sends bulk requests on several connections at once. Prints the number of accepted events per
// second. Arguments: URL, file with the key, number of events, lines per request, number of
// connections, events per visit.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/io/fs.h"
#include "common/run/secret.h"
#include "common/text/text.h"
#include "tests/support/daemon_process.h"
#include "tests/support/event_generator.h"

namespace {

using namespace analytics;
using namespace analytics::test;

/// Returns the request bodies of a connection. They are made before the measurement starts, and
/// sent repeatedly.
std::vector<std::string> make_bodies(std::uint64_t seed, std::uint64_t requests,
                                     std::uint64_t lines, double per_visit) {
  GeneratorOptions options;
  options.seed = seed;
  options.events = requests * lines;
  options.events_per_visit = per_visit;
  options.sites = {"example.com"};
  EventGenerator generator(options);
  std::vector<std::string> bodies(requests);
  for (auto& body : bodies) {
    for (std::uint64_t i = 0; i < lines; ++i) body += to_json(generator.next()) + "\n";
  }
  return bodies;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) return 2;
  init_secrets();
  const HttpLibrary library;
  const std::string key(trim(read_file(argv[2]).value_or("")));
  const auto events = std::strtoull(argv[3], nullptr, 10);
  const auto lines = std::strtoull(argv[4], nullptr, 10);
  const auto connections = std::strtoull(argv[5], nullptr, 10);
  const auto each = events / lines / connections;
  std::vector<std::vector<std::string>> bodies;
  for (std::uint64_t i = 0; i < connections; ++i) {
    bodies.push_back(
        make_bodies(i + 1, std::min<std::uint64_t>(each, 20), lines, std::atof(argv[6])));
  }
  std::atomic<std::int64_t> accepted{0};
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 0; i < connections; ++i) {
      threads.emplace_back([&, i] {
        Api api(argv[1], key);
        for (std::uint64_t request = 0; request < each; ++request) {
          const auto reply =
              api.send("POST", "/api/v1/events", bodies[i][request % bodies[i].size()],
                       "application/x-ndjson");
          if (reply.status == 200) accepted += body_of(reply)["accepted"].get<std::int64_t>();
        }
      });
    }
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  std::cout << static_cast<long>(static_cast<double>(accepted) / passed.count()) << '\n';
  return accepted == static_cast<std::int64_t>(each * lines * connections) ? 0 : 1;
}
