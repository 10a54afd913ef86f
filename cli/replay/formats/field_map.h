#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/replay/formats/access_log_reader.h"
#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Function that returns the value of a column; nullopt if the record has no such column.
using ColumnValue = std::function<std::optional<std::string>(std::string_view column)>;

/// Returns true if `--map` accepts the field: a field of an event, "prop.NAME" for a property, or a
/// field of a logged request.
[[nodiscard]] bool is_mapped_field(std::string_view field);
/// Returns the names of all fields that `--map` accepts, for messages.
[[nodiscard]] std::string mapped_field_names();

/// Makes events from records with named columns: CSV, and JSON objects that are not events. Looks
/// for a field in the column that the user maps to it, or else in the column with its own name or
/// with its name in a known server's logs. Applies the rules of access logs to records that
/// describe a request.
class FieldMap {
 public:
  explicit FieldMap(ReaderOptions options);

  /// Returns true if the columns suffice to make an event or a request.
  [[nodiscard]] bool fits(const ColumnValue& value);
  /// Returns true if the record has a status and a path, as a logged request does.
  [[nodiscard]] bool is_request(const ColumnValue& value);
  [[nodiscard]] ReadLine read(const ColumnValue& value);

 private:
  [[nodiscard]] bool is_mapped_column(std::string_view column) const;
  [[nodiscard]] std::optional<std::string> find(std::string_view field, const ColumnValue& value);
  [[nodiscard]] ReadLine read_request(const ColumnValue& value);
  [[nodiscard]] ReadLine read_event(const ColumnValue& value);

  ReaderOptions options_;
  PageviewRules pages_;
  std::map<std::string, std::string, std::less<>> mapped_;  ///< From --map: column of each field.
  /// Column in which each field was last found, which is tried first for the next record.
  std::map<std::string, std::string, std::less<>> found_;
};

}  // namespace analytics::cli
