#pragma once

#include <span>
#include <string_view>

#include "cli/replay/formats/export_row.h"
#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Rows that another analytics service exports, one an event.
struct ExportFormat {
  std::string_view name;       ///< A value of `--format`.
  std::string_view described;  ///< Why it was chosen: "is a row of PostHog's export".
  std::string_view about;      ///< For help.
  /// Names that its rows have and those of no other service have together.
  std::span<const std::string_view> marks;
  ReadLine (*read)(const ExportRow& row, const ReaderOptions& options);
  /// Null, or what divides a JSON record that holds several events: see LineReader. Only records
  /// with one of the words in them do.
  void (*divide)(const nlohmann::json& record, const LineReader::TakePart& take) = nullptr;
  std::span<const std::string_view> words_of_several{};
  /// Null, or what else is true of its rows.
  bool (*is_row)(const ExportRow& row) = nullptr;
};
/// In the order in which they are tried.
[[nodiscard]] std::span<const ExportFormat> export_formats();
/// Null when no format has that name, or none has such rows.
[[nodiscard]] const ExportFormat* find_export_format(std::string_view name);
[[nodiscard]] const ExportFormat* guess_export_format(const ExportRow& row);

/// The columns of Snowplow's enriched events, which have no header.
[[nodiscard]] std::span<const std::string_view> snowplow_columns();

// One event each. Filtered: what the service wrote for itself.
[[nodiscard]] ReadLine read_goatcounter(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_umami(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_plausible(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_posthog(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_segment(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_ga4(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_snowplow(const ExportRow& row, const ReaderOptions& options);
[[nodiscard]] ReadLine read_matomo(const ExportRow& row, const ReaderOptions& options);

[[nodiscard]] bool is_segment(const ExportRow& row);

void divide_posthog(const nlohmann::json& record, const LineReader::TakePart& take);
void divide_segment(const nlohmann::json& record, const LineReader::TakePart& take);
void divide_matomo(const nlohmann::json& visit, const LineReader::TakePart& take);

}  // namespace analytics::cli
