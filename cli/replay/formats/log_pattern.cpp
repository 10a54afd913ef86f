#include "cli/replay/formats/log_pattern.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/replay/formats/log_expression.h"
#include "cli/replay/formats/log_notation.h"
#include "common/json/json.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using Field = LogField;

struct FormatName {
  std::string_view from;
  std::string_view to;
};
constexpr FormatName kGoAccessNames[] = {{"COMBINED", "combined"}, {"VCOMBINED", "combined-vhost"},
                                         {"COMMON", "common"},     {"VCOMMON", "common-vhost"},
                                         {"W3C", "w3c"},           {"CLOUDFRONT", "w3c"},
                                         {"AWSS3", "s3"},          {"AWSELB", "alb"},
                                         {"AWSALB", "alb"},        {"CADDY", "caddy"},
                                         {"CLOUDSTORAGE", "csv"},  {"TRAEFIKCLF", "combined"}};

/// Names that `--map` has for the fields of a JSON log.
constexpr NamedLogField kMapped[] = {
    {"ip", Field::kClient},     {"forwarded", Field::kForwarded}, {"host", Field::kHost},
    {"method", Field::kMethod}, {"target", Field::kTarget},       {"request", Field::kRequest},
    {"status", Field::kStatus}, {"referrer", Field::kReferrer},   {"user_agent", Field::kUserAgent},
    {"timestamp", Field::kTime}};

/// Returns the quoted text of a directive, `log_format main '…' '…';` or `LogFormat "…" main`;
/// returns other text unchanged.
std::string without_directive(std::string_view text) {
  text = trim(text);
  const bool is_nginx = text.starts_with("log_format ");
  if (!is_nginx && !istarts_with(text, "LogFormat ")) return std::string(text);
  std::string all;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char quote = text[at];
    if (quote != '\'' && quote != '"') continue;
    for (++at; at < text.size() && text[at] != quote; ++at) {
      if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == quote) ++at;
      all += text[at];
    }
    if (!is_nginx) break;  // the rest of an Apache directive is the format's name
  }
  return all;
}

/// Puts nginx variables in quotes unless they are inside a JSON string: `"status":$status` becomes
/// `"status":"$status"`.
std::string with_quoted_variables(std::string_view text) {
  std::string quoted;
  bool is_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"' && (at == 0 || text[at - 1] != '\\')) is_text = !is_text;
    if (text[at] != '$' || is_text) {
      quoted += text[at];
      continue;
    }
    auto end = at + 1;
    while (end < text.size() && (is_word_character(text[end]) || text[end] == '{')) ++end;
    if (end < text.size() && text[end] == '}' && text[at + 1] == '{') ++end;
    quoted += '"' + std::string(text.substr(at, end - at)) + '"';
    at = end - 1;
  }
  return quoted;
}

/// Adds to the pattern, for each value in the object that contains a field, the field's name and
/// the column of the value. Columns of nested objects begin with `prefix`.
Result<void> add_columns(const nlohmann::json& object, const std::string& prefix,
                         LogNotation notation, LogPattern& pattern) {
  for (const auto& [key, value] : object.items()) {
    const auto column = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object()) TRY(add_columns(value, column, notation, pattern));
    if (!value.is_string()) continue;
    const auto& text = value.get_ref<const std::string&>();
    const auto parsed = TRY(parse_fields(text, notation));
    const auto found = std::find_if(parsed.items.begin(), parsed.items.end(),
                                    [](const auto& item) { return item.field != Field::kIgnored; });
    if (found == parsed.items.end()) continue;
    const auto wanted = found->field == Field::kDate ? Field::kTime : found->field;
    if (wanted == Field::kTime) pattern.times = parsed.times;
    for (const auto& [name, field] : kMapped) {
      if (field == wanted) pattern.columns.emplace_back(name, column);
    }
  }
  return {};
}

Result<LogPattern> parse_json(const std::string& text) {
  const auto document = json::parse_document(with_quoted_variables(text));
  if (!document || !document->is_object())
    return wrong_log_format("begins with { but is not a JSON object");
  LogPattern pattern;
  const auto notation = notation_of(text);
  if (notation == LogNotation::kNone) return wrong_log_format("has no fields");
  TRY(add_columns(*document, {}, notation, pattern));
  return pattern;
}

/// Makes a date field stand for date and time of day if the pattern has no separate time of day.
void complete_date(LogPattern& pattern) {
  if (pattern.has(Field::kClock)) return;
  for (auto& item : pattern.items) {
    if (item.field == Field::kDate) item.field = Field::kTime;
  }
  for (auto& [group, field] : pattern.groups) {
    if (field == Field::kDate) field = Field::kTime;
  }
}

/// Rejects patterns without a field that every pageview needs, such as a time.
Result<void> check(const LogPattern& pattern) {
  if (!pattern.has(Field::kTime) && !pattern.has(Field::kDate)) {
    return wrong_log_format("has no time: %t, $time_local, (?P<timestamp>…)");
  }
  if (!pattern.has(Field::kRequest) && !pattern.has(Field::kTarget)) {
    return wrong_log_format("has no request: %r, $request, (?P<request>…)");
  }
  if (!pattern.has(Field::kClient) && !pattern.has(Field::kForwarded)) {
    return wrong_log_format("has no client address: %h, $remote_addr, (?P<ip>…)");
  }
  return {};
}

Result<LogPattern> parse_notation(const std::string& text) {
  if (text.starts_with('{')) return parse_json(text);
  if (text.find("(?P<") != std::string::npos || text.find("(?<") != std::string::npos) {
    return parse_expression(text);
  }
  const auto notation = notation_of(text);
  if (notation == LogNotation::kNone) {
    return wrong_log_format(
        "takes a format of GoAccess (%h …), Apache (%h …) or nginx ($remote_addr …), JSON with"
        " such fields, or a regular expression with groups such as (?P<ip>…)");
  }
  return parse_fields(text, notation);
}

}  // namespace

bool LogPattern::has(LogField field) const {
  const auto is_it = [&](const auto& item) { return item.field == field; };
  if (std::any_of(items.begin(), items.end(), is_it)) return true;
  const auto is_group = [&](const auto& group) { return group.second == field; };
  if (std::any_of(groups.begin(), groups.end(), is_group)) return true;
  return std::any_of(columns.begin(), columns.end(), [&](const auto& column) {
    return find_field(kMapped, column.first) == field;
  });
}

Result<LogPattern> parse_log_pattern(std::string_view text, const TimeForms& times) {
  auto pattern = TRY(parse_notation(without_directive(text)));
  complete_date(pattern);
  TRY(check(pattern));
  pattern.times.zone = times.zone;
  if (!times.date.empty()) pattern.times.date = times.date;
  if (!times.time.empty()) pattern.times.time = times.time;
  if (const auto problem = problem_of(pattern.times); !problem.empty()) {
    return wrong_log_format("has a time whose form is not understood: " + problem);
  }
  return pattern;
}

std::string_view format_of_goaccess(std::string_view name) {
  const auto* found = std::find_if(std::begin(kGoAccessNames), std::end(kGoAccessNames),
                                   [&](const FormatName& row) { return row.from == name; });
  return found == std::end(kGoAccessNames) ? std::string_view() : found->to;
}

}  // namespace analytics::cli
