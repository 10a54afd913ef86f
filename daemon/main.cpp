#include <csignal>
#include <cstdlib>
#include <iostream>

#include <sys/resource.h>

#include "daemon/admin/keys_command.h"
#include "daemon/app.h"
#include "daemon/args.h"
#include "daemon/backends.h"

namespace {

using namespace analytics;

int serve(const Config& config, const ConfigOverrides& overrides, const sigset_t& signals) {
  App app(config, [] {
    std::cerr << "analyticsd: a sync failed; what is on disk is unknown until the next start\n";
    std::_Exit(static_cast<int>(ExitCode::kRuntime));
  });
  for (const auto& address : app.addresses())
    std::cerr << "listening on http://" << address << '\n';
  for (const auto& address : app.operator_addresses())
    std::cerr << "metrics on http://" << address << "/metrics\n";
  std::cerr.flush();
  app.start();
  int received = 0;
  while (sigwait(&signals, &received) == 0 && received == SIGHUP) {
    const auto again = load_config(overrides);
    again ? app.reload(*again) : app.refuse_reload(again.error());
  }
  app.stop();
  return static_cast<int>(ExitCode::kOk);
}

/// As many connections as the system lets us have.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

int run_keys(const Config& config, const admin::KeyCommand& command) {
  const auto now = std::chrono::floor<std::chrono::seconds>(SystemClock().now());
  const auto output = admin::run_keys(
      config.database, command, [](const auto& file) { return open_backend(file); }, now);
  if (output) {
    std::cout << *output;
    return static_cast<int>(ExitCode::kOk);
  }
  std::cerr << "analyticsd: " << output.error().message << '\n';
  const bool held = output.error().code == ErrorCode::kOverloaded;
  return static_cast<int>(held ? ExitCode::kHeld : ExitCode::kRuntime);
}

}  // namespace

int main(int argc, char** argv) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before any thread exists
  const auto [arguments, exit] = parse_arguments(argc, argv);
  if (!arguments) return static_cast<int>(exit);
  try {
    init_secrets();
    const auto config = load_config(arguments->overrides);
    if (!config) throw AppError(ExitCode::kConfig, config.error().message);
    if (arguments->command == Arguments::Command::kKeys) return run_keys(*config, arguments->keys);
    raise_descriptor_limit();
    return serve(*config, arguments->overrides, signals);
  } catch (const AppError& error) {
    std::cerr << "analyticsd: " << error.what() << '\n';
    return static_cast<int>(error.code);
  } catch (const store::StoreUnusable& error) {
    std::cerr << "analyticsd: " << error.what() << '\n';
    return static_cast<int>(ExitCode::kUnusable);
  } catch (const std::exception& error) {
    std::cerr << "analyticsd: " << error.what() << '\n';
    return static_cast<int>(ExitCode::kRuntime);
  }
}
