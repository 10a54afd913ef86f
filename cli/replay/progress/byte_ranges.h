#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace analytics::cli {

/// Bytes of a source, `to` exclusive.
struct ByteRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  bool operator==(const ByteRange&) const = default;
};

/// "<from>-<to>", as requests name it.
[[nodiscard]] std::string to_text(const ByteRange& range);

/// A set of bytes, as few ranges: neighbours and overlaps become one.
class ByteRanges {
 public:
  void add(ByteRange range);
  void add(const ByteRanges& other);
  /// The range that holds the byte; an empty one at `byte` when none does.
  [[nodiscard]] ByteRange around(std::uint64_t byte) const;
  /// An empty range is in every set.
  [[nodiscard]] bool contains(ByteRange range) const;
  [[nodiscard]] bool contains(const ByteRanges& other) const;
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  [[nodiscard]] std::size_t size() const { return ranges_.size(); }
  /// Returns the offset just after the last byte.
  [[nodiscard]] std::uint64_t end() const { return empty() ? 0 : ranges_.rbegin()->second; }
  /// `to` by `from`, in order, never touching.
  [[nodiscard]] const std::map<std::uint64_t, std::uint64_t>& list() const { return ranges_; }

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;
};

}  // namespace analytics::cli
