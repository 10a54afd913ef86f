#include "daemon/commands/commands.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "common/io/file_lock.h"
#include "common/io/fs.h"
#include "common/text/text.h"
#include "daemon/admin/backup.h"
#include "daemon/admin/child_process.h"
#include "daemon/admin/operator_run.h"
#include "daemon/admin/owner.h"
#include "daemon/admin/restore.h"
#include "daemon/commands/cluster_adoption.h"
#include "daemon/commands/cluster_commands.h"
#include "daemon/commands/command_parts.h"
#include "daemon/commands/doctor.h"
#include "daemon/store/failures.h"
#include "daemon/store/sqlite/backend.h"
#include "daemon/store/sqlite/file_check.h"

namespace analytics {
namespace {

constexpr int kOk = static_cast<int>(ExitCode::kOk);
constexpr std::string_view kStream = "-";

int operate(const Config& config, const Arguments& arguments) {
  std::optional<NewFile> file;
  // Creates the file before the key, because the key could not be shown again if creating the file
  // then failed.
  if (!arguments.key_file.empty()) {
    file.emplace(value_or_throw(NewFile::create(arguments.key_file)));
  }
  if (arguments.init) {  // the database may be missing, or incomplete after an interrupted run
    become_owner(config.database);
  } else {
    open_as_owner(config.database);
    refuse_older(config.database);
  }
  const auto output = value_or_throw(operate_on(config, arguments.operation));
  if (file) {
    value_or_throw(file->write(output));
  } else {
    std::cout << output;
  }
  return kOk;
}

/// Implements `analyticsd compact`: converts all settled events from rows to columns. For a
/// database that no daemon has open, because a running daemon does this itself.
int compact(const Config& config) {
  open_as_owner(config.database);
  const auto lock = FileLock::take_with_file(config.database);
  if (!lock) {
    const bool is_held = lock.error().code == ErrorCode::kOverloaded;
    throw AppError(
        exit_of(lock.error()),
        lock.error().message + (is_held ? "; a running daemon makes columns by itself" : ""));
  }
  auto limits = config.store;
  limits.events.sealed_events = 1;
  refuse_older(config.database);
  const auto backend = sqlite::open_backend(config.database, limits);
  const auto rows = value_or_throw(backend->compact(system_now()));
  const auto sealed = backend->columns().sealed;
  const auto per_event =
      sealed.events == 0 ? 0.0
                         : static_cast<double>(sealed.bytes) / static_cast<double>(sealed.events);
  std::cout << "parts " << sealed.parts << "\nevents " << sealed.events << "\nbytes per event "
            << std::fixed << std::setprecision(1) << per_event << "\nevents that are still rows "
            << rows << '\n';
  return kOk;
}

/// Runs `work` in a child process, which may switch to the database's owner for good. Returns the
/// child's output.
admin::ChildOutput as_owner(const std::function<Result<std::string>()>& work) {
  return admin::run_in_child([&](std::string& text) {
    return report_errors([&] {
      text = value_or_throw(work());
      return kOk;
    });
  });
}

/// Stores the time of the backup in the database, for /metrics. Prints only a warning if that
/// fails, because the backup itself is complete.
void note_backup(const Config& config) {
  admin::OperatorCommand note;
  note.verb = admin::OperatorCommand::Verb::kNoteBackup;
  const auto noted = as_owner([&]() -> Result<std::string> {
    value_or_throw(admin::become_owner(config.database));
    refuse_older(config.database);  // if no daemon runs, operate_on() would upgrade the database
    return operate_on(config, note);
  });
  if (noted.exit == kOk) return;
  std::cerr << "analyticsd: the time of the backup was not noted in the database\n";
}

/// Implements `analyticsd backup`. This process, which may be root, creates the file and finally
/// renames it. A child process that runs as the database's owner writes the copy.
int backup(const Config& config, const Arguments& arguments) {
  const auto& database = config.database;
  std::optional<admin::Rotation> rotation;
  if (!arguments.rotation.empty()) {
    rotation = value_or_throw(admin::parse_rotation(arguments.rotation));
    if (!std::filesystem::is_directory(arguments.backup)) {
      throw AppError(ExitCode::kUsage, "--rotate needs a folder that exists");
    }
  }
  std::filesystem::path file;
  std::optional<NewFile> fresh;
  if (arguments.backup != kStream) {
    file = value_or_throw(admin::backup_file(arguments.backup, system_now()));
    fresh.emplace(
        value_or_throw(NewFile::create(file.string() + ".partial-" + std::to_string(getpid()))));
  }
  const auto written = as_owner([&] {
    lower_priority();
    open_as_owner(database);
    return fresh ? admin::write_backup(database, fresh->descriptor(), arguments.with_salts)
                 : admin::stream_backup(database, arguments.with_salts);
  });
  if (written.exit != kOk) return written.exit;
  if (fresh) {
    value_or_throw(fresh->rename(file, false));
    std::cout << "backup " << file.string() << '\n' << written.text;
  } else {
    std::cerr << written.text;
  }
  if (rotation) std::cout << value_or_throw(admin::rotate_backups(arguments.backup, *rotation));
  note_backup(config);
  return kOk;
}

int restore(const Config& config, const Arguments& arguments) {
  const FileDescriptor file(arguments.backup == kStream ? dup(STDIN_FILENO)
                                                        : open(arguments.backup.c_str(),
                                                               O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.valid()) {
    // Symbolic links are refused because root may run this command, and a link could lead to a file
    // that the database's owner must not read.
    const auto* reason =
        errno == ELOOP ? "is a symbolic link, which is not followed" : std::strerror(errno);
    throw AppError(ExitCode::kRuntime, arguments.backup.string() + ": " + reason);
  }
  become_owner(config.database);
  std::cout << value_or_throw(admin::restore(config.database, file, system_now()));
  return kOk;
}

int check(const Config& config, const Arguments& arguments) {
  lower_priority();
  open_as_owner(config.database);
  int problems = 0;
  const auto found = [&](const std::string& problem) {
    ++problems;
    std::cout << problem << std::endl;
  };
  check_place(config, found);
  std::error_code unknown;
  const auto room = std::filesystem::space(config.database, unknown).available;
  if (!unknown && room < config.settings.min_free_disk) {
    found("the disk is nearly full: " + std::to_string(room) + " bytes are free");
  }
  const auto left_out = value_or_throw(sqlite::check_file(config.database, arguments.check, found));
  if (!left_out.empty()) {
    std::cerr << "not recounted while events are removed or sealed: " << join(left_out, ", ")
              << '\n';
  }
  if (problems > 0) return static_cast<int>(ExitCode::kUnusable);
  std::cout << "nothing is wrong\n";
  return kOk;
}

int doctor(const Config& config, const Arguments& arguments) {
  open_as_owner(config.database);
  return static_cast<int>(run_doctor(config, arguments.operation.is_json) ? ExitCode::kOk
                                                                          : ExitCode::kRuntime);
}

/// Unblocks all signals, which main() has blocked for serve(), so that they end a command.
void end_by_signals() {
  sigset_t all;
  sigfillset(&all);
  (void)sigprocmask(SIG_UNBLOCK, &all, nullptr);
}

}  // namespace

Result<std::string> operate_on(const Config& config, const admin::OperatorCommand& command) {
  return admin::run_operator(config.database, command, system_now());
}

int run_command(const Config& config, const Arguments& arguments) {
  using Command = Arguments::Command;
  // A signal in the middle of a backup, restore or setup would leave unfinished files, so signals
  // stay blocked for these commands.
  const bool runs_child = arguments.command == Command::kBackup ||
                          arguments.command == Command::kRestore ||
                          arguments.command == Command::kSetup;
  if (!runs_child) end_by_signals();
  switch (arguments.command) {
    case Command::kServe:
    case Command::kDemo: break;
    case Command::kSetup: return run_setup(config, arguments.setup);
    case Command::kOperate: return operate(config, arguments);
    case Command::kCompact: return compact(config);
    case Command::kBackup: return backup(config, arguments);
    case Command::kRestore: return restore(config, arguments);
    case Command::kCheck: return check(config, arguments);
    case Command::kDoctor: return doctor(config, arguments);
    case Command::kClusterCheck: return check_cluster(config, arguments.repair);
    case Command::kClusterStatus: return show_cluster(config, arguments);
    case Command::kClusterLeave: return leave_cluster(config);
    case Command::kClusterAcceptRegistry: return accept_registry(config);
    case Command::kClusterRemove: return remove_node(config, arguments.node);
    case Command::kClusterAdopt: return adopt_database(config);
    case Command::kClusterUpgrade: return upgrade_cluster(config);
  }
  throw std::logic_error("main() runs this command itself");
}

int report_errors(const std::function<int()>& work) {
  const auto report = [](const std::exception& error, ExitCode exit) {
    std::cerr << "analyticsd: " << error.what() << '\n';
    return static_cast<int>(exit);
  };
  try {
    return work();
  } catch (const AppError& error) {
    return report(error, error.code);
  } catch (const store::StoreUnusable& error) {
    return report(error, ExitCode::kUnusable);
  } catch (const std::exception& error) {
    return report(error, ExitCode::kRuntime);
  }
}

}  // namespace analytics
