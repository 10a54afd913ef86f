#include "common/text/csv.h"

#include <algorithm>
#include <string_view>

#include "common/text/text.h"

namespace analytics {
namespace {

/// Returns true if a spreadsheet would read the text as a formula because of its first character,
/// which may be full-width. Numbers are not formulas.
bool is_formula(std::string_view text) {
  if (text.empty() || parse_double(text)) return false;
  // Full-width forms of `=`, `+`, `-` and `@`.
  constexpr std::string_view kWide[] = {"\uff1d", "\uff0b", "\uff0d", "\uff20"};
  return std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos ||
         std::any_of(std::begin(kWide), std::end(kWide),
                     [&](std::string_view sign) { return text.starts_with(sign); });
}

std::string csv_cell(const std::string& text) {
  std::string cell = is_formula(text) ? "'" : "";
  // This loop keeps line ends and tabs, and escapes other control characters.
  for (std::size_t start = 0; start <= text.size();) {
    const auto end = std::min(text.find_first_of("\r\n\t", start), text.size());
    cell += visible(std::string_view(text).substr(start, end - start));
    if (end < text.size()) cell += text[end];
    start = end + 1;
  }
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  for (auto at = cell.find('"'); at != std::string::npos; at = cell.find('"', at + 2))
    cell.insert(at, "\"");
  return "\"" + cell + "\"";
}

}  // namespace

std::string csv_row(const std::vector<std::string>& cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) row += (i == 0 ? "" : ",") + csv_cell(cells[i]);
  return row + "\r\n";
}

}  // namespace analytics
