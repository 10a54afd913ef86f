// Runs random operations on stores: events, imports, undo, deletions, sealing, clock jumps, disk
// failures, kills and power cuts. At any time, every acknowledged event must be stored once,
// removed data must be in no file, and every number must match the events.
//   lives [FIRST [COUNT]]: runs COUNT seeds from FIRST on; a seed always gives the same life
// Exits with 0 if every store kept its promises, else prints the operations of the first three
// that did not.
#include <algorithm>
#include <iostream>

#include <sodium.h>

#include "common/run/secret.h"
#include "tests/crash/life.h"
#include "tests/support/rounds.h"

namespace {

std::mt19937 secret_source;  // libsodium calls C functions, which can only use static objects

/// Makes secrets, and so the bytes in the files, the same in each run.
void make_secrets_repeatable() {
  static randombytes_implementation source{};
  source.implementation_name = [] { return "seeded"; };
  source.random = [] { return static_cast<std::uint32_t>(secret_source()); };
  source.buf = [](void* const bytes, const std::size_t size) {
    auto* const at = static_cast<unsigned char*>(bytes);
    std::generate_n(at, size, [] { return static_cast<unsigned char>(secret_source()); });
  };
  randombytes_set_implementation(&source);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace analytics;
  using namespace analytics::test;
  make_secrets_repeatable();
  init_secrets();
  FailingDisk disk;
  const auto first = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1U;
  const auto count = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2]))
                              : static_cast<unsigned>(rounds(250, 5'000));
  int broken = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    secret_source.seed(seed);
    std::string story;
    try {
      Life life(seed, disk, story);
      life.live();
    } catch (const std::exception& error) {
      if (++broken > 3) continue;
      std::cerr << "life " << seed << ": " << error.what() << '\n' << story;
    }
  }
  std::cout << count << " lives, " << broken << " broken\n";
  return broken > 0 ? 1 : 0;
}
