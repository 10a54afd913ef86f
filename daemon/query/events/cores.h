#pragma once

#include <atomic>
#include <optional>
#include <utility>

namespace analytics::query {

/// Counts the cores that queries use, so that a query starts helper threads only on idle cores.
/// Any thread may call the functions.
class Cores {
 public:
  /// `all`: number of cores that queries share. If it is 1, no query gets helper threads.
  explicit Cores(unsigned all) : all_(all) {}
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;

  /// Marks a core as used for as long as the object exists.
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

  /// Marks a core as used by the query's own thread, even if no core is idle.
  [[nodiscard]] Use use() { return Use(*this); }
  /// Marks a core as used by a helper thread; nullopt if no core is idle.
  [[nodiscard]] std::optional<Use> borrow() {
    auto used = used_.load();
    while (used < all_) {
      if (used_.compare_exchange_weak(used, used + 1)) return Use(*this, Use::Counted{});
    }
    return std::nullopt;
  }
  /// Returns true if more cores are used than exist because another query has begun. Helper threads
  /// should then end.
  [[nodiscard]] bool are_short() const { return used_ > all_; }

 private:
  const unsigned all_;
  std::atomic<unsigned> used_{0};
};

}  // namespace analytics::query
