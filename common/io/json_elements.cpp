#include "common/io/json_elements.h"

#include <utility>

#include "common/text/text.h"

namespace analytics {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// Maximum number of open brackets; the parser rejects deeper documents anyway.
constexpr std::size_t kMaxOpen = 512;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_of_mark(char c) { return kByteOrderMark.find(c) != std::string_view::npos; }

}  // namespace

bool JsonElements::fits(std::string_view first_line) {
  if (first_line.starts_with(kByteOrderMark)) first_line.remove_prefix(kByteOrderMark.size());
  const auto line = trim(first_line);
  if (line.starts_with('[')) {
    const auto inner = trim(line.substr(1));
    return inner.empty() || inner.starts_with('{') || inner == "]";
  }
  return line.starts_with('{') &&
         (line.ends_with('{') || line.ends_with(',') || line.ends_with('['));
}

std::optional<std::size_t> JsonElements::find_end(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto step = take(bytes[i]);
    if (step == Step::kEndBehind) return i + 1;
    if (step == Step::kEndBefore) return i;
  }
  return std::nullopt;
}

void JsonElements::begin_record() {
  open_ = has_list_ ? "[" : "";
  is_new_list_ = has_content_ = is_text_ = is_escaped_ = is_line_ = false;
  last_ = '\0';
}

JsonElements::Step JsonElements::take(char c) {
  if (is_line_) {
    if (c != '\n') return Step::kGoOn;
    is_line_start_ = is_first_column_ = true;
    begin_record();
    return Step::kEndBehind;
  }
  if (is_text_) return take_of_text(c);
  if (is_blank(c)) {
    is_first_column_ = c == '\n';
    if (c != '\n') return Step::kGoOn;
    is_line_start_ = true;
    if (!is_between() || !has_content_) return Step::kGoOn;
    begin_record();
    return Step::kEndBehind;
  }
  const bool is_first = std::exchange(is_line_start_, false);
  const auto step = is_between() ? take_between(c) : take_inside(c, is_first);
  if (step != Step::kEndBefore) is_first_column_ = false;
  return step;
}

JsonElements::Step JsonElements::take_of_text(char c) {
  if (c == '\n') {  // a JSON string cannot contain a line end, so a quote is missing
    is_line_start_ = is_first_column_ = true;
    begin_record();
    return Step::kEndBehind;
  }
  if (is_escaped_) {
    is_escaped_ = false;
  } else if (c == '\\') {
    is_escaped_ = true;
  } else if (c == '"') {
    is_text_ = false;
    last_ = c;
  }
  return Step::kGoOn;
}

JsonElements::Step JsonElements::take_between(char c) {
  if (is_of_mark(c)) return Step::kGoOn;
  has_content_ = true;
  if (c == '{') {
    open_ += c;
    last_ = c;
  } else if (c == '[' && open_.empty()) {
    open_ += c;
    has_list_ = is_new_list_ = true;
  } else if (c == ']' && !open_.empty()) {
    open_.clear();
    has_list_ = false;
  } else if (c != ',') {
    if (is_new_list_) has_list_ = false;  // "[2026-11-24] …" is not a list
    is_line_ = true;
  }
  return Step::kGoOn;
}

/// Marks the rest of the line as text that is not JSON.
JsonElements::Step JsonElements::break_off() {
  is_line_ = true;
  return Step::kGoOn;
}

JsonElements::Step JsonElements::take_inside(char c, bool is_first_of_line) {
  const bool is_object = open_.back() == '{';
  const bool is_key_due = is_object && (last_ == '{' || last_ == ',');
  const bool is_value_due = is_object ? last_ == ':' : last_ == '[' || last_ == ',';
  const bool begins_value = c == '{' || c == '[' || c == '"';
  const bool is_wrong =
      (is_key_due && c != '"' && c != '}') || (begins_value && !is_key_due && !is_value_due);
  // A `{` in the first column begins the next object, because practically no member has its value
  // in the first column.
  const bool is_next = c == '{' && is_first_column_ && open_.back() == '{';
  if (is_wrong || is_next) {
    if (!is_first_of_line) return break_off();
    begin_record();  // the object was cut off, and this line begins another
    is_line_start_ = true;
    return Step::kEndBefore;
  }
  if (c == '"') {
    is_text_ = true;
  } else if (c == '{' || c == '[') {
    if (open_.size() == kMaxOpen) return break_off();
    open_ += c;
  } else if (c == '}' || c == ']') {
    if (is_object != (c == '}')) return break_off();
    open_.pop_back();
    if (is_between()) {
      begin_record();
      return Step::kEndBehind;
    }
  }
  last_ = c;
  return Step::kGoOn;
}

std::string_view bare_element(std::string_view record) {
  if (record.starts_with(kByteOrderMark)) record.remove_prefix(kByteOrderMark.size());
  const auto begin = record.find_first_not_of(" \t\r\n,[]");
  if (begin == std::string_view::npos) return {};
  return trim(record[begin] == '{' ? record.substr(begin) : record);
}

}  // namespace analytics
