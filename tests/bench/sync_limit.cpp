// Measures how often per second this disk can append a page with its frame header to a file and
// sync the file, the minimum for a durable event. Prints the rate. Arguments: path of a file,
// number of seconds.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int fd = open(argv[1], O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) return 1;
  const std::string frame(4'096 + 24, 'x');
  const auto start = std::chrono::steady_clock::now();
  const std::chrono::duration<double> most(std::atof(argv[2]));
  std::chrono::duration<double> passed{};
  long syncs = 0;
  while (passed < most) {
    if (write(fd, frame.data(), frame.size()) < 0 || fdatasync(fd) != 0) return 1;
    ++syncs;
    passed = std::chrono::steady_clock::now() - start;
  }
  close(fd);
  std::cout << static_cast<long>(static_cast<double>(syncs) / passed.count()) << '\n';
  return 0;
}
