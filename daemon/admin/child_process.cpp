#include "daemon/admin/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <sys/wait.h>
#include <unistd.h>

#include "common/io/fs.h"

namespace analytics::admin {
namespace {

[[noreturn]] void raise_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

[[noreturn]] void be_child(const std::function<int(std::string&)>& work, const FileDescriptor& out,
                           const sigset_t& passed_on) {
  sigprocmask(SIG_UNBLOCK, &passed_on, nullptr);
  std::string text;
  const int exit = work(text);
  const bool is_written = write_all(out, text).has_value();
  std::fflush(nullptr);
  // Does not call exit(), because objects from before the fork belong to the parent, which destroys
  // them.
  std::_Exit(is_written || exit != 0 ? exit : EXIT_FAILURE);
}

}  // namespace

ChildOutput run_in_child(const std::function<int(std::string& text)>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) raise_errno("pipe");
  const FileDescriptor in(ends[0]);
  FileDescriptor out(ends[1]);
  sigset_t passed_on;
  sigemptyset(&passed_on);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&passed_on, signal);
  auto awaited = passed_on;
  sigaddset(&awaited, SIGCHLD);
  sigprocmask(SIG_BLOCK, &awaited, nullptr);
  std::fflush(nullptr);  // otherwise the child would print the buffered output again
  const auto child = fork();
  if (child < 0) raise_errno("fork");
  if (child == 0) be_child(work, out, awaited);
  out = FileDescriptor();
  // A pipe buffers 64 KiB and the output is a few lines, so the child never blocks on it.
  int status = 0;
  for (int signal = 0; sigwait(&awaited, &signal) == 0;) {
    if (signal != SIGCHLD) {
      (void)kill(child, signal);
    } else if (waitpid(child, &status, WNOHANG) == child) {
      break;
    }
  }
  ChildOutput output;
  std::array<char, 4'096> buffer{};
  while (true) {
    const auto got = read(in.get(), buffer.data(), buffer.size());
    if (got <= 0) break;
    output.text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  output.exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return output;
}

}  // namespace analytics::admin
