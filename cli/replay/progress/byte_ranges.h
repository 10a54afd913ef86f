#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace analytics::cli {

/// A range of bytes of a source file; `to` is exclusive.
struct ByteRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  bool operator==(const ByteRange&) const = default;
};

/// Returns "<from>-<to>", the form of ranges in requests.
[[nodiscard]] std::string to_text(const ByteRange& range);

/// A set of bytes as a minimal list of ranges: adjacent and overlapping ranges are merged.
class ByteRanges {
 public:
  void add(ByteRange range);
  void add(const ByteRanges& other);
  /// Returns the range that contains the byte at offset `byte`; an empty range at `byte` if none
  /// does.
  [[nodiscard]] ByteRange around(std::uint64_t byte) const;
  /// Returns true if the set contains the whole range; always true for an empty range.
  [[nodiscard]] bool contains(ByteRange range) const;
  [[nodiscard]] bool contains(const ByteRanges& other) const;
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  [[nodiscard]] std::size_t size() const { return ranges_.size(); }
  /// Returns the offset just after the last byte of the set; 0 if it is empty.
  [[nodiscard]] std::uint64_t end() const { return empty() ? 0 : ranges_.rbegin()->second; }
  /// Returns the ranges in order, as a map from `from` to `to`. No two ranges touch.
  [[nodiscard]] const std::map<std::uint64_t, std::uint64_t>& list() const { return ranges_; }

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;
};

}  // namespace analytics::cli
