#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "cli/replay/input/record_bundle.h"

namespace analytics::cli {

/// A bounded queue of record bundles from the reading thread to the sending thread.
class RecordChannel {
 public:
  /// Waits for room and appends a bundle. Returns false if the other side has closed the channel.
  bool push(RecordBundle bundle) {
    const auto bytes = bundle.memory();
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return closed_ || bytes_ < kMaxBytes; });
    if (closed_) return false;
    bytes_ += bytes;
    bundles_.emplace_back(std::move(bundle), bytes);
    tell();
    return true;
  }
  /// Returns the next bundle; nullopt if the queue is empty. Never waits.
  std::optional<RecordBundle> pop() {
    const std::scoped_lock lock(mutex_);
    if (bundles_.empty()) return std::nullopt;
    auto first = std::move(bundles_.front());
    bundles_.pop_front();
    bytes_ -= first.second;
    room_.notify_one();
    return std::move(first.first);
  }
  /// Waits for records, for the end of the input, or until the time is over.
  void wait(std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, at_most, [&] { return finished_ || !bundles_.empty(); });
  }
  /// Lets a consumer wait for other things too: `call` is made once, on the reading thread, as soon
  /// as there is a bundle or the end. It must not use the channel. Returns false if there is a
  /// bundle or the end already.
  [[nodiscard]] bool call_when_ready(std::function<void()> call) {
    const std::scoped_lock lock(mutex_);
    if (finished_ || !bundles_.empty()) return false;
    call_ = std::move(call);
    return true;
  }
  /// Cancels the call of call_when_ready().
  void forget_call() {
    const std::scoped_lock lock(mutex_);
    call_ = nullptr;
  }
  /// Waits up to that long for a bundle and returns it.
  std::optional<RecordBundle> take(std::chrono::milliseconds at_most) {
    wait(at_most);
    return pop();
  }
  /// Takes back a bundle that is not needed any more.
  void give_back(RecordBundle bundle) {
    const auto bytes = bundle.memory();
    bundle.clear();
    const std::scoped_lock lock(mutex_);
    if (spare_bytes_ + bytes > kMaxBytes) return;
    spare_bytes_ += bytes;
    spare_.emplace_back(std::move(bundle), bytes);
  }
  /// Returns an empty bundle, a reused one if possible.
  RecordBundle empty_bundle() {
    const std::scoped_lock lock(mutex_);
    if (spare_.empty()) return {};
    auto last = std::move(spare_.back());
    spare_.pop_back();
    spare_bytes_ -= last.second;
    return std::move(last.first);
  }
  void finish() {
    const std::scoped_lock lock(mutex_);
    finished_ = true;
    tell();
  }
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    room_.notify_all();
  }
  [[nodiscard]] bool at_end() {
    const std::scoped_lock lock(mutex_);
    return finished_ && bundles_.empty();
  }

 private:
  /// REQUIRES: mutex_.
  void tell() {
    news_.notify_one();
    if (call_) std::exchange(call_, nullptr)();
  }

  static constexpr std::size_t kMaxBytes = 1'048'576;
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable news_;
  using Counted = std::pair<RecordBundle, std::size_t>;  ///< A bundle and its bytes.
  std::deque<Counted> bundles_;                          // guarded by mutex_
  std::vector<Counted> spare_;                           // guarded by mutex_
  std::size_t bytes_ = 0;                                // guarded by mutex_
  std::size_t spare_bytes_ = 0;                          // guarded by mutex_
  std::function<void()> call_;                           // guarded by mutex_
  bool finished_ = false;                                // guarded by mutex_
  bool closed_ = false;                                  // guarded by mutex_
};

}  // namespace analytics::cli
