#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/frame/settings.h"

namespace analytics::cli {

/// Layout of a table: cells separated by tabs for programs, or aligned under their titles for
/// people.
enum class TableStyle { kTabs, kAligned, kAlignedBold };

/// Rows below column titles. Control characters are printed as visible escapes.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};
void print_table(std::ostream& out, const Table& table, TableStyle style);

/// Returns one line of JSON that is safe for a terminal; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& document);

/// Prints CSV (RFC 4180). A cell that a spreadsheet would read as a formula gets a leading
/// apostrophe.
void print_csv(std::ostream& out, const Table& table);

/// Returns the text with API keys cut to their prefix and without user names in URLs.
[[nodiscard]] std::string without_secrets(std::string text);

/// An output stream of the process. terminal_columns() returns the width of its terminal, or 80 if
/// unknown.
enum class Stream { kOut, kErr };
[[nodiscard]] std::size_t terminal_columns(Stream stream);

/// Prints a failure: for people, a line and one more per detail; in JSON, an object with code,
/// exit, status, error, request_id and any details.
void print_failure(std::ostream& err, const Failure& failure, OutputForm form);

}  // namespace analytics::cli
