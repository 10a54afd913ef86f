#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

namespace analytics::sqlite {

/// Prevents events from moving between rows and parts while a reader that returns its results in
/// several pages is at work, for at most an hour. Any thread.
class ReadingPins {
 public:
  /// Prevents events from moving between rows and parts while a reader owns the pin, but not for
  /// longer than an hour.
  class Pin {
   public:
    [[nodiscard]] bool is_over() const {
      return std::chrono::steady_clock::now() - since_ > kLongest;
    }

   private:
    static constexpr std::chrono::hours kLongest{1};
    const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  };
  /// Returns a pin for a new reader. Waits while events are being moved.
  [[nodiscard]] std::shared_ptr<const Pin> add() {
    auto pin = std::make_shared<const Pin>();
    const std::scoped_lock lock(mutex_);
    pins_.push_back(pin);
    return pin;
  }

  /// A lock under which events may be moved between rows and parts. While it is held, add() waits,
  /// so that no reader can begin.
  using Move = std::unique_lock<std::mutex>;
  /// Returns a lock, which is held only if no reader has a valid pin.
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
