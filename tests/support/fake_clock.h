#pragma once

#include "common/text/time.h"

namespace analytics::test {

/// A clock that stands still except for advance() and sleep(), which move it at once.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(UnixMillis start) : now_(start) {}

  void advance(std::chrono::milliseconds time) const {
    now_ += time;
    steady_ += time;
  }
  [[nodiscard]] UnixMillis now() const override { return now_; }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override { return steady_; }
  void sleep(std::chrono::nanoseconds time) const override {
    advance(std::chrono::ceil<std::chrono::milliseconds>(time));
  }

 private:
  mutable UnixMillis now_;
  mutable std::chrono::steady_clock::time_point steady_{};
};

}  // namespace analytics::test
