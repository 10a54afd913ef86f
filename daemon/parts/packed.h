#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace analytics::parts {

/// Count of numbers in a block. Each block stores its numbers with its own width in bits.
inline constexpr std::size_t kBlock = 1'024;

/// Thrown if the bytes of a part or of daily totals are malformed or damaged.
struct Damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Packs numbers in blocks. Each block has as many bits per number as its greatest number needs.
/// The numbers of a whole block are distributed over 32 interleaved lanes, so that the compiler can
/// unpack many at once (Lemire and Boytsov, "Decoding billions of integers per second through
/// vectorization", 2015). The numbers of the last, shorter block follow one another.
[[nodiscard]] std::string pack(std::span<const std::uint32_t> numbers);

/// Reads numbers from bytes that pack() returned. The bytes must outlive this object.
class Packed {
 public:
  Packed() = default;  ///< Creates an object without numbers.
  /// Throws Damaged unless the bytes are `size` packed numbers and nothing else.
  Packed(std::string_view bytes, std::size_t size);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns a power of two that exceeds every number, even in damaged bytes.
  [[nodiscard]] std::uint64_t limit() const { return std::uint64_t{1} << width_; }
  /// Unpacks the block that begins at the number `first`, a multiple of kBlock. Returns how many
  /// numbers it has. REQUIRES: `out` has room for kBlock numbers.
  std::size_t read_block(std::size_t first, std::span<std::uint32_t> out) const;
  /// Unpacks all numbers. REQUIRES: `out` has room for size(), rounded up to whole blocks.
  void read_all(std::span<std::uint32_t> out) const;

 private:
  std::size_t size_ = 0;
  unsigned width_ = 0;       ///< Greatest width of any block, in bits.
  std::string_view widths_;  ///< Width of each block, in a byte.
  std::string_view words_;   ///< The packed numbers of all blocks, one block after another.
  /// Offset of each block in `words_`, in words of 32 bits.
  std::vector<std::uint32_t> offsets_;
};

}  // namespace analytics::parts
