#pragma once

#include <csignal>
#include <fstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/daemon_process.h"
#include "tests/support/event_generator.h"
#include "tests/support/programs.h"

/// A daemon with the site demo.example, and a folder for files. Runs `analytics` with a key for
/// the daemon.
namespace analytics::test {

struct Service {
  DaemonProcess daemon{daemon_program()};
  TempFolder folder;
  std::string key = daemon.make_key();
  Service() { Api(daemon.url(), key).form("POST", "/api/v1/sites", "domain=demo.example"); }

  std::string write(const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  [[nodiscard]] Process::Options options() const {
    return {{"ANALYTICS_URL=" + daemon.url(), "ANALYTICS_API_KEY=" + key}, {}};
  }
  [[nodiscard]] static std::vector<std::string> command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {cli_program(), "replay", "-o", "json", "-q"});
    return arguments;
  }
  Process::Finished run_command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), cli_program());
    return run(arguments, options());
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
inline void kill_replay_at(Service& service, const std::vector<std::string>& arguments,
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
