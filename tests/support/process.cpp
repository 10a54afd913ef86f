#include "tests/support/process.h"

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temp_folder.h"

namespace analytics::test {
namespace {

void make_pipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
}

/// Appends what is there; false at the end.
bool drain(int fd, std::string& into) {
  char buffer[65'536];
  const auto got = read(fd, buffer, sizeof buffer);
  if (got > 0) into.append(buffer, static_cast<std::size_t>(got));
  return got > 0;
}

/// In the child: gives it the sockets as the first descriptors behind the standard streams.
void hand_over(const std::vector<int>& sockets) {
  if (sockets.empty()) return;
  int next = 3;
  for (const int socket : sockets) {
    if (socket == next) {
      fcntl(socket, F_SETFD, 0);
    } else {
      dup2(socket, next);
    }
    ++next;
  }
  setenv("LISTEN_FDS", std::to_string(sockets.size()).c_str(), 1);
  setenv("LISTEN_PID", std::to_string(getpid()).c_str(), 1);
}

}  // namespace

const std::string& state_folder() {
  static const TempFolder folder;
  static const std::string path = (folder / "state").string();
  return path;
}

void become(const std::vector<std::string>& arguments, const Process::Options& options) {
  setenv("XDG_STATE_HOME", state_folder().c_str(), 1);
  for (const auto& entry : options.environment) {
    const auto equals = entry.find('=');
    setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
  }
  hand_over(options.sockets);
  std::vector<char*> argv;
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(127);
}

Process::Process(const std::vector<std::string>& arguments, const Options& options) {
  int out[2];
  int err[2];
  make_pipe(out);
  make_pipe(err);
  FILE* input = std::tmpfile();
  if (input == nullptr) throw std::runtime_error("tmpfile");
  if (!options.input.empty()) std::fwrite(options.input.data(), 1, options.input.size(), input);
  std::rewind(input);
  (void)state_folder();  // made here, and not by the child
  pid_ = fork();
  if (pid_ == 0) {
    dup2(fileno(input), 0);
    dup2(out[1], 1);
    dup2(err[1], 2);
    become(arguments, options);
  }
  std::fclose(input);
  close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Process::~Process() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (out_ >= 0) close(out_);
  if (err_ >= 0) close(err_);
}

std::optional<std::string> Process::read_error_line() {
  while (true) {
    const auto end = err_buffer_.find('\n');
    if (end != std::string::npos) {
      auto line = err_buffer_.substr(0, end);
      err_buffer_.erase(0, end + 1);
      return line;
    }
    if (!drain(err_, err_buffer_)) return std::nullopt;
  }
}

void Process::signal(int number) const { kill(pid_, number); }

Process::Finished Process::wait() {
  Finished finished;
  finished.err = std::move(err_buffer_);
  bool out_open = true;
  bool err_open = true;
  while (out_open || err_open) {
    pollfd waiting[] = {{out_open ? out_ : -1, POLLIN, 0}, {err_open ? err_ : -1, POLLIN, 0}};
    if (poll(waiting, 2, -1) < 0) break;
    if (waiting[0].revents != 0) out_open = drain(out_, finished.out);
    if (waiting[1].revents != 0) err_open = drain(err_, finished.err);
  }
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
