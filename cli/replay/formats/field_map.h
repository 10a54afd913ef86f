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

/// The value of a column; nullopt when the record has none.
using ColumnValue = std::function<std::optional<std::string>(std::string_view column)>;

/// True if `--map` accepts the field: a field of an event, "prop.NAME", or a field of a request.
[[nodiscard]] bool is_mapped_field(std::string_view field);
/// For messages.
[[nodiscard]] std::string mapped_field_names();

/// Makes events of records whose columns have names: CSV, and JSON that is no event yet. A field is
/// found under the column that the user names, under its own name, or under one that the logs of
/// known servers use. A record with the fields of a request is judged like a line of an access log.
class FieldMap {
 public:
  explicit FieldMap(ReaderOptions options);

  /// True if the columns suffice to make an event or a request.
  [[nodiscard]] bool fits(const ColumnValue& value);
  [[nodiscard]] bool is_request(const ColumnValue& value);
  [[nodiscard]] ReadLine read(const ColumnValue& value);

 private:
  [[nodiscard]] std::optional<std::string> find(std::string_view field, const ColumnValue& value);
  [[nodiscard]] ReadLine read_request(const ColumnValue& value);
  [[nodiscard]] ReadLine read_event(const ColumnValue& value);

  ReaderOptions options_;
  PageviewRules pages_;
  std::map<std::string, std::string, std::less<>> mapped_;  ///< Columns by fields: --map.
  /// The position where each column was last found.
  std::map<std::string, std::string, std::less<>> found_;
};

}  // namespace analytics::cli
