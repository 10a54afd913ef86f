#include "tests/support/programs.h"

#include <cstdlib>
#include <filesystem>

namespace analytics::test {
namespace {

std::filesystem::path own_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::string program(const char* name) {
  const char* folder = std::getenv("ANALYTICS_PROGRAMS");
  return (folder == nullptr ? own_folder() / "bin" : std::filesystem::path(folder)) / name;
}

}  // namespace

std::string daemon_program() { return program("analyticsd"); }

std::string cli_program() { return program("analytics"); }

std::string in_checkout(const std::string& file) { return SOURCE_DIR "/" + file; }

std::string httptest_program() { return own_folder() / "analyticsd-httptest"; }

std::size_t memory_factor() {
  const char* factor = std::getenv("ANALYTICS_MEMORY_FACTOR");
  return factor == nullptr ? 1 : std::stoul(factor);
}

}  // namespace analytics::test
