#pragma once

#include <atomic>
#include <optional>
#include <utility>

namespace analytics::query {

/// Counts the cores that queries use, so that one query may have the help of those that are idle,
/// and many at once do not get in each other's way. Any thread.
class Cores {
 public:
  explicit Cores(unsigned all) : all_(all) {}  ///< `all`: 1 if no query may have help.
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;

  /// Uses one core while it lives.
  class Use {
   public:
    explicit Use(Cores& cores) : cores_(&cores) { ++cores.used_; }
    ~Use() {
      if (cores_ != nullptr) --cores_->used_;
    }
    Use(Use&& other) noexcept : cores_(std::exchange(other.cores_, nullptr)) {}
    Use& operator=(Use&&) = delete;

   private:
    friend class Cores;
    struct Counted {};
    Use(Cores& cores, Counted) : cores_(&cores) {}
    Cores* cores_;
  };

  /// For a query's own thread: every query has one core, however many there are.
  [[nodiscard]] Use use() { return Use(*this); }
  /// For a thread that helps: none if no core is idle.
  [[nodiscard]] std::optional<Use> borrow() {
    auto used = used_.load();
    while (used < all_) {
      if (used_.compare_exchange_weak(used, used + 1)) return Use(*this, Use::Counted{});
    }
    return std::nullopt;
  }
  /// True if a thread that helps should end, because another query has begun.
  [[nodiscard]] bool are_short() const { return used_ > all_; }

 private:
  const unsigned all_;
  std::atomic<unsigned> used_{0};
};

}  // namespace analytics::query
