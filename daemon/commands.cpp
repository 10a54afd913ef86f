#include "daemon/commands.h"

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

#include "common/file_lock.h"
#include "common/fs.h"
#include "daemon/admin/backup.h"
#include "daemon/admin/child_process.h"
#include "daemon/admin/operator_run.h"
#include "daemon/admin/owner.h"
#include "daemon/admin/restore.h"
#include "daemon/backends.h"
#include "daemon/cluster/check.h"
#include "daemon/cluster/rows.h"
#include "daemon/doctor.h"

namespace analytics {
namespace {

constexpr int kOk = static_cast<int>(ExitCode::kOk);
constexpr std::string_view kStream = "-";
constexpr int kNice = 10;
constexpr int kLooksAtCluster = 5;
constexpr std::chrono::seconds kBetweenLooks{2};
constexpr std::chrono::minutes kSettledVisits{10};  // those of now are still shipped

ExitCode exit_of(const Error& error) {
  if (error.code == ErrorCode::kOverloaded) return ExitCode::kHeld;
  return error.code == ErrorCode::kInvalidParameter ? ExitCode::kUsage : ExitCode::kRuntime;
}

template <typename T>
T value_or_throw(Result<T> result) {
  if (!result) throw AppError(exit_of(result.error()), result.error().reason());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

const store::Upkeep& upkeep() { return backends().front().upkeep; }

/// The process becomes the user whom the database belongs to, and says which one it is.
void become_owner(const std::filesystem::path& database) {
  value_or_throw(admin::become_owner(database));
  std::cerr << "database " << database.string() << '\n';
}

/// A command works on a database that is there.
void take_database(const std::filesystem::path& database) {
  std::error_code unknown;
  if (!std::filesystem::exists(database, unknown) && !unknown) {
    throw AppError(ExitCode::kUnusable,
                   "there is no database " + database.string() +
                       ": name it with --db, or start the daemon, which makes it");
  }
  become_owner(database);
}

/// An upgrade is the daemon's: it says so, and copies the file first.
void refuse_older(const std::filesystem::path& database) {
  const auto schemas = value_or_throw(upkeep().schemas(database));
  if (schemas.stored != 0 && schemas.stored < schemas.newest) {
    throw AppError(ExitCode::kUnusable, database.string() + " has schema " +
                                            std::to_string(schemas.stored) +
                                            " and needs an upgrade: start the daemon once");
  }
}

int operate(const Config& config, const Arguments& arguments) {
  std::optional<NewFile> file;
  if (!arguments.key_file.empty()) {  // before the key, which nobody could read again
    file.emplace(value_or_throw(NewFile::create(arguments.key_file)));
  }
  if (arguments.init) {  // perhaps what a run before left of a new one
    become_owner(config.database);
  } else {
    take_database(config.database);
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

/// Makes columns of a file that no daemon holds. One that does makes them itself.
int compact(const Config& config) {
  take_database(config.database);
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
  const auto backend = backends().front().open(config.database, limits);
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

/// Lets a daemon that stores events have the cores first.
void give_way() { (void)setpriority(PRIO_PROCESS, 0, kNice); }

/// Runs work on the database as its owner, in a child, and returns the child's output.
admin::ChildOutput as_owner(const std::function<Result<std::string>()>& work) {
  return admin::run_in_child([&](std::string& text) {
    return report_errors([&] {
      text = value_or_throw(work());
      return kOk;
    });
  });
}

/// For /metrics. The backup is what matters: that it could not be noted is no error.
void note_backup(const Config& config) {
  admin::OperatorCommand note;
  note.verb = admin::OperatorCommand::Verb::kNoteBackup;
  const auto noted = as_owner([&]() -> Result<std::string> {
    value_or_throw(admin::become_owner(config.database));
    refuse_older(config.database);  // noting it without a daemon opens the store
    return operate_on(config, note);
  });
  if (noted.exit == kOk) return;
  std::cerr << "analyticsd: the time of the backup was not noted in the database\n";
}

/// The file is made by this process, which may be root; the copy, by a child that may not. Its name
/// comes last.
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
    give_way();
    take_database(database);
    return fresh
               ? admin::write_backup(database, fresh->descriptor(), upkeep(), arguments.with_salts)
               : admin::stream_backup(database, upkeep(), arguments.with_salts);
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
    // As root, a link could lead to a file that the owner of the database must not see.
    const auto* reason =
        errno == ELOOP ? "is a symbolic link, which is not followed" : std::strerror(errno);
    throw AppError(ExitCode::kRuntime, arguments.backup.string() + ": " + reason);
  }
  become_owner(config.database);
  std::cout << value_or_throw(admin::restore(config.database, file, upkeep(), system_now()));
  return kOk;
}

int check(const Config& config, const Arguments& arguments) {
  give_way();
  take_database(config.database);
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
  value_or_throw(upkeep().check(config.database, arguments.quick, found));
  if (problems > 0) return static_cast<int>(ExitCode::kUnusable);
  std::cout << "nothing is wrong\n";
  return kOk;
}

int doctor(const Config& config, const Arguments& arguments) {
  take_database(config.database);
  return static_cast<int>(run_doctor(config, arguments.operation.is_json) ? ExitCode::kOk
                                                                          : ExitCode::kRuntime);
}

int show_cluster(const Config& config, const Arguments& arguments) {
  take_database(config.database);
  const auto metrics = ask_for_metrics(config);
  if (!metrics) throw AppError(ExitCode::kRuntime, "no daemon runs on this database");
  if (!metrics->contains("analytics_cluster_up")) {
    throw AppError(ExitCode::kRuntime, "the daemon ships no events: cluster.events is not set");
  }
  const auto number = [&](const std::string& name) {
    return static_cast<std::int64_t>(metrics->at("analytics_cluster_" + name));
  };
  const double lag = metrics->at("analytics_cluster_lag_seconds");
  const bool is_shipping = number("up") == 1;
  if (arguments.operation.is_json) {
    const nlohmann::ordered_json status = {{"shipping", is_shipping},
                                           {"unshipped_events", number("unshipped_events")},
                                           {"lag_seconds", lag},
                                           {"blocks", number("blocks_total")},
                                           {"retries", number("block_retries_total")},
                                           {"replaced_blocks", number("replaced_blocks_total")}};
    std::cout << status.dump(2) << '\n';
  } else {
    std::cout << "shipping          " << (is_shipping ? "yes" : "no: see the daemon's log")
              << "\nunshipped events  " << number("unshipped_events") << "\nlag               "
              << std::fixed << std::setprecision(1) << lag << " s\nblocks            "
              << number("blocks_total") << "\nsent again        " << number("block_retries_total")
              << "\nreplaced          " << number("replaced_blocks_total") << '\n';
  }
  return static_cast<int>(is_shipping ? ExitCode::kOk : ExitCode::kRuntime);
}

/// What differs at the last look is reported: at the first, some is on its way.
int check_cluster(const Config& config) {
  give_way();
  take_database(config.database);
  refuse_older(config.database);
  if (config.cluster.url.empty()) throw AppError(ExitCode::kConfig, "cluster.events is not set");
  const auto reader = value_or_throw(upkeep().open_journal(config.database));
  const HttpLibrary library;
  const std::atomic<bool> never{false};
  cluster::ClickHouse server(config.cluster, never);
  cluster::Comparison found;
  for (int i = 0; i < kLooksAtCluster; ++i) {
    if (i > 0) std::this_thread::sleep_for(kBetweenLooks);
    found = value_or_throw(cluster::compare(*reader, server, system_now() - kSettledVisits));
    if (found.differences.empty()) break;
  }
  for (const auto& difference : found.differences) std::cout << difference << '\n';
  if (!found.differences.empty()) return static_cast<int>(ExitCode::kRuntime);
  std::cout << "nothing differs; events " << found.events << ", visits " << found.visits << '\n';
  return kOk;
}

int leave_cluster(const Config& config) {
  take_database(config.database);
  const auto lock = value_or_throw(FileLock::take_with_file(config.database));
  refuse_older(config.database);
  const auto backend = backends().front().open(config.database, config.store);
  auto& journal = backend->journal();
  if (!journal.has_begun()) throw AppError(ExitCode::kRuntime, "the database is no journal");
  const auto reader = backend->open_journal_reader();
  const auto waiting =
      value_or_throw(reader->end()).event - value_or_throw(reader->state()).shipped;
  const auto node = cluster::node_number(value_or_throw(reader->state()).id);
  value_or_throw(journal.leave());
  std::cout << "left as node " << node << "; events that were not shipped: " << waiting << '\n';
  return kOk;
}

/// serve() waits for these signals; a command ends.
void end_by_signals() {
  sigset_t all;
  sigfillset(&all);
  (void)sigprocmask(SIG_UNBLOCK, &all, nullptr);
}

}  // namespace

Result<std::string> operate_on(const Config& config, const admin::OperatorCommand& command) {
  const auto open = [](const auto& path) { return backends().front().open(path, {}); };
  return admin::run_operator(config.database, command, open, system_now());
}

int run_command(const Config& config, const Arguments& arguments) {
  using Command = Arguments::Command;
  // Those two have files that they would leave behind.
  if (arguments.command != Command::kBackup && arguments.command != Command::kRestore) {
    end_by_signals();
  }
  switch (arguments.command) {
    case Command::kServe:
    case Command::kDemo: break;
    case Command::kOperate: return operate(config, arguments);
    case Command::kCompact: return compact(config);
    case Command::kBackup: return backup(config, arguments);
    case Command::kRestore: return restore(config, arguments);
    case Command::kCheck: return check(config, arguments);
    case Command::kDoctor: return doctor(config, arguments);
    case Command::kClusterCheck: return check_cluster(config);
    case Command::kClusterStatus: return show_cluster(config, arguments);
    case Command::kClusterLeave: return leave_cluster(config);
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
