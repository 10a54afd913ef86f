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

/// Returns the value of a column; nullopt if the record has no such column.
using ColumnValue = std::function<std::optional<std::string>(std::string_view column)>;

/// Returns true if `--map` accepts the field: a field of an event, "prop.NAME", or a field of a
/// request.
[[nodiscard]] bool is_mapped_field(std::string_view field);
/// Returns the names of these fields, for messages.
[[nodiscard]] std::string mapped_field_names();

/// Makes events of records with named columns: CSV, and JSON objects that are not events. Looks for
/// a field under the column that the user maps to it, under its own name, and under the names in
/// the logs of known servers. Applies the rules of access logs to records that describe a request.
class FieldMap {
 public:
  explicit FieldMap(ReaderOptions options);

  /// Returns true if the columns suffice to make an event or a request.
  [[nodiscard]] bool fits(const ColumnValue& value);
  [[nodiscard]] bool is_request(const ColumnValue& value);
  [[nodiscard]] ReadLine read(const ColumnValue& value);

 private:
  [[nodiscard]] std::optional<std::string> find(std::string_view field, const ColumnValue& value);
  [[nodiscard]] ReadLine read_request(const ColumnValue& value);
  [[nodiscard]] ReadLine read_event(const ColumnValue& value);

  ReaderOptions options_;
  PageviewRules pages_;
  std::map<std::string, std::string, std::less<>> mapped_;  ///< Column by field, from --map.
  /// The column in which each field was last found.
  std::map<std::string, std::string, std::less<>> found_;
};

}  // namespace analytics::cli
