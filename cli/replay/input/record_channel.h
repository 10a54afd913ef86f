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

/// A queue of record bundles from the reading thread to the sending thread, bounded in bytes.
class RecordChannel {
 public:
  /// Waits for room and appends a bundle. Returns false if the consumer has closed the channel.
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
  /// Waits until a bundle is queued, the input ends, or `at_most` has passed.
  void wait(std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, at_most, [&] { return finished_ || !bundles_.empty(); });
  }
  /// Lets the consumer wait for something else at the same time: the reading thread calls `call`
  /// once, as soon as a bundle is queued or the input ends. `call` must not use the channel.
  /// Returns false, and never calls `call`, if a bundle is already queued or the input has ended.
  [[nodiscard]] bool call_when_ready(std::function<void()> call) {
    const std::scoped_lock lock(mutex_);
    if (finished_ || !bundles_.empty()) return false;
    call_ = std::move(call);
    return true;
  }
  /// Cancels the call that call_when_ready() arranged.
  void forget_call() {
    const std::scoped_lock lock(mutex_);
    call_ = nullptr;
  }
  /// Waits at most `at_most` for a bundle and returns it; nullopt if none was queued.
  std::optional<RecordBundle> take(std::chrono::milliseconds at_most) {
    wait(at_most);
    return pop();
  }
  /// Stores a bundle that the consumer has finished with, so that empty_bundle() can reuse it.
  void give_back(RecordBundle bundle) {
    const auto bytes = bundle.memory();
    bundle.clear();
    const std::scoped_lock lock(mutex_);
    if (spare_bytes_ + bytes > kMaxBytes) return;
    spare_bytes_ += bytes;
    spare_.emplace_back(std::move(bundle), bytes);
  }
  /// Returns an empty bundle, if possible one that give_back() stored.
  RecordBundle empty_bundle() {
    const std::scoped_lock lock(mutex_);
    if (spare_.empty()) return {};
    auto last = std::move(spare_.back());
    spare_.pop_back();
    spare_bytes_ -= last.second;
    return std::move(last.first);
  }
  /// Marks the end of the input; called by the reading thread.
  void finish() {
    const std::scoped_lock lock(mutex_);
    finished_ = true;
    tell();
  }
  /// Makes push() return false from now on; called by the consumer.
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
  /// Wakes the consumer. REQUIRES: the caller holds mutex_.
  void tell() {
    news_.notify_one();
    if (call_) std::exchange(call_, nullptr)();
  }

  static constexpr std::size_t kMaxBytes = 1'048'576;
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable news_;
  using Counted = std::pair<RecordBundle, std::size_t>;  ///< A bundle and its memory in bytes.
  std::deque<Counted> bundles_;                          // queued bundles; guarded by mutex_
  std::vector<Counted> spare_;   // empty bundles for reuse; guarded by mutex_
  std::size_t bytes_ = 0;        // memory of bundles_; guarded by mutex_
  std::size_t spare_bytes_ = 0;  // memory of spare_; guarded by mutex_
  std::function<void()> call_;   // set by call_when_ready(); guarded by mutex_
  bool finished_ = false;        // true once the input has ended; guarded by mutex_
  bool closed_ = false;          // true once the consumer has called close(); guarded by mutex_
};

}  // namespace analytics::cli
