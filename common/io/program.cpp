#include "common/io/program.h"

namespace analytics {

std::filesystem::path beside_program(const std::filesystem::path& rest) {
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return program.parent_path().parent_path() / rest;
}

}  // namespace analytics
