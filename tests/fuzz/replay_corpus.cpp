// Runs a fuzz target without a fuzzer: on every file of its corpus, on every prefix of each file,
// and on each file with every single byte changed. Argument: the folder of the corpus.
#include <cstdint>
#include <filesystem>
#include <iostream>

#include "common/io/fs.h"
#include "common/run/secret.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

// Maximum size in bytes of a file that is run with changes.
constexpr std::size_t kEveryByteUpTo = 2'000;

void run(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  analytics::init_secrets();
  if (argc != 2) return 2;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    const auto seed = analytics::read_file(entry.path()).value_or("");
    ++files;
    run(seed);
    if (seed.size() > kEveryByteUpTo) continue;
    for (std::size_t i = 0; i < seed.size(); ++i) {
      run(seed.substr(0, i));
      auto changed = seed;
      changed[i] = static_cast<char>(changed[i] ^ 0x20);
      run(changed);
      changed[i] = '\0';
      run(changed);
    }
  }
  std::cout << files << " seeds\n";
  return files > 0 ? 0 : 1;
}
