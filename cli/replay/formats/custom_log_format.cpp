#include "cli/replay/formats/custom_log_format.h"

#include <algorithm>
#include <array>

#include "cli/replay/formats/line_fields.h"
#include "cli/replay/formats/log_client.h"
#include "cli/replay/formats/log_expression.h"
#include "cli/replay/formats/log_head.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using Parsed = AccessLogFormat::Parsed;
using Field = LogField;

constexpr int kOk = 200;

/// The values of a line's fields, unchanged. If a field occurs twice, its first
/// value that is not empty or "-" is kept.
class Values {
 public:
  void put(LogField field, std::string_view text) {
    auto& place = texts_[static_cast<std::size_t>(field)];
    if (place.empty() || place == "-") place = text;
  }
  /// Returns the field's value; empty if it is missing or "-".
  [[nodiscard]] std::string_view text(LogField field) const {
    const auto text = texts_[static_cast<std::size_t>(field)];
    return text == "-" ? std::string_view() : text;
  }

 private:
  std::array<std::string_view, kLogFields> texts_;
};

/// Returns the index just after `text` if the line contains it at index `at`; nullopt otherwise. A
/// space in `text` matches one or more spaces.
std::optional<std::size_t> match(std::string_view line, std::size_t at, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (at == line.size() || line[at] != text[i]) return std::nullopt;
    ++at;
    const bool is_last_blank = text[i] == ' ' && (i + 1 == text.size() || text[i + 1] != ' ');
    while (is_last_blank && at < line.size() && line[at] == ' ') ++at;
  }
  return at;
}

class CustomFormat : public AccessLogFormat {
 public:
  explicit CustomFormat(LogPattern pattern)
      : pattern_(std::move(pattern)), ends_brackets_(ends_brackets(pattern_)) {}

  Parsed parse(std::string_view line, AccessLogEntry& entry) override {
    // The prefix that syslog or Docker adds could be mistaken for the client, so the line is tried
    // without it first. If that fails, the apparent prefix, such as a time, belongs to the format.
    std::string buffer;
    const auto bare = bare_line(line, buffer);
    if (bare.size() != line.size() && read_line(bare, entry)) return Parsed::kEntry;
    entry = {};
    return read_line(line, entry) ? Parsed::kEntry : Parsed::kMalformed;
  }

 protected:
  [[nodiscard]] const LogPattern& pattern() const { return pattern_; }

 private:
  bool read_line(std::string_view line, AccessLogEntry& entry) {
    Values values;
    return find_values(line, values) && read(values, entry);
  }

  /// Finds the value of each field. Returns false if the line does not match the pattern.
  virtual bool find_values(std::string_view line, Values& values) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < pattern_.items.size(); ++i) {
      const auto& [before, field] = pattern_.items[i];
      const auto begin = match(line, at, before);
      if (!begin) return false;
      const bool is_last = i + 1 == pattern_.items.size();
      const auto& after = is_last ? pattern_.after : pattern_.items[i + 1].before;
      const bool is_host = !is_last && after.empty();  // the host ends at the "/" of a path
      const auto end = is_host ? std::optional(std::min(line.find('/', *begin), line.size()))
                               : find_end(line, *begin, field, after, before.ends_with('"'));
      if (!end) return false;
      values.put(field, line.substr(*begin, *end - *begin));
      at = *end;
    }
    const auto end = match(line, at, pattern_.after);
    return end && trim(line.substr(*end)).empty();
  }

  /// Returns the index of the end of a field, where the text `after` begins; nullopt if the line
  /// lacks that text.
  static std::optional<std::size_t> find_end(std::string_view line, std::size_t at, LogField field,
                                             std::string_view after, bool is_quoted) {
    if (after.empty()) return line.size();
    if (field == Field::kRequest && after.front() == ' ') {  // the request itself contains spaces
      const auto version = line.find(" HTTP/", at);
      if (version != std::string_view::npos) at = version + 1;
    }
    const bool has_escapes = is_quoted && after.front() == '"';
    for (; at < line.size(); ++at) {
      if (has_escapes && line[at] == '\\') {
        ++at;
      } else if (line[at] == after.front()) {
        if (match(line, at, after)) return at;
        // A text that does not match at the first of several spaces does not match at the others.
        while (line[at] == ' ' && at + 1 < line.size() && line[at + 1] == ' ') ++at;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<UnixMillis> time_of(const Values& values) const {
    auto text = std::string(values.text(Field::kTime));
    if (text.empty()) {
      text = std::string(values.text(Field::kDate)) + ' ' + std::string(values.text(Field::kClock));
    }
    const auto zone = values.text(Field::kZone);
    const auto offset = parse_zone(zone);
    if (!offset) {
      // An ignored field after a time need not be its zone, unless both are in the same brackets.
      const bool is_zone = !pattern_.expression.empty() || ends_brackets_;
      const bool is_lost = !zone.empty() && is_zone;
      return is_lost ? std::nullopt : parse_log_time(text, pattern_.times);
    }
    auto shown = pattern_.times;
    shown.zone = TimeForms{}.zone;
    const auto time = parse_log_time(text, shown);
    return time ? std::optional(*time - *offset) : std::nullopt;
  }

  /// Returns true if a closing bracket follows a field that may be a time zone, as in "[time
  /// zone]".
  static bool ends_brackets(const LogPattern& pattern) {
    for (std::size_t i = 0; i < pattern.items.size(); ++i) {
      const bool is_last = i + 1 == pattern.items.size();
      const auto& after = is_last ? pattern.after : pattern.items[i + 1].before;
      if (pattern.items[i].field == Field::kZone && after.starts_with(']')) return true;
    }
    return false;
  }

  bool read(const Values& values, AccessLogEntry& entry) const {
    const auto time = time_of(values);
    if (!time) return false;
    entry.time = *time;
    entry.status = kOk;
    if (pattern_.has(Field::kStatus) && !parse_status(values.text(Field::kStatus), entry.status)) {
      return false;
    }
    parse_request(values.text(Field::kRequest), entry);
    if (const auto method = values.text(Field::kMethod); !method.empty()) entry.method = method;
    if (const auto target = values.text(Field::kTarget); !target.empty()) {
      entry.target = unescape_field(target);
      if (entry.method.empty()) entry.method = "GET";
    }
    auto query = values.text(Field::kQuery);
    if (query.starts_with('?')) query.remove_prefix(1);
    if (!query.empty() && entry.target.find('?') == std::string::npos) {
      entry.target += "?" + unescape_field(query);
    }
    entry.host = unescape_field(values.text(Field::kHost));
    entry.address = without_client_port(values.text(Field::kClient));
    entry.forwarded = unescape_field(values.text(Field::kForwarded));
    entry.referrer = unescape_field(values.text(Field::kReferrer));
    entry.user_agent = unescape_field(values.text(Field::kUserAgent));
    return true;
  }

  LogPattern pattern_;
  bool ends_brackets_;  ///< True if the field after the time must be its time zone.
};

class ExpressionFormat final : public CustomFormat {
 public:
  ExpressionFormat(LogPattern pattern, std::unique_ptr<RE2> expression)
      : CustomFormat(std::move(pattern)), expression_(std::move(expression)) {
    found_.resize(static_cast<std::size_t>(expression_->NumberOfCapturingGroups()) + 1);
  }

 private:
  bool find_values(std::string_view line, Values& values) override {
    const re2::StringPiece text(line.data(), line.size());
    if (!expression_->Match(text, 0, text.size(), RE2::UNANCHORED, found_.data(),
                            static_cast<int>(found_.size()))) {
      return false;
    }
    for (const auto& [group, field] : pattern().groups) {
      const auto& part = found_[static_cast<std::size_t>(group)];
      if (!part.empty()) values.put(field, {part.data(), part.size()});
    }
    return true;
  }

  std::unique_ptr<RE2> expression_;
  std::vector<re2::StringPiece> found_;
};

}  // namespace

std::unique_ptr<AccessLogFormat> make_custom_format(LogPattern pattern) {
  if (pattern.expression.empty()) return std::make_unique<CustomFormat>(std::move(pattern));
  auto expression = std::make_unique<RE2>(pattern.expression, expression_options());
  return std::make_unique<ExpressionFormat>(std::move(pattern), std::move(expression));
}

}  // namespace analytics::cli
