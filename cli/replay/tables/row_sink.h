#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analytics::cli {

/// The values of a table's row, in the order of its columns; nullopt is NULL.
using TableValues = std::vector<std::optional<std::string>>;

/// Receives the rows of tables from a parser, one row at a time.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Returns true if this object may want rows of a table with that name.
  [[nodiscard]] virtual bool knows(std::string_view table) const = 0;
  /// Returns true if the dump may contain only one table with that name, because rows of another
  /// schema's or database's table would be indistinguishable.
  [[nodiscard]] virtual bool must_be_one(std::string_view table) const = 0;
  /// Announces the table and the columns of the following rows. Returns true if the sink wants the
  /// rows.
  virtual bool begin(std::string_view table, const std::vector<std::string>& columns) = 0;
  /// Receives a row of the announced table, with one value per column. Returns an error message,
  /// or an empty text.
  virtual std::string take(TableValues row) = 0;
};

}  // namespace analytics::cli
