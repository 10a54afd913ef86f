#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

#include <arpa/inet.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

constexpr char kFolder[] = "/dev/shm";
constexpr char kOtherHost[] = "192.0.2.1";

/// Leaves the machine's network and mount namespaces. An ordinary user also needs a user namespace,
/// in which the user and the group stay the same. Returns false if the system allows no namespaces.
bool leave_machine() {
  const auto user = std::to_string(geteuid());
  const auto group = std::to_string(getegid());
  if (unshare(CLONE_NEWNET | CLONE_NEWNS) == 0) return true;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << user << ' ' << user << " 1";
  std::ofstream("/proc/self/gid_map") << group << ' ' << group << " 1";
  return true;
}

/// Starts loopback and gives it a second address, which looks to a daemon like another host's.
bool start_loopback() {
  const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP;
  const bool is_up = ioctl(any, SIOCSIFFLAGS, &request) == 0;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, kOtherHost, &address.sin_addr);
  request = {};
  std::strcpy(request.ifr_name, "lo:1");
  std::memcpy(&request.ifr_addr, &address, sizeof address);
  const bool has_address = ioctl(any, SIOCSIFADDR, &request) == 0;
  close(any);
  return is_up && has_address;
}

/// Mounts a tmpfs for temporary files, which the kernel frees after the sandbox's last process
/// ends. Does nothing in a chroot whose folder is not mounted: the tmpfs could appear outside.
bool mount_folder() {
  const auto hide = [](const char* path, unsigned long below) {
    return mount("none", path, nullptr, MS_PRIVATE | below, nullptr) == 0;
  };
  if (!hide("/", MS_REC) && !hide(kFolder, 0)) return errno == EINVAL;
  return mount("tmpfs", kFolder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") == 0 &&
         setenv("TMPDIR", kFolder, 1) == 0;
}

}  // namespace

/// sandbox COMMAND…: runs a command in a network that has only loopback, so that no other program
/// can take a port that a test has chosen, and with temporary files in memory, so that no test
/// waits for a disk. If the system allows no namespaces, the command runs without either.
int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: sandbox COMMAND...\n";
    return 2;
  }
  if (leave_machine()) {
    if (!start_loopback()) {
      std::cerr << "sandbox: loopback does not start: " << std::strerror(errno) << '\n';
      return 1;
    }
    if (!mount_folder()) {
      std::cerr << "sandbox: " << kFolder << " is not mounted: " << std::strerror(errno) << '\n';
      return 1;
    }
  }
  execvp(argv[1], argv + 1);
  std::cerr << "sandbox: " << argv[1] << ": " << std::strerror(errno) << '\n';
  return 127;
}
