#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <system_error>

namespace analytics {

/// How much room there is where the database is. One thread looks, any thread asks.
class DiskSpace {
 public:
  /// Below `floor` bytes health says no; below `reserve` events are refused, so that one site
  /// cannot fill the disk for all and the service can still end in an orderly way.
  DiskSpace(std::filesystem::path folder, std::uint64_t floor, std::uint64_t reserve)
      : folder_(std::move(folder)), floor_(floor), reserve_(reserve) {
    look();
  }
  void look() {
    std::error_code unknown;
    const auto space = std::filesystem::space(folder_, unknown);
    if (!unknown) free_ = space.available;
  }
  [[nodiscard]] std::uint64_t free_bytes() const { return free_; }
  [[nodiscard]] bool low() const { return free_ < floor_; }
  [[nodiscard]] bool refuses_events() const { return free_ < reserve_; }

 private:
  const std::filesystem::path folder_;
  const std::uint64_t floor_;
  const std::uint64_t reserve_;
  std::atomic<std::uint64_t> free_{UINT64_MAX};
};

}  // namespace analytics
