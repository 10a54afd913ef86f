#include "tests/support/terminal.h"

#include <cerrno>
#include <stdexcept>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/io/fs.h"

namespace analytics::test {

Process::Finished run_on_terminal(const std::vector<std::string>& arguments,
                                  const Process::Options& options, unsigned short columns) {
  auto with_terminal = options;
  // Overrides variables of the tests' own environment that could change the output.
  auto& environment = with_terminal.environment;
  environment.insert(environment.begin(), {"TERM=xterm-256color", "NO_COLOR="});
  ReadyCommand command(arguments, with_terminal);
  winsize size{};
  size.ws_col = columns;
  size.ws_row = 24;
  int master = -1;
  const auto child = forkpty(&master, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("forkpty");
  if (child == 0) command.become();
  const FileDescriptor terminal(master);
  Process::Finished finished;
  char buffer[4'096];
  while (true) {
    const auto got = read(terminal.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // EIO: the other end was closed
    finished.out.append(buffer, static_cast<std::size_t>(got));
  }
  int status = 0;
  waitpid(child, &status, 0);
  finished.exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return finished;
}

}  // namespace analytics::test
