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

/// Converts records with named columns, such as CSV rows and JSON objects, to events. Reads a
/// field from the column that `--map` assigns to it, or else from the column with the field's own
/// name or with its name in a known server's logs. Filters records that describe a request by the
/// rules for access logs.
class FieldMap {
 public:
  explicit FieldMap(ReaderOptions options);

  /// Returns true if the record has the columns that an event or a logged request needs.
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
  /// Column that `--map` assigns to each field, by the field's name.
  std::map<std::string, std::string, std::less<>> mapped_;
  /// Column in which each field was last found, by the field's name. It is tried first for the
  /// next record.
  std::map<std::string, std::string, std::less<>> found_;
};

}  // namespace analytics::cli
