#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

namespace analytics::sqlite {

/// Keeps events where they are, rows or parts, while somebody reads page after page of them, for an
/// hour at most. Any thread.
class ReadingPins {
 public:
  /// Held by a reading.
  class Pin {
   public:
    [[nodiscard]] bool is_over() const {
      return std::chrono::steady_clock::now() - since_ > kLongest;
    }

   private:
    static constexpr std::chrono::hours kLongest{1};
    const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  };
  /// Waits while events move.
  [[nodiscard]] std::shared_ptr<const Pin> add() {
    auto pin = std::make_shared<const Pin>();
    const std::scoped_lock lock(mutex_);
    pins_.push_back(pin);
    return pin;
  }

  /// While it is held no reading begins, so that events may move.
  using Move = std::unique_lock<std::mutex>;
  /// Not held if somebody reads.
  [[nodiscard]] Move try_move() {
    Move move(mutex_);
    std::erase_if(pins_, [](const auto& each) {
      const auto pin = each.lock();
      return pin == nullptr || pin->is_over();
    });
    if (!pins_.empty()) move.unlock();
    return move;
  }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<const Pin>> pins_;
};

}  // namespace analytics::sqlite
