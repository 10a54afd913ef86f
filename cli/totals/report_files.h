#pragma once

#include <string>

#include "cli/totals/report_text.h"

/// These tell reports of daily totals from files of events.
namespace analytics::cli {

/// Errors: it cannot be read.
[[nodiscard]] Result<bool> is_report_text(const ReportPlace& place);

/// True if the file is a report of another service: daily totals, and no events. False for what
/// cannot be looked at before it is read.
[[nodiscard]] bool is_report_file(const std::string& file);

/// True for what Matomo writes in place of a report of days without a row.
[[nodiscard]] bool has_no_rows(const std::string& file);

/// True if the file is an archive of files of events, none of which is a report.
[[nodiscard]] bool is_archive_of_events(const std::string& file);

}  // namespace analytics::cli
