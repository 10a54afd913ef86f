#include "tests/support/programs.h"

#include <cstdlib>
#include <filesystem>

namespace analytics::test {
namespace {

std::string program(const char* name) {
  const char* folder = std::getenv("ANALYTICS_PROGRAMS");
  return std::filesystem::path(folder == nullptr ? PROGRAMS : folder) / name;
}

}  // namespace

std::string daemon_program() { return program("analyticsd"); }

std::string cli_program() { return program("analytics"); }

std::size_t memory_factor() {
  const char* factor = std::getenv("ANALYTICS_MEMORY_FACTOR");
  return factor == nullptr ? MEMORY_FACTOR : std::stoul(factor);
}

}  // namespace analytics::test
