#include <csignal>
#include <cstdlib>
#include <iomanip>
#include <iostream>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <systemd/sd-daemon.h>

#include "common/file_lock.h"
#include "common/fs.h"
#include "common/text.h"
#include "daemon/admin/operator_run.h"
#include "daemon/admin/owner.h"
#include "daemon/app.h"
#include "daemon/args.h"
#include "daemon/backends.h"

namespace {

using namespace analytics;

/// Tells systemd, if that has started the daemon, what the daemon is about to do.
void tell_manager(const std::string& state) { (void)sd_notify(0, state.c_str()); }

int serve(const Config& config, const ConfigOverrides& overrides, const sigset_t& signals) {
  App app(config, [] {
    std::cerr
        << "analyticsd: stopping: a sync failed, or another process changed the database files\n";
    std::_Exit(static_cast<int>(ExitCode::kRuntime));
  });
  for (const auto& address : app.addresses())
    std::cerr << "listening on http://" << address << '\n';
  for (const auto& address : app.admin_addresses())
    std::cerr << "metrics on http://" << address << "/metrics\n";
  std::cerr.flush();
  app.start();
  tell_manager("READY=1\nSTATUS=listening on " + join(app.addresses(), ", "));
  int received = 0;
  while (sigwait(&signals, &received) == 0 && received == SIGHUP) {
    tell_manager("RELOADING=1");
    const auto again = load_config(overrides);
    again ? app.reload(*again) : app.refuse_reload(again.error());
    tell_manager("READY=1");
  }
  tell_manager("STOPPING=1");
  app.stop();
  return static_cast<int>(ExitCode::kOk);
}

/// Raises the limit of open files to the system's maximum, for as many connections as possible.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

/// A core would hold addresses and salts. Sanitizers need to look at their own process.
void refuse_core_dumps() {
#ifndef ANALYTICS_SANITIZED
  (void)prctl(PR_SET_DUMPABLE, 0);
#endif
}

ExitCode exit_of(const Error& error) {
  if (error.code == ErrorCode::kOverloaded) return ExitCode::kHeld;
  return error.code == ErrorCode::kInvalidParameter ? ExitCode::kUsage : ExitCode::kRuntime;
}

UnixSeconds now_of_system() {
  return std::chrono::floor<std::chrono::seconds>(SystemClock().now());
}

/// A subcommand works on a database that is there, as the user whom it belongs to.
void take_database(const std::filesystem::path& database, bool init) {
  std::error_code unknown;
  if (!init && !std::filesystem::exists(database, unknown) && !unknown) {
    throw AppError(ExitCode::kUnusable,
                   "there is no database " + database.string() +
                       ": name it with --db, or start the daemon, which makes it");
  }
  if (auto owner = admin::become_owner(database); !owner) {
    throw AppError(ExitCode::kRuntime, owner.error().message);
  }
  std::cerr << "database " << database.string() << '\n';
}

int operate(const Config& config, const Arguments& arguments) {
  const auto now = now_of_system();
  const auto& out = arguments.key_file;
  std::optional<NewFile> file;
  if (!out.empty()) {  // before the key, which nobody could read again
    auto made = NewFile::create(out);
    if (!made) throw AppError(ExitCode::kRuntime, made.error().message);
    file.emplace(std::move(*made));
  }
  take_database(config.database, arguments.init);
  const auto open = [](const auto& path) { return backends().front().open(path, {}); };
  const auto output = admin::run_operator(config.database, arguments.operation, open, now);
  if (!output) {
    std::cerr << "analyticsd: " << output.error().message << '\n';
    return static_cast<int>(exit_of(output.error()));
  }
  if (!file) {
    std::cout << *output;
  } else if (const auto written = file->write(*output); !written) {
    throw AppError(ExitCode::kRuntime, written.error().message);
  }
  return static_cast<int>(ExitCode::kOk);
}

/// Makes columns of a file that no daemon holds. One that does makes them itself.
int compact(const Config& config) {
  take_database(config.database, false);
  const auto lock = FileLock::take_with_file(config.database);
  if (!lock) {
    const bool is_held = lock.error().code == ErrorCode::kOverloaded;
    throw AppError(
        is_held ? ExitCode::kHeld : ExitCode::kRuntime,
        lock.error().message + (is_held ? "; a running daemon makes columns by itself" : ""));
  }
  auto limits = config.store;
  limits.events.sealed_events = 1;
  const auto backend = backends().front().open(config.database, limits);
  const auto rows = backend->compact(now_of_system());
  if (!rows) throw AppError(ExitCode::kRuntime, rows.error().message);
  const auto sealed = backend->columns().sealed;
  const auto per_event =
      sealed.events == 0 ? 0.0
                         : static_cast<double>(sealed.bytes) / static_cast<double>(sealed.events);
  std::cout << "parts " << sealed.parts << "\nevents " << sealed.events << "\nbytes per event "
            << std::fixed << std::setprecision(1) << per_event << "\nevents that are still rows "
            << *rows << '\n';
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace

int main(int argc, char** argv) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before any thread exists
  const auto [arguments, exit] = parse_arguments(argc, argv);
  if (!arguments) return static_cast<int>(exit);
  refuse_core_dumps();
  try {
    init_secrets();
    const auto config = load_config(arguments->overrides);
    if (!config) throw AppError(ExitCode::kConfig, config.error().message);
    switch (arguments->command) {
      case Arguments::Command::kOperate: return operate(*config, *arguments);
      case Arguments::Command::kCompact: return compact(*config);
      case Arguments::Command::kServe: break;
    }
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
