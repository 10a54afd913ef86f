#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/replay/formats/export_format.h"
#include "cli/replay/formats/field_map.h"

/// Readers of records with named columns, whose names may differ from those of an event's fields.
namespace analytics::cli {

/// Reads CSV or tab-separated tables. The delimiter is the most frequent one in the header.
class CsvReader final : public LineReader {
 public:
  /// `format` is the export format of the rows; null if no known service wrote them. Values of a
  /// tab-separated export are not quoted, but have the escapes of ClickHouse and PostgreSQL.
  explicit CsvReader(const ReaderOptions& options, const ExportFormat* format = nullptr)
      : format_(format), options_(options), map_(options) {}
  /// Makes a reader of tables without a header, with tab-separated fields and no escapes.
  CsvReader(const ReaderOptions& options, const ExportFormat& format,
            std::span<const std::string_view> columns)
      : format_(&format),
        options_(options),
        map_(options),
        columns_(columns.begin(), columns.end()),
        delimiter_('\t'),
        is_plain_(true) {}
  [[nodiscard]] ReadLine read(std::string_view record) override;
  void skip(std::string_view record) override;
  [[nodiscard]] bool is_whole(std::string_view record) const override;
  [[nodiscard]] bool is_sound(std::string_view record) const override;
  [[nodiscard]] std::string header() const override { return header_; }
  /// Returns the first column named by `--map` that is not in the header; empty if all are present.
  [[nodiscard]] static std::string missing_column(std::string_view header,
                                                  const ReaderOptions& options);
  /// Returns true if the line is a header whose columns suffice to make an event or a request.
  [[nodiscard]] static bool is_header(std::string_view line, const ReaderOptions& options);
  /// Returns the format of the export that begins with this header; null for other tables.
  [[nodiscard]] static const ExportFormat* guess_export(std::string_view header);

 private:
  [[nodiscard]] std::optional<std::vector<std::string>> fields_of(std::string_view record) const;
  [[nodiscard]] bool has_escapes() const { return format_ != nullptr && delimiter_ == '\t'; }

  const ExportFormat* format_;
  ReaderOptions options_;
  FieldMap map_;
  std::string header_;
  std::vector<std::string> columns_;
  char delimiter_ = ',';
  bool is_plain_ = false;  ///< True if the table has neither header nor escapes.
};

/// Reads one JSON object per line; columns of nested objects are named "outer.inner".
class JsonReader final : public LineReader {
 public:
  explicit JsonReader(const ReaderOptions& options);
  [[nodiscard]] ReadLine read(std::string_view line) override;
  /// Returns true if the line is a JSON object with a page's URL, but without the name and domain
  /// of an event.
  [[nodiscard]] static bool is_page(std::string_view line, const ReaderOptions& options);
  /// Returns true if the line is a JSON object that describes a request.
  [[nodiscard]] static bool is_request(std::string_view line, const ReaderOptions& options);

 private:
  std::set<std::string, std::less<>> of_objects_;  ///< Columns that may contain an object.
  FieldMap map_;
};

/// Reads a JSON export of another service, one object per line. The lines may also be the elements
/// of a single JSON list.
class ExportReader final : public LineReader {
 public:
  ExportReader(const ExportFormat& format, ReaderOptions options)
      : format_(format), options_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view line) override;
  void divide(std::string_view record, const TakePart& take) const override;
  /// Returns the format of the export that the line belongs to; null if it belongs to none.
  [[nodiscard]] static const ExportFormat* guess(std::string_view line);

 private:
  const ExportFormat& format_;
  ReaderOptions options_;
};

}  // namespace analytics::cli
