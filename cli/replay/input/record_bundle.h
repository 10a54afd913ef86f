#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "cli/replay/formats/record.h"

namespace analytics::cli {

/// Records that travel together. Those that were cleared stay in memory and are used again: texts
/// that one thread allocates and another frees cost a lock each time.
class RecordBundle {
 public:
  RecordBundle() = default;
  RecordBundle(RecordBundle&& other) noexcept
      : records_(std::move(other.records_)), size_(std::exchange(other.size_, 0)) {}
  RecordBundle& operator=(RecordBundle&& other) noexcept {
    records_ = std::move(other.records_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~RecordBundle() = default;
  RecordBundle(const RecordBundle&) = delete;
  RecordBundle& operator=(const RecordBundle&) = delete;

  /// Returns a record at the end, whose fields all have to be set: it may be an old one.
  Record& add() {
    if (size_ == records_.size()) records_.emplace_back();
    return records_[size_++];
  }
  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  Record& operator[](std::size_t at) { return records_[at]; }
  [[nodiscard]] auto begin() const { return records_.begin(); }
  [[nodiscard]] auto end() const { return records_.begin() + static_cast<std::ptrdiff_t>(size_); }
  /// Bytes of memory, roughly.
  [[nodiscard]] std::size_t memory() const {
    std::size_t bytes = 0;
    for (const auto& record : records_) bytes += record.memory();
    return bytes;
  }

 private:
  std::vector<Record> records_;
  std::size_t size_ = 0;  ///< How many records were added; the others are old ones.
};

}  // namespace analytics::cli
