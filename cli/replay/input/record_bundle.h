#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "cli/replay/formats/record.h"

namespace analytics::cli {

/// Records that are passed from one thread to another together. clear() keeps their memory for
/// reuse, because freeing a text on a thread that did not allocate it takes a lock.
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

  /// Appends a record and returns it. The caller must set all fields, because a reused record keeps
  /// its old values.
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
  /// Returns the approximate memory of all records in bytes, including those kept for reuse.
  [[nodiscard]] std::size_t memory() const {
    std::size_t bytes = 0;
    for (const auto& record : records_) bytes += record.memory();
    return bytes;
  }

 private:
  std::vector<Record> records_;
  std::size_t size_ = 0;  ///< Number of records added; the rest of records_ is kept for reuse.
};

}  // namespace analytics::cli
