#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/replay/formats/export_format.h"
#include "cli/replay/formats/field_map.h"

/// Readers of records whose fields have names, and need not be called as those of an event.
namespace analytics::cli {

/// CSV with a header line; the delimiter is the most frequent one in it.
class CsvReader final : public LineReader {
 public:
  /// `format`: null, or whose rows they are. An export with tabs has the escapes of ClickHouse and
  /// PostgreSQL instead of quotes.
  explicit CsvReader(const ReaderOptions& options, const ExportFormat* format = nullptr)
      : format_(format), options_(options), map_(options) {}
  /// Rows of a table without a header, whose fields have tabs between them and no escapes.
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
  /// The first column that is mapped and is not in the header; empty: all are there.
  [[nodiscard]] static std::string missing_column(std::string_view header,
                                                  const ReaderOptions& options);
  /// True if the line is a header with enough known columns.
  [[nodiscard]] static bool is_header(std::string_view line, const ReaderOptions& options);
  /// Whose export begins with this line; null for other tables.
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
  bool is_plain_ = false;
};

/// A JSON object a line; columns of objects inside it are "outer.inner".
class JsonReader final : public LineReader {
 public:
  explicit JsonReader(const ReaderOptions& options);
  [[nodiscard]] ReadLine read(std::string_view line) override;
  /// True if the line is a JSON object that has a page, and nothing that only an event has.
  [[nodiscard]] static bool is_page(std::string_view line, const ReaderOptions& options);
  /// True if the line is a JSON object that describes a request.
  [[nodiscard]] static bool is_request(std::string_view line, const ReaderOptions& options);

 private:
  std::set<std::string, std::less<>> of_objects_;  ///< Columns whose value may be an object.
  FieldMap map_;
};

/// Objects of another service's export, one a line; they may be the elements of one list.
class ExportReader final : public LineReader {
 public:
  ExportReader(const ExportFormat& format, ReaderOptions options)
      : format_(format), options_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view line) override;
  void divide(std::string_view record, const TakePart& take) const override;
  /// Whose export the line is of; null when it is no such object.
  [[nodiscard]] static const ExportFormat* guess(std::string_view line);

 private:
  const ExportFormat& format_;
  ReaderOptions options_;
};

}  // namespace analytics::cli
