#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/support/stream_reader.h"

namespace analytics::test {

/// A real child process with its streams on files and pipes.
class Process {
 public:
  struct Options {
    std::vector<std::string> environment;  ///< "NAME=value", on top of ours.
    std::string input;                     ///< The program's standard input.
    std::vector<int> sockets{};            ///< Handed over as systemd does: sd_listen_fds(3).
  };
  struct Finished {
    int exit = -1;  ///< 128 + signal when a signal ended it.
    std::string out;
    std::string err;
    std::size_t most_resident = 0;  ///< Bytes of memory, at most.
  };

  /// Starts it. Its stderr is read as it comes, its stdout by wait().
  Process(const std::vector<std::string>& arguments, const Options& options);
  ~Process();  ///< Kills it when it still runs.
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// The next line of stderr; nullopt at its end.
  std::optional<std::string> read_error_line() { return errors_->next_line(); }
  [[nodiscard]] int id() const { return pid_; }
  [[nodiscard]] bool running() const { return pid_ > 0; }  ///< Until wait() has returned.
  void signal(int number) const;
  /// Waits for its end, reading everything.
  Finished wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  std::unique_ptr<StreamReader> errors_;
};

/// The folder that XDG_STATE_HOME names for programs under test.
[[nodiscard]] const std::string& state_folder();

/// A command with its environment and sockets, made ready before fork(): another thread may hold
/// the lock of the allocator at that moment, and a child that allocates would wait for it for ever
/// (fork(2)).
class ReadyCommand {
 public:
  ReadyCommand(std::vector<std::string> arguments, const Process::Options& options);
  ReadyCommand(const ReadyCommand&) = delete;
  ReadyCommand& operator=(const ReadyCommand&) = delete;

  /// In a child, after fork(): becomes the command. Allocates nothing.
  [[noreturn]] void become();

 private:
  void hand_over();

  std::vector<std::string> arguments_;
  std::vector<std::string> environment_;  ///< "NAME=value"
  std::vector<int> sockets_;
  char* listen_pid_ = nullptr;  ///< In the environment, where the child writes its id; or null.
  std::vector<char*> argv_;
  std::vector<char*> envp_;
};

/// Runs a command to its end.
Process::Finished run(const std::vector<std::string>& arguments,
                      const Process::Options& options = {});

}  // namespace analytics::test
