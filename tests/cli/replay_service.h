#pragma once

#include <csignal>
#include <fstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/event_generator.h"
#include "tests/support/service.h"

namespace analytics::test {

/// A service with the site demo.example, which runs `analytics replay`.
struct ReplayService : Service {
  ReplayService() : Service({.site = "demo.example"}) {}
  [[nodiscard]] static std::vector<std::string> command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {cli_program(), "replay", "-o", "json", "-q"});
    return arguments;
  }
  std::pair<int, nlohmann::json> replay(std::vector<std::string> arguments,
                                        const std::string& input = "") {
    arguments = command(std::move(arguments));
    auto with_input = options();
    with_input.input = input;
    const auto done = run(arguments, with_input);
    INFO(done.err);
    return {done.exit, nlohmann::json::parse(done.out, nullptr, false)};
  }
};

/// Starts a replay and kills it once `events` events are stored.
inline void kill_replay_at(ReplayService& service, const std::vector<std::string>& arguments,
                           int events) {
  Process replay(service.command(arguments), service.options());
  while (replay.running() &&
         std::stoi(service.daemon.query("SELECT count(*) FROM events")) < events)
    std::this_thread::yield();
  replay.signal(SIGKILL);
  replay.wait();
}

inline std::string generate(std::uint64_t events) {
  GeneratorOptions options;
  options.events = events;
  EventGenerator generator(options);
  std::string text;
  for (std::uint64_t i = 0; i < events; ++i) text += to_json(generator.next()) + "\n";
  return text;
}

inline void check_accounts(const nlohmann::json& summary) {
  CHECK(summary["read"].get<int>() ==
        summary["accepted"].get<int>() + summary["duplicate"].get<int>() +
            summary["dropped"].get<int>() + summary["rejected"].get<int>() +
            summary["filtered"].get<int>() + summary["pending"].get<int>());
}

inline int lines_of(const std::string& file) {
  std::ifstream in(file);
  int lines = 0;
  for (std::string line; std::getline(in, line);) ++lines;
  return lines;
}

}  // namespace analytics::test
