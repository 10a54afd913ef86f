#include "cli/frame/output.h"

#include <algorithm>

#include <sys/ioctl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "common/run/secret.h"
#include "common/text/csv.h"
#include "common/text/text.h"
#include "common/wire/api_types.h"

namespace analytics::cli {
namespace {

bool is_key_character(char c) {
  return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z');
}

void print_aligned(std::ostream& out, const std::vector<std::string>& row,
                   const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto cell = visible(row[i]);
    line += cell;
    if (i + 1 < row.size()) line.append(widths[i] + 2 - count_columns(cell), ' ');
  }
  out << line << '\n';
}

}  // namespace

void print_table(std::ostream& out, const Table& table, TableStyle style) {
  if (style == TableStyle::kTabs) {
    for (const auto& row : table.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) out << (i == 0 ? "" : "\t") << visible(row[i]);
      out << '\n';
    }
    return;
  }
  std::vector<std::size_t> widths;
  for (const auto& name : table.columns) widths.push_back(count_columns(name));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], count_columns(visible(row[i])));
  }
  const bool bold = style == TableStyle::kAlignedBold;
  if (bold) out << "\x1b[1m";
  print_aligned(out, table.columns, widths);
  if (bold) out << "\x1b[0m";
  for (const auto& row : table.rows) print_aligned(out, row, widths);
}

void print_csv(std::ostream& out, const Table& table) {
  out << csv_row(table.columns);
  for (const auto& row : table.rows) out << csv_row(row);
}

std::string json_line(const nlohmann::ordered_json& document) {
  return visible_json(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string without_secrets(std::string text) {
  for (auto at = text.find(kKeyPrefix); at != std::string::npos;
       at = text.find(kKeyPrefix, at + 1)) {
    const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at) + 3,
                                      text.end(), is_key_character);
    const auto length = static_cast<std::size_t>(end - text.begin()) - at;
    const auto shown = key_prefix(std::string_view(text).substr(at, length)).size();
    if (length > shown + 8) text.replace(at + shown, length - shown, "…");
  }
  for (auto at = text.find("://"); at != std::string::npos; at = text.find("://", at + 1)) {
    const auto end = std::min(text.find_first_of("/ ?#", at + 3), text.size());
    const auto sign = text.rfind('@', end);
    if (sign != std::string::npos && sign > at + 3) text.replace(at + 3, sign - at - 3, "…");
  }
  return text;
}

std::size_t terminal_columns(Stream stream) {
  winsize size{};
  const int descriptor = stream == Stream::kOut ? STDOUT_FILENO : STDERR_FILENO;
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void print_failure(std::ostream& err, const Failure& failure, OutputForm form) {
  const auto message = without_secrets(failure.message);
  if (form != OutputForm::kJson) {
    err << "analytics: " << visible(message);
    if (!failure.request_id.empty()) err << " (request " << visible(failure.request_id) << ")";
    err << '\n';
    for (const auto& detail : failure.details) {
      err << "  " << visible(without_secrets(detail)) << '\n';
    }
    return;
  }
  nlohmann::ordered_json body = {{"code", failure.code},
                                 {"exit", static_cast<int>(failure.exit)},
                                 {"status", nullptr},
                                 {"error", message},
                                 {"request_id", nullptr}};
  if (failure.status != 0) body["status"] = failure.status;
  for (const auto& detail : failure.details) body["details"].push_back(without_secrets(detail));
  if (!failure.request_id.empty()) body["request_id"] = failure.request_id;
  err << json_line(body) << '\n';
}

}  // namespace analytics::cli
