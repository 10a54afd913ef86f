#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/run/result.h"

namespace analytics::cluster {

/// Reads blocks of rows in ClickHouse's Native format as their bytes arrive
/// (https://clickhouse.com/docs/en/interfaces/formats#native). The caller knows the columns and
/// types in advance. Other bytes, such as the message of a statement that fails halfway, are an
/// error.
class NativeReader {
 public:
  enum class Type { kUInt8, kUInt16, kUInt32, kUInt64, kInt16, kInt32, kInt64, kString };

  explicit NativeReader(const std::vector<Type>& columns);

  /// Returns the buffer to which the caller appends received bytes. Invalidates the values of the
  /// current block.
  [[nodiscard]] std::string& input();
  /// Moves to the next block. Returns false if more bytes are needed. Errors: kInternal if the
  /// bytes are not a block with the expected columns.
  [[nodiscard]] Result<bool> next();
  /// Returns true if all bytes were read and the last block was complete.
  [[nodiscard]] bool is_at_end() const { return at_ == input_.size() && !has_begun_; }

  // The functions from here to text() read the current block.
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Returns the number in a row of a column. REQUIRES: a column of numbers.
  [[nodiscard]] std::int64_t number(std::size_t column, std::size_t row) const;
  /// Copies a column's numbers to `to`, from row `first` on. REQUIRES: as for number().
  void numbers(std::size_t column, std::size_t first, std::span<std::int64_t> to) const;
  /// Returns the text in a row of a column. REQUIRES: a column of texts.
  [[nodiscard]] std::string_view text(std::size_t column, std::size_t row) const {
    const auto& [begin, size] = columns_[column].texts[row];
    return std::string_view(input_).substr(begin, size);
  }

  [[nodiscard]] std::size_t memory() const;  ///< Returns the memory in use in bytes.

 private:
  struct Column {
    Type type;
    std::size_t size = 0;   ///< Bytes per number; 0 for a column of texts.
    std::size_t begin = 0;  ///< Offset of the column's numbers in input_.
    /// Offset and size of each text in input_.
    std::vector<std::pair<std::size_t, std::size_t>> texts{};
  };

  [[nodiscard]] bool read_head();
  [[nodiscard]] bool read_column(Column& column);
  [[nodiscard]] bool read_size(std::size_t& size);
  [[nodiscard]] bool read_text(std::string_view& text);

  std::vector<Column> columns_;
  std::string input_;
  std::size_t at_ = 0;      ///< Offset up to which input_ has been read.
  bool has_begun_ = false;  ///< True if the head of a block was read, but not all of its columns.
  std::size_t rows_ = 0;
  std::size_t column_ = 0;  ///< Index of the column being read.
  bool has_type_ = false;   ///< True if the current column's name and type were read.
};

}  // namespace analytics::cluster
