#include "common/csv.h"

#include <algorithm>
#include <string_view>

#include "common/text.h"

namespace analytics {
namespace {

std::string csv_cell(const std::string& text) {
  const bool formula =
      !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  std::string cell = formula ? "'" : "";
  for (std::size_t start = 0;
       start <= text.size();) {  // line ends are data, other controls are not
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
