#include "cli/replay/formats/log_expression.h"

#include "cli/replay/formats/log_notation.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using Field = LogField;

constexpr std::int64_t kMaxMemory = 8 << 20;

/// Names that a group of an expression may have, and the field of each: the names in `--map`, and
/// common aliases.
constexpr NamedLogField kGroups[] = {
    {"ip", Field::kClient},          {"client", Field::kClient},
    {"remote_addr", Field::kClient}, {"forwarded", Field::kForwarded},
    {"host", Field::kHost},          {"vhost", Field::kHost},
    {"method", Field::kMethod},      {"target", Field::kTarget},
    {"path", Field::kTarget},        {"url", Field::kTarget},
    {"query", Field::kQuery},        {"request", Field::kRequest},
    {"status", Field::kStatus},      {"referrer", Field::kReferrer},
    {"referer", Field::kReferrer},   {"user_agent", Field::kUserAgent},
    {"timestamp", Field::kTime},     {"datetime", Field::kTime},
    {"date", Field::kDate},          {"time", Field::kClock},
    {"zone", Field::kZone}};

/// Replaces `(?<name>` with `(?P<name>`, which older versions of RE2 require.
std::string with_re2_groups(std::string_view text) {
  std::string expression;
  bool is_escaped = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    expression += text[at];
    const auto rest = text.substr(at);
    const bool is_group =
        !is_escaped && rest.starts_with("(?<") && rest.size() > 3 && is_letter(rest[3]);
    if (is_group) {
      expression += "?P";
      ++at;
    }
    is_escaped = text[at] == '\\' && !is_escaped;
  }
  return expression;
}

}  // namespace

RE2::Options expression_options() {
  RE2::Options options(RE2::Latin1);  // logs may contain any bytes
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  return options;
}

Result<LogPattern> parse_expression(std::string_view text) {
  LogPattern pattern;
  pattern.expression = with_re2_groups(text);
  const RE2 expression(pattern.expression, expression_options());
  if (!expression.ok())
    return wrong_log_format("is not a regular expression: " + expression.error());
  for (const auto& [name, group] : expression.NamedCapturingGroups()) {
    const auto field = find_field(kGroups, name);
    if (!field) {
      std::vector<std::string> names;
      for (const auto& row : kGroups) names.emplace_back(row.name);
      return wrong_log_format("has a group \"" + name + "\"; groups have the names " +
                              join(names, ", "));
    }
    pattern.groups.emplace_back(group, *field);
  }
  return pattern;
}

}  // namespace analytics::cli
