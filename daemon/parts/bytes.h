#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace analytics::parts {

/// Appends numbers and strings of bytes to a string.
class ByteWriter {
 public:
  void number(std::uint64_t value);
  void bytes(std::string_view bytes);  ///< Appends the length of the bytes, then the bytes.
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Reads the bytes that ByteWriter wrote. The bytes must outlive the reader and the views that it
/// returns. Throws Damaged if the bytes end too early.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  std::uint64_t number();
  std::uint32_t small_number();  ///< Reads a number; throws Damaged unless it is below 2³².
  std::string_view bytes();
  void end() const;  ///< Throws Damaged if any bytes are left.

 private:
  std::string_view rest_;
};

/// Returns the bytes of a part's column with a checksum in front. The checksum covers the bytes
/// and the ids of the part and the column, so that no column can be mistaken for another.
[[nodiscard]] std::string with_checksum(std::string_view bytes, std::int64_t part,
                                        std::uint32_t column);
/// Returns the bytes of a part's column without the checksum that with_checksum() added. Throws
/// Damaged if the checksum is wrong.
[[nodiscard]] std::string_view verified(std::string_view bytes, std::int64_t part,
                                        std::uint32_t column);

}  // namespace analytics::parts
