#include "common/json_elements.h"

#include <algorithm>

#include "common/text.h"

namespace analytics {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

bool JsonElements::fits(std::string_view first_line) {
  if (first_line.starts_with(kByteOrderMark)) first_line.remove_prefix(kByteOrderMark.size());
  const auto line = trim(first_line);
  if (line.starts_with('[')) {
    const auto inner = trim(line.substr(1));
    return inner.empty() || inner.starts_with('{');
  }
  return line.starts_with('{') &&
         (line.ends_with('{') || line.ends_with(',') || line.ends_with('['));
}

std::optional<std::size_t> JsonElements::find_end(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (is_text_) {
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (c == '\\') {
        is_escaped_ = true;
      } else if (c == '"') {
        is_text_ = false;
      }
      continue;
    }
    switch (c) {
      case '"': is_text_ = true; break;
      case '{':
      case '[':
        if (depth_++ == 0) is_list_ = c == '[';
        break;
      case '}':
      case ']':
        if (depth_ > 0) --depth_;
        if (c == '}' && depth_ == (is_list_ ? 1 : 0)) return i + 1;
        break;
      default: break;
    }
  }
  return std::nullopt;
}

std::string_view bare_element(std::string_view record) {
  if (record.starts_with(kByteOrderMark)) record.remove_prefix(kByteOrderMark.size());
  const auto begin = record.find_first_not_of(" \t\r\n,[]");
  return begin == std::string_view::npos ? std::string_view() : trim(record.substr(begin));
}

}  // namespace analytics
