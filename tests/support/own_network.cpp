#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

/// Leaves the machine's network for an empty one. An ordinary user needs a user namespace for that,
/// in which the user and the group stay the same.
bool leave_network() {
  const auto user = std::to_string(geteuid());
  const auto group = std::to_string(getegid());
  if (unshare(CLONE_NEWNET) == 0) return true;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << user << ' ' << user << " 1";
  std::ofstream("/proc/self/gid_map") << group << ' ' << group << " 1";
  return true;
}

bool start_loopback() {
  const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP;
  const bool is_up = ioctl(any, SIOCSIFFLAGS, &request) == 0;
  close(any);
  return is_up;
}

}  // namespace

/// own_network COMMAND…: runs a command in a network namespace that has loopback alone, so that no
/// other program can take a port that a test has chosen. Where the system allows no namespaces, the
/// command runs in the machine's network.
int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: own_network COMMAND...\n";
    return 2;
  }
  if (leave_network() && !start_loopback()) {
    std::cerr << "own_network: loopback does not start: " << std::strerror(errno) << '\n';
    return 1;
  }
  execvp(argv[1], argv + 1);
  std::cerr << "own_network: " << argv[1] << ": " << std::strerror(errno) << '\n';
  return 127;
}
