#include "daemon/config/settings_text.h"

#include <optional>
#include <vector>

#include "common/text/text.h"

namespace analytics {
namespace {

/// Returns true if the line gives the setting a value. `line`: has no comment sign at its
/// beginning.
bool sets(std::string_view line, std::string_view key) {
  line = trim(line);
  if (!line.starts_with(key)) return false;
  return trim(line.substr(key.size())).starts_with('=');
}

}  // namespace

std::string with_setting(std::string_view text, std::string_view key, std::string_view value) {
  auto lines = split(text, '\n');
  std::size_t first_table = lines.size();
  std::optional<std::size_t> place;
  std::optional<std::size_t> commented;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = trim(lines[i]);
    if (line.starts_with('[')) {
      first_table = i;
      break;
    }
    if (sets(line, key)) place = i;
    if (!commented && line.starts_with('#') && sets(line.substr(1), key)) commented = i;
  }
  if (!place) place = commented;
  const auto line = std::string(key) + " = " + std::string(value);
  if (place) {
    lines[*place] = line;
  } else {
    // An empty part at the end stands for the line end of the last line.
    const bool ends_whole = first_table == lines.size() && lines.back().empty();
    const auto before = first_table - (ends_whole ? 1 : 0);
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(before), line);
  }
  return join({lines.begin(), lines.end()}, "\n");
}

}  // namespace analytics
