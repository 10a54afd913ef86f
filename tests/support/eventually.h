#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace analytics::test {

/// Asks until something holds that another process or thread brings about by itself; false when it
/// never comes. The limit is for a test that hangs: a loaded machine may take its time.
inline bool eventually(const std::function<bool()>& holds) {
  constexpr std::chrono::milliseconds kBetween(20);
  constexpr std::chrono::minutes kLimit(4);
  const auto end = std::chrono::steady_clock::now() + kLimit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kBetween);
  }
  return true;
}

}  // namespace analytics::test
