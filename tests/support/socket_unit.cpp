// Acts as a systemd socket unit and its service: listens on a port, prints its number, and runs a
// program that gets the socket as from systemd. SIGUSR1 restarts the program; SIGTERM ends both.
//   socket_unit PROGRAM ARGUMENT...
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <sys/wait.h>

#include "tests/support/process.h"
#include "tests/support/sockets.h"

using namespace analytics::test;

namespace {

pid_t start(const std::vector<std::string>& program, const ListeningSocket& socket,
            const sigset_t& signals) {
  Process::Options options;
  options.sockets = {socket.descriptor()};
  ReadyCommand command(program, options);
  const pid_t child = fork();
  if (child != 0) return child;
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  command.become();
}

/// Stops the program. Returns its exit code, or 1 if a signal ended it.
int stop(pid_t child) {
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> program(argv + 1, argv + argc);
  if (program.empty()) return 2;
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGUSR1, SIGTERM, SIGINT}) sigaddset(&signals, signal);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  const ListeningSocket socket;
  std::cout << socket.port() << std::endl;
  auto child = start(program, socket, signals);
  int received = 0;
  while (sigwait(&signals, &received) == 0 && received == SIGUSR1) {
    if (const int exit = stop(child); exit != 0) return exit;
    child = start(program, socket, signals);
  }
  return stop(child);
}
