#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/result.h"

namespace analytics::cluster {

/// Reads blocks in ClickHouse's format Native as their bytes come
/// (https://clickhouse.com/docs/en/interfaces/formats#native). What is read is known before:
/// anything else, such as the message of a statement that fails halfway, is an error.
class NativeReader {
 public:
  enum class Type { kUInt8, kUInt16, kUInt32, kUInt64, kInt16, kInt32, kInt64, kString };

  explicit NativeReader(const std::vector<Type>& columns);

  /// Where bytes are appended. What was read of a block is invalid afterwards.
  [[nodiscard]] std::string& input();
  /// True: there is a block, the next one. False: more bytes are needed. Errors: kInternal.
  [[nodiscard]] Result<bool> next();
  /// False if a block has only come in part.
  [[nodiscard]] bool is_at_end() const { return at_ == input_.size() && !has_begun_; }

  // Of the block:
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// The number in a row, sign-extended. REQUIRES: a column of numbers.
  [[nodiscard]] std::int64_t number(std::size_t column, std::size_t row) const;
  /// The numbers of rows from `first` on. REQUIRES: as number().
  void numbers(std::size_t column, std::size_t first, std::span<std::int64_t> to) const;
  /// REQUIRES: a column of texts.
  [[nodiscard]] std::string_view text(std::size_t column, std::size_t row) const {
    const auto& [begin, size] = columns_[column].texts[row];
    return std::string_view(input_).substr(begin, size);
  }

  [[nodiscard]] std::size_t memory() const;  ///< Bytes.

 private:
  struct Column {
    Type type;
    std::size_t size = 0;                                      ///< Bytes of a number; 0: texts.
    std::size_t begin = 0;                                     ///< Of the numbers, in input_.
    std::vector<std::pair<std::size_t, std::size_t>> texts{};  ///< Begin and size.
  };

  [[nodiscard]] bool read_head();
  [[nodiscard]] bool read_column(Column& column);
  [[nodiscard]] bool read_size(std::size_t& size);
  [[nodiscard]] bool read_text(std::string_view& text);

  std::vector<Column> columns_;
  std::string input_;
  std::size_t at_ = 0;      ///< What is before it has been read.
  bool has_begun_ = false;  ///< The head of a block has been read, but not all of its columns.
  std::size_t rows_ = 0;
  std::size_t column_ = 0;  ///< The one that is being read.
  bool has_type_ = false;   ///< Its name and type have been read.
};

}  // namespace analytics::cluster
