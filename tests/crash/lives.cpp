// Short random lives of a store: events, imports, undo, deletions, sealing, clocks that jump, a
// disk that fails, kills and power cuts. At any time what was acknowledged is there once, what was
// removed is in no file, and every number is that of the events.
//   lives [FIRST [COUNT]]: the lives of these seeds. A seed always gives the same life.
// Exits with 0 if every life was right, else tells the first three that were not.
#include <algorithm>
#include <iostream>

#include <sodium.h>

#include "common/run/secret.h"
#include "tests/crash/life.h"
#include "tests/support/rounds.h"

namespace {

std::mt19937 secret_source;  // libsodium calls C functions, which can only use static objects

/// Gives secrets, and so the bytes in the files, the same values in each run.
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
