// Opens connections to a port of this machine, prints "open", and keeps them open until standard
// input ends. Arguments: port, number of connections.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "tests/support/raw_http.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  std::vector<std::unique_ptr<analytics::test::RawConnection>> all;
  const auto wanted = static_cast<std::size_t>(std::atoi(argv[2]));
  while (all.size() < wanted) {
    all.push_back(std::make_unique<analytics::test::RawConnection>(
        static_cast<std::uint16_t>(std::atoi(argv[1]))));
    if (!all.back()->connected()) return 1;
  }
  std::cout << "open" << std::endl;
  std::string line;
  std::getline(std::cin, line);
  return 0;
}
