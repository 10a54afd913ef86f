#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include <sys/prctl.h>
#include <sys/resource.h>

#include "common/text/local_time.h"
#include "common/text/text.h"
#include "daemon/app/app.h"
#include "daemon/app/service_manager.h"
#include "daemon/commands/args.h"
#include "daemon/commands/commands.h"
#include "daemon/commands/completion.h"
#include "daemon/commands/demo.h"
#include "daemon/jobs/scheduler.h"

namespace {

using namespace analytics;

std::unique_ptr<App> open_app(const Config& config) {
  service_manager::ask_for_time();
  load_time_zones();
  const Scheduler again({{service_manager::kAskForTimeEvery, service_manager::ask_for_time}});
  return std::make_unique<App>(config, [] {
    std::cerr
        << "analyticsd: stopping: a sync failed, or another process changed the database files\n";
    std::_Exit(static_cast<int>(ExitCode::kRuntime));
  });
}

int serve(const Config& config, const ConfigOverrides& overrides, const sigset_t& signals) {
  using service_manager::tell;
  const auto opened = open_app(config);
  auto& app = *opened;
  std::string ready;
  for (const auto& address : app.addresses()) ready += "listening on http://" + address + "\n";
  for (const auto& address : app.admin_addresses()) {
    ready += "metrics on http://" + address + "/metrics\n";
  }
  std::cerr << ready;  // in one write, so that a waiting script never reads half a line
  app.start();
  tell("READY=1\nSTATUS=listening on " + join(app.addresses(), ", "));
  int received = 0;
  while (sigwait(&signals, &received) == 0 && received == SIGHUP) {
    tell("RELOADING=1");
    const auto again = load_config(overrides);
    again ? app.reload(*again) : app.refuse_reload(again.error());
    tell("READY=1");
  }
  tell("STOPPING=1");
  app.stop();
  return static_cast<int>(ExitCode::kOk);
}

/// Raises the soft limit of open files to the hard limit, to allow as many connections as possible.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

/// Turns off core dumps, which would contain addresses and salts. Builds with sanitizers stay
/// dumpable, because a sanitizer must inspect its own process.
void refuse_core_dumps() {
  const rlimit none{};
  (void)setrlimit(RLIMIT_CORE, &none);
#ifndef ANALYTICS_SANITIZED
  (void)prctl(PR_SET_DUMPABLE, 0);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // all threads started later inherit this
  if (argc > 1 && std::string_view(argv[1]) == "__complete") {
    print_completions({argv + 2, argv + argc}, std::cout);
    return static_cast<int>(ExitCode::kOk);
  }
  const auto [arguments, exit] = parse_arguments(argc, argv);
  if (!arguments) return static_cast<int>(exit);
  refuse_core_dumps();
  return report_errors([&, &arguments = arguments] {
    init_secrets();
    if (arguments->command == Arguments::Command::kDemo) return run_demo(signals);
    auto config = load_config(arguments->overrides);
    if (!config) throw AppError(ExitCode::kConfig, config.error().message);
    if (config->is_file_skipped)
      std::cerr << "note: the system's settings are not readable, and not used\n";
    if (arguments->command != Arguments::Command::kServe) return run_command(*config, *arguments);
    if (arguments->check_config) {
      std::cout << "the settings are right\n";
      return static_cast<int>(ExitCode::kOk);
    }
    raise_descriptor_limit();
    config->http.inherited = service_manager::take_sockets();
    return serve(*config, arguments->overrides, signals);
  });
}
