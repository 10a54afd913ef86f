#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/support/stream_reader.h"

namespace analytics::test {

/// A child process whose standard streams are files and pipes.
class Process {
 public:
  struct Options {
    /// Entries "NAME=value", added to this process's environment.
    std::vector<std::string> environment;
    std::string input;           ///< Text on the program's standard input.
    std::vector<int> sockets{};  ///< Listening sockets, passed as by systemd: sd_listen_fds(3).
  };
  struct Finished {
    int exit = -1;  ///< Exit code, or 128 + the number of the signal that ended it.
    std::string out;
    std::string err;
    std::size_t most_resident = 0;  ///< Largest resident set size in bytes.
  };

  /// Starts the program. A thread reads its stderr continuously; wait() reads its stdout.
  Process(const std::vector<std::string>& arguments, const Options& options);
  ~Process();  ///< Kills the program if it is still running.
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Returns the next line of stderr; nullopt at its end.
  std::optional<std::string> read_error_line() { return errors_->next_line(); }
  [[nodiscard]] int id() const { return pid_; }
  /// Returns true until wait() has returned.
  [[nodiscard]] bool running() const { return pid_ > 0; }
  void signal(int number) const;
  /// Waits for the program's end, and returns its exit code and all unread output.
  Finished wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  std::unique_ptr<StreamReader> errors_;
};

/// Returns the folder that XDG_STATE_HOME names for programs under test.
[[nodiscard]] const std::string& state_folder();

/// A command whose arguments, environment and sockets are prepared before fork(), because a child
/// that allocates could wait forever for a lock that another thread held during fork() (fork(2)).
class ReadyCommand {
 public:
  ReadyCommand(std::vector<std::string> arguments, const Process::Options& options);
  ReadyCommand(const ReadyCommand&) = delete;
  ReadyCommand& operator=(const ReadyCommand&) = delete;

  /// Executes the command in a child after fork(). Allocates nothing.
  [[noreturn]] void become();

 private:
  void hand_over();

  std::vector<std::string> arguments_;
  std::vector<std::string> environment_;  ///< Entries "NAME=value".
  std::vector<int> sockets_;
  /// Points to the value of LISTEN_PID in environment_; null if there are no sockets.
  char* listen_pid_ = nullptr;
  std::vector<char*> argv_;
  std::vector<char*> envp_;
};

/// Runs a command and waits for its end.
Process::Finished run(const std::vector<std::string>& arguments,
                      const Process::Options& options = {});

}  // namespace analytics::test
