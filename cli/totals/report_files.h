#pragma once

#include <string>

#include "cli/totals/report_text.h"

/// Functions that tell reports of daily totals from files of events.
namespace analytics::cli {

/// Returns true if the text is a report of daily totals. Returns an error if it cannot be read.
[[nodiscard]] Result<bool> is_report_text(const ReportPlace& place);

/// Returns true if the file is a report of another service, with daily totals instead of events.
/// Returns false for files that cannot be inspected before they are read, such as pipes.
[[nodiscard]] bool is_report_file(const std::string& file);

/// Returns true if the file contains only the line that Matomo writes for a report without rows.
[[nodiscard]] bool has_no_rows(const std::string& file);

/// Returns true if the file is an archive without reports, whose files are read as events.
[[nodiscard]] bool is_archive_of_events(const std::string& file);

}  // namespace analytics::cli
