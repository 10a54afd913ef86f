#pragma once

#include <string>
#include <vector>

#include "cli/replay/formats/field_map.h"

/// Readers of records whose fields have names, and need not be called as those of an event.
namespace analytics::cli {

/// CSV with a header line; the delimiter is the most frequent one in it.
class CsvReader final : public LineReader {
 public:
  explicit CsvReader(ReaderOptions options) : map_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view record) override;
  void skip(std::string_view record) override;
  [[nodiscard]] bool is_whole(std::string_view record) const override;
  [[nodiscard]] bool is_sound(std::string_view record) const override;
  [[nodiscard]] std::string header() const override { return header_; }
  /// The first column that is mapped and is not in the header; empty: all are there.
  [[nodiscard]] static std::string missing_column(std::string_view header,
                                                  const ReaderOptions& options);
  /// True if the line is a header with enough known columns.
  [[nodiscard]] static bool is_header(std::string_view line, const ReaderOptions& options);

 private:
  FieldMap map_;
  std::string header_;
  std::vector<std::string> columns_;
  char delimiter_ = ',';
};

/// A JSON object a line; columns of objects inside it are "outer.inner".
class JsonReader final : public LineReader {
 public:
  explicit JsonReader(ReaderOptions options) : map_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view line) override;
  /// True if the line is a JSON object that describes a request.
  [[nodiscard]] static bool is_request(std::string_view line, const ReaderOptions& options);

 private:
  FieldMap map_;
};

}  // namespace analytics::cli
