#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace analytics::cluster {

/// Rows in ClickHouse's Native format, one column after another
/// (https://clickhouse.com/docs/en/interfaces/formats#native). A server accepts or rejects a block
/// as a whole, and stores the rows of each month separately.
class NativeBlock {
 public:
  struct Column {
    std::string_view name;
    std::string_view type;  ///< Type as in CREATE TABLE: a number, Date, DateTime or String.
  };
  /// `columns` must outlive the object.
  explicit NativeBlock(std::span<const Column> columns)
      : columns_(columns), values_(columns.size()) {}

  // Append the next value of a row, in the order of the columns. The value of the last column ends
  // the row. REQUIRES: the value is as wide as the column's type.
  template <typename Number>
  NativeBlock& operator<<(Number value) {
    static_assert(std::is_integral_v<Number>);
    next().append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  NativeBlock& operator<<(std::string_view text);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::span<const Column> columns() const { return columns_; }
  /// Returns the block as bytes to send. If `deadline` is given, every row contains it in an
  /// additional column named `deadline`.
  [[nodiscard]] std::string finish(std::optional<std::uint32_t> deadline = {}) const;

 private:
  std::string& next();

  std::span<const Column> columns_;
  std::vector<std::string> values_;  ///< Encoded values of each column.
  std::size_t at_ = 0;               ///< Index of the column that gets the next value.
  std::size_t rows_ = 0;
};

/// Returns the names of the columns as a list in SQL: "site, day, visitor".
[[nodiscard]] std::string names_of(std::span<const NativeBlock::Column> columns);

}  // namespace analytics::cluster
