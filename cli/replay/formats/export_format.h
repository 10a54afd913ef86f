#pragma once

#include <span>
#include <string_view>

#include "cli/replay/formats/export_row.h"
#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// A format in which another analytics service exports its events, as rows of a table or as JSON.
struct ExportFormat {
  std::string_view name;  ///< The value of `--format` that selects this format.
  /// Completes "the first line …" in messages: "is an event of PostHog".
  std::string_view described;
  std::string_view about;  ///< Describes the format in the help text.
  /// Columns that every row of this format has. No other service's rows have all these columns.
  std::span<const std::string_view> marks;
  /// Converts one row to an event.
  ReadLine (*read)(const ExportRow& row, const ReaderOptions& options);
  /// Splits a JSON record with several events into its events, see LineReader::divide(); null if
  /// no record has several. Called only for records whose text contains one of `words_of_several`.
  void (*divide)(const nlohmann::json& record, const LineReader::TakePart& take) = nullptr;
  std::span<const std::string_view> words_of_several{};
  /// A further condition on rows of this format; null if the names in `marks` suffice.
  bool (*is_row)(const ExportRow& row) = nullptr;
};
/// Returns all export formats, in the order in which guess_export_format() tries them.
[[nodiscard]] std::span<const ExportFormat> export_formats();
/// Returns the format with that name, a value of `--format`; null for an unknown name.
[[nodiscard]] const ExportFormat* find_export_format(std::string_view name);
/// Returns the first format that has rows with the columns of `row`; null if none has.
[[nodiscard]] const ExportFormat* guess_export_format(const ExportRow& row);

/// Returns the columns of Snowplow's enriched events, which have no header.
[[nodiscard]] std::span<const std::string_view> snowplow_columns();

// Each function converts one row of a service's export to an event. It returns Filtered for a row
// that the service wrote for its own purposes.
[[nodiscard]] ReadLine read_goatcounter(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_umami(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_plausible(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_posthog(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_segment(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_ga4(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_snowplow(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_matomo(const ExportRow& row, const ReaderOptions& options);

[[nodiscard]] bool is_segment(const ExportRow& row);

// Each function splits a JSON record with several events, see ExportFormat::divide.
void divide_posthog(const nlohmann::json& record, const LineReader::TakePart& take);
void divide_segment(const nlohmann::json& record, const LineReader::TakePart& take);
void divide_matomo(const nlohmann::json& visit, const LineReader::TakePart& take);

}  // namespace analytics::cli
