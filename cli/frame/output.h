#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/frame/settings.h"

namespace analytics::cli {

/// How a table is shown: for programs tab-separated, on a terminal aligned under its titles.
enum class TableStyle { kTabs, kAligned, kAlignedBold };

/// Rows under titles. Control characters are made visible, never sent.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};
void print_table(std::ostream& out, const Table& table, TableStyle style);

/// One line of JSON without what a terminal would act on; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& document);

/// RFC 4180; a cell that a spreadsheet would take for a formula gets a leading apostrophe.
void print_csv(std::ostream& out, const Table& table);

/// The text with keys of ours cut to their prefix and without the users of URLs.
[[nodiscard]] std::string without_secrets(std::string text);

/// The terminal's width in columns; 80 if it is unknown.
enum class Stream { kOut, kErr };
[[nodiscard]] std::size_t terminal_columns(Stream stream);

/// One line for people, and one for each detail, or one JSON object with code, exit, status, error,
/// request_id and, if there are any, details.
void print_failure(std::ostream& err, const Failure& failure, OutputForm form);

}  // namespace analytics::cli
