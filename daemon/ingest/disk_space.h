#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <system_error>

namespace analytics {

/// Free disk space in the folder of the database. One thread calls look(), any thread free_bytes().
class DiskSpace {
 public:
  explicit DiskSpace(std::filesystem::path folder) : folder_(std::move(folder)) { look(); }
  /// Measures the free space; keeps the last figure if that fails.
  void look() {
    std::error_code unknown;
    const auto space = std::filesystem::space(folder_, unknown);
    if (!unknown) free_ = space.available;
  }
  [[nodiscard]] std::uint64_t free_bytes() const { return free_; }

 private:
  const std::filesystem::path folder_;
  std::atomic<std::uint64_t> free_{UINT64_MAX};
};

}  // namespace analytics
