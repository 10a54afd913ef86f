#include "tests/support/process.h"

#include <charconv>
#include <csignal>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temp_folder.h"

namespace analytics::test {

using namespace std::string_view_literals;

namespace {

void make_pipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
}

std::string read_to_end(int fd) {
  std::string text;
  char buffer[65'536];
  for (auto got = read(fd, buffer, sizeof buffer); got > 0; got = read(fd, buffer, sizeof buffer)) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

/// Environment entry LISTEN_PID with room for the digits of any process id.
constexpr std::string_view kPidRoom = "LISTEN_PID=\0\0\0\0\0\0\0\0\0\0\0\0"sv;

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Returns the environment of this process, with `entries` added; they replace variables of the
/// same name.
std::vector<std::string> environment_with(const std::vector<std::string>& entries) {
  std::map<std::string, std::string> all;  // entries "NAME=value" by name
  const auto add = [&](const std::string& entry) { all[entry.substr(0, entry.find('='))] = entry; };
  for (char** entry = environ; *entry != nullptr; ++entry) add(*entry);
  add("XDG_STATE_HOME=" + state_folder());
  for (const auto& entry : entries) add(entry);
  std::vector<std::string> environment;
  for (auto& [name, entry] : all) environment.push_back(std::move(entry));
  return environment;
}

}  // namespace

const std::string& state_folder() {
  static const TempFolder folder;
  static const std::string path = (folder / "state").string();
  return path;
}

ReadyCommand::ReadyCommand(std::vector<std::string> arguments, const Process::Options& options)
    : arguments_(std::move(arguments)),
      environment_(environment_with(options.environment)),
      sockets_(options.sockets) {
  if (!sockets_.empty()) {
    environment_.push_back("LISTEN_FDS=" + std::to_string(sockets_.size()));
    auto& entry = environment_.emplace_back(kPidRoom);
    listen_pid_ = entry.data() + entry.find('=') + 1;
  }
  argv_ = pointers_to(arguments_);
  envp_ = pointers_to(environment_);
}

/// Moves the sockets to descriptors 3 and up, as sd_listen_fds(3) requires.
void ReadyCommand::hand_over() {
  int next = 3;
  for (const int socket : sockets_) {
    if (socket == next) {
      fcntl(socket, F_SETFD, 0);
    } else {
      dup2(socket, next);
    }
    ++next;
  }
  if (listen_pid_ != nullptr) std::to_chars(listen_pid_, listen_pid_ + 10, getpid());
}

void ReadyCommand::become() {
  hand_over();
  execvpe(argv_[0], argv_.data(), envp_.data());
  _exit(127);
}

Process::Process(const std::vector<std::string>& arguments, const Options& options) {
  int out[2];
  int err[2];
  int begun[2];  // a pipe whose writing end exec() closes
  make_pipe(out);
  make_pipe(err);
  make_pipe(begun);
  FILE* input = std::tmpfile();
  if (input == nullptr) throw std::runtime_error("tmpfile");
  if (!options.input.empty()) std::fwrite(options.input.data(), 1, options.input.size(), input);
  std::rewind(input);
  const int input_file = fileno(input);
  ReadyCommand command(arguments, options);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(input_file, 0);
    dup2(out[1], 1);
    dup2(err[1], 2);
    command.become();
  }
  std::fclose(input);
  close(out[1]);
  close(err[1]);
  close(begun[1]);
  // Waits for exec(). Until then Catch2's handler in the child would handle a signal, and could
  // wait forever for a lock that another thread held at fork().
  (void)read_to_end(begun[0]);
  close(begun[0]);
  out_ = out[0];
  errors_ = std::make_unique<StreamReader>(err[0]);
}

Process::~Process() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (out_ >= 0) close(out_);
}

void Process::signal(int number) const {
  // kill(-1) would signal all processes.
  if (pid_ <= 0) throw std::logic_error("the process has ended");
  kill(pid_, number);
}

Process::Finished Process::wait() {
  Finished finished;
  finished.out = read_to_end(out_);
  finished.err = errors_->rest();
  int status = 0;
  rusage used{};
  wait4(pid_, &status, 0, &used);
  pid_ = -1;
  finished.most_resident = static_cast<std::size_t>(used.ru_maxrss) * 1'024;
  finished.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

Process::Finished run(const std::vector<std::string>& arguments, const Process::Options& options) {
  return Process(arguments, options).wait();
}

}  // namespace analytics::test
