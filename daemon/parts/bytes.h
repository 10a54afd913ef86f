#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace analytics::parts {

/// Appends numbers and strings of bytes to a string.
class ByteWriter {
 public:
  void number(std::uint64_t value);
  void bytes(std::string_view bytes);  ///< With their length.
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Reads what ByteWriter wrote. A view: the bytes must outlive it, and what it returns. Throws
/// Damaged where they end too early.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  std::uint64_t number();
  std::uint32_t small_number();  ///< Below 2³².
  std::string_view bytes();
  void end() const;  ///< Throws Damaged if anything is left.

 private:
  std::string_view rest_;
};

/// Returns the bytes with a checksum over them, the part and the column they are of, so that no
/// bytes are taken for others.
[[nodiscard]] std::string with_checksum(std::string_view bytes, std::int64_t part,
                                        std::uint32_t column);
/// Returns the bytes without their checksum. Throws Damaged unless it is right.
[[nodiscard]] std::string_view verified(std::string_view bytes, std::int64_t part,
                                        std::uint32_t column);

}  // namespace analytics::parts
