#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analytics::cli {

/// The values of a table's row, in the order of its columns; nullopt is NULL.
using TableValues = std::vector<std::optional<std::string>>;

/// Takes the rows of tables, one after another.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// True for the name of a table whose rows may be wanted.
  [[nodiscard]] virtual bool knows(std::string_view table) const = 0;
  /// True if a second table of that name, in another schema or database, cannot be told from it.
  [[nodiscard]] virtual bool must_be_one(std::string_view table) const = 0;
  /// The rows that come next are of this table. Returns whether they are wanted.
  virtual bool begin(std::string_view table, const std::vector<std::string>& columns) = 0;
  /// A row that is wanted, with as many values as columns. Returns what is wrong with the table;
  /// empty: nothing.
  virtual std::string take(TableValues row) = 0;
};

}  // namespace analytics::cli
