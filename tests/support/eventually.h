#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace analytics::test {

/// Polls until `holds` returns true, as an effect of another process or thread. Returns false
/// after 4 minutes. The limit only ends tests that hang, because a loaded machine may be slow.
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
