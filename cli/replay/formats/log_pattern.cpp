#include "cli/replay/formats/log_pattern.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/json.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

using Field = LogField;

struct NamedField {
  std::string_view name;
  LogField field;
};

// https://nginx.org/en/docs/varindex.html
constexpr NamedField kNginxVariables[] = {{"remote_addr", Field::kClient},
                                          {"realip_remote_addr", Field::kIgnored},
                                          {"http_x_forwarded_for", Field::kForwarded},
                                          {"proxy_add_x_forwarded_for", Field::kForwarded},
                                          {"http_x_real_ip", Field::kForwarded},
                                          {"http_cf_connecting_ip", Field::kForwarded},
                                          {"host", Field::kHost},
                                          {"http_host", Field::kHost},
                                          {"server_name", Field::kHost},
                                          {"request_method", Field::kMethod},
                                          {"request_uri", Field::kTarget},
                                          {"uri", Field::kTarget},
                                          {"document_uri", Field::kTarget},
                                          {"args", Field::kQuery},
                                          {"query_string", Field::kQuery},
                                          {"request", Field::kRequest},
                                          {"status", Field::kStatus},
                                          {"http_referer", Field::kReferrer},
                                          {"http_user_agent", Field::kUserAgent},
                                          {"time_local", Field::kTime},
                                          {"time_iso8601", Field::kTime},
                                          {"msec", Field::kTime}};

// https://httpd.apache.org/docs/current/mod/mod_log_config.html
constexpr NamedField kApacheLetters[] = {
    {"h", Field::kClient}, {"a", Field::kClient},  {"v", Field::kHost},
    {"V", Field::kHost},   {"m", Field::kMethod},  {"U", Field::kTarget},
    {"q", Field::kQuery},  {"r", Field::kRequest}, {"s", Field::kStatus}};
constexpr NamedField kHeaders[] = {
    {"referer", Field::kReferrer},    {"user-agent", Field::kUserAgent},
    {"host", Field::kHost},           {"x-forwarded-for", Field::kForwarded},
    {"x-real-ip", Field::kForwarded}, {"cf-connecting-ip", Field::kForwarded}};

// https://goaccess.io/man#custom-log
constexpr NamedField kGoAccessLetters[] = {
    {"x", Field::kTime},   {"d", Field::kDate},     {"t", Field::kClock},
    {"v", Field::kHost},   {"h", Field::kClient},   {"r", Field::kRequest},
    {"q", Field::kQuery},  {"m", Field::kMethod},   {"U", Field::kTarget},
    {"s", Field::kStatus}, {"R", Field::kReferrer}, {"u", Field::kUserAgent}};
constexpr std::string_view kGoAccessOthers = "eCHbKkMDTLn^";

struct KnownName {
  std::string_view from;
  std::string_view to;
};
constexpr KnownName kGoAccessNames[] = {{"COMBINED", "combined"},
                                        {"VCOMBINED", "combined-vhost"},
                                        {"COMMON", "common"},
                                        {"VCOMMON", "common-vhost"},
                                        {"W3C", "w3c"},
                                        {"CLOUDFRONT", "w3c"},
                                        {"AWSS3", "s3"},
                                        {"AWSELB", "alb"},
                                        {"AWSALB", "alb"},
                                        {"CADDY", "caddy"},
                                        {"TRAEFIKCLF", "combined"}};

/// Groups of an expression: the fields of `--map`, and what else they are called.
constexpr NamedField kGroups[] = {
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

/// Columns of JSON by the fields of `--map`.
constexpr NamedField kMapped[] = {
    {"ip", Field::kClient},     {"forwarded", Field::kForwarded}, {"host", Field::kHost},
    {"method", Field::kMethod}, {"target", Field::kTarget},       {"request", Field::kRequest},
    {"status", Field::kStatus}, {"referrer", Field::kReferrer},   {"user_agent", Field::kUserAgent},
    {"timestamp", Field::kTime}};

template <std::size_t N>
std::optional<LogField> find_in(const NamedField (&table)[N], std::string_view name) {
  const auto* found = std::find_if(std::begin(table), std::end(table),
                                   [&](const NamedField& row) { return row.name == name; });
  return found == std::end(table) ? std::nullopt : std::optional(found->field);
}

tl::unexpected<Error> wrong(const std::string& what) {
  return fail(ErrorCode::kInvalidParameter, "--log-format " + what);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word_character(char c) { return is_letter(c) || c == '_' || (c >= '0' && c <= '9'); }

/// Fields and the texts between them, as they are added one after another.
class Builder {
 public:
  void add_text(char c) { text_ += c; }
  [[nodiscard]] Result<void> add_field(LogField field) {
    const auto before = pattern.items.empty() ? Field::kIgnored : pattern.items.back().field;
    const bool is_adjacent = text_.empty() && !pattern.items.empty();
    const bool is_query = field == Field::kQuery || field == Field::kIgnored;
    if (is_adjacent && before == Field::kTarget && is_query) return {};  // it is in the target
    if (is_adjacent && !(before == Field::kHost && field == Field::kTarget)) {
      return wrong("has two fields with nothing between them");
    }
    // GoAccess's formats pass over a zone, without which the time would be another.
    const bool follows_clock =
        !pattern.items.empty() && pattern.items.back().field == Field::kClock && text_ == " ";
    if (field == Field::kIgnored && follows_clock) field = Field::kZone;
    pattern.items.push_back({std::exchange(text_, {}), field});
    return {};
  }
  [[nodiscard]] LogPattern finish() && {
    pattern.after = std::move(text_);
    return std::move(pattern);
  }

  LogPattern pattern;

 private:
  std::string text_;
};

/// A backslash as configuration files have it: `\"` is a quote, `\t` a tabulator.
char unescaped(char c) { return c == 't' ? '\t' : c; }

Result<void> add_nginx_variable(std::string_view text, std::size_t& at, Builder& builder) {
  ++at;  // the $
  const bool has_braces = at < text.size() && text[at] == '{';
  if (has_braces) ++at;
  const auto begin = at;
  while (at < text.size() && is_word_character(text[at])) ++at;
  const auto name = text.substr(begin, at - begin);
  if (name.empty()) return wrong("has a $ without a name");
  if (has_braces) ++at;
  return builder.add_field(find_in(kNginxVariables, name).value_or(Field::kIgnored));
}

/// `%>s`, `%{Referer}i`, `%!200,304{User-Agent}i`.
Result<void> add_apache_field(std::string_view text, std::size_t& at, Builder& builder) {
  ++at;  // the %
  while (at < text.size() && std::string_view("!,<>0123456789").find(text[at]) != text.npos) ++at;
  std::string_view argument;
  if (at < text.size() && text[at] == '{') {
    const auto end = text.find('}', at);
    if (end == std::string_view::npos) return wrong("has a { without its }");
    argument = text.substr(at + 1, end - at - 1);
    at = end + 1;
  }
  if (at == text.size()) return wrong("ends with a % that names no field");
  const char letter = text[at++];
  auto& times = builder.pattern.times;
  if (letter == 't' && argument.empty()) {  // in brackets, and with a blank
    builder.add_text('[');
    auto added = builder.add_field(Field::kTime);
    builder.add_text(']');
    return added;
  }
  if (letter == 't') {
    for (const std::string_view prefix : {"begin:", "end:"}) {
      if (argument.starts_with(prefix)) argument.remove_prefix(prefix.size());
    }
    if (argument.find('%') == std::string_view::npos) {  // sec, msec, usec
      return builder.add_field(argument.ends_with("_frac") ? Field::kIgnored : Field::kTime);
    }
    if (times.date.empty()) {
      times.date = argument;
      return builder.add_field(Field::kDate);
    }
    times.time = argument;
    return builder.add_field(Field::kClock);
  }
  if (letter == 'i') {
    return builder.add_field(find_in(kHeaders, ascii_lower(argument)).value_or(Field::kIgnored));
  }
  if (!argument.empty() && letter != 'a') return builder.add_field(Field::kIgnored);
  return builder.add_field(
      find_in(kApacheLetters, std::string_view(&letter, 1)).value_or(Field::kIgnored));
}

Result<void> add_goaccess_field(std::string_view text, std::size_t& at, Builder& builder) {
  if (text[at] == '~') {  // ~h{, }: addresses, and what separates them
    const auto end = text.find('}', at);
    if (end == std::string_view::npos) return wrong("has a ~h{ without its }");
    at = end + 1;
    return builder.add_field(Field::kForwarded);
  }
  ++at;  // the %
  if (at == text.size()) return wrong("ends with a % that names no field");
  const char letter = text[at++];
  if (letter == '~') {
    builder.add_text(' ');
    return {};
  }
  const auto field = find_in(kGoAccessLetters, std::string_view(&letter, 1));
  if (!field && kGoAccessOthers.find(letter) == std::string_view::npos) {
    return wrong(std::string("has %") + letter + ", which is no field of GoAccess");
  }
  return builder.add_field(field.value_or(Field::kIgnored));
}

enum class Notation { kNone, kNginx, kApache, kGoAccess };

Notation notation_of(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  for (auto at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    if (at + 1 < text.size() && (is_letter(text[at + 1]) || text[at + 1] == '{')) {
      return Notation::kNginx;
    }
  }
  if (!has("%")) return Notation::kNone;
  const bool is_apache =
      has("%{") || has("%>") || has("%<") || has("%l") || (has("%t") && !has("%d") && !has("%x"));
  return is_apache ? Notation::kApache : Notation::kGoAccess;
}

Result<LogPattern> parse_fields(std::string_view text, Notation notation) {
  Builder builder;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool is_field = notation == Notation::kNginx ? c == '$' : c == '%';
    const bool is_list = notation == Notation::kGoAccess && text.substr(at).starts_with("~h{");
    Result<void> added;
    if (c == '\\' && at + 1 < text.size()) {
      builder.add_text(unescaped(text[at + 1]));
      at += 2;
    } else if (c == '%' && is_field && text.substr(at).starts_with("%%")) {
      builder.add_text('%');
      at += 2;
    } else if (notation == Notation::kNginx && is_field) {
      added = add_nginx_variable(text, at, builder);
    } else if (notation == Notation::kApache && is_field) {
      added = add_apache_field(text, at, builder);
    } else if (is_field || is_list) {
      added = add_goaccess_field(text, at, builder);
    } else {
      builder.add_text(c);
      ++at;
    }
    if (!added) return fail(added.error());
  }
  return std::move(builder).finish();
}

/// `log_format main '…' '…';` and `LogFormat "…" main`: what is in the quotes.
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
    if (!is_nginx) break;  // the rest is its name
  }
  return all;
}

/// Puts nginx's variables outside of strings into some: `"status":$status`.
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

/// Adds the column of each value that is a field, by the field's name for `--map`.
Result<void> add_columns(const nlohmann::json& object, const std::string& prefix,
                         LogPattern& pattern) {
  for (const auto& [key, value] : object.items()) {
    const auto column = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object()) {
      if (auto added = add_columns(value, column, pattern); !added) return added;
    }
    if (!value.is_string()) continue;
    const auto& text = value.get_ref<const std::string&>();
    const auto parsed = parse_fields(text, notation_of(text));
    if (!parsed) return fail(parsed.error());
    const auto found = std::find_if(parsed->items.begin(), parsed->items.end(),
                                    [](const auto& item) { return item.field != Field::kIgnored; });
    if (found == parsed->items.end()) continue;
    for (const auto& [name, field] : kMapped) {
      if (field == found->field) pattern.columns.emplace_back(name, column);
    }
  }
  return {};
}

Result<LogPattern> parse_json(const std::string& text) {
  const auto document = json::parse_document(with_quoted_variables(text));
  if (!document || !document->is_object()) return wrong("begins with {, and is no JSON object");
  LogPattern pattern;
  if (auto added = add_columns(*document, {}, pattern); !added) return fail(added.error());
  return pattern;
}

/// RE2 calls a group `(?P<name>`, others `(?<name>`.
Result<LogPattern> parse_expression(std::string_view text) {
  LogPattern pattern;
  for (std::size_t at = 0; at < text.size(); ++at) {
    pattern.expression += text[at];
    const auto rest = text.substr(at);
    const auto opening = rest.starts_with("(?P<")                                           ? 4U
                         : rest.starts_with("(?<") && rest.size() > 3 && is_letter(rest[3]) ? 3U
                                                                                            : 0U;
    if (opening == 0 || (at > 0 && text[at - 1] == '\\')) continue;
    const auto name = std::string(rest.substr(opening, rest.find('>') - opening));
    const auto field = find_in(kGroups, name);
    if (!field) {
      std::vector<std::string> names;
      for (const auto& row : kGroups) names.emplace_back(row.name);
      return wrong("has a group \"" + name + "\"; groups have the names " + join(names, ", "));
    }
    pattern.groups.emplace_back(name, *field);
    pattern.expression += "?P<";
    at += opening - 1;
  }
  return pattern;
}

/// A date that no time of day goes with is all of the time.
void complete_date(LogPattern& pattern) {
  if (pattern.has(Field::kClock)) return;
  for (auto& item : pattern.items) {
    if (item.field == Field::kDate) item.field = Field::kTime;
  }
  for (auto& [name, field] : pattern.groups) {
    if (field == Field::kDate) field = Field::kTime;
  }
}

/// Refuses what cannot make a pageview.
Result<void> check(const LogPattern& pattern) {
  if (!pattern.has(Field::kTime) && !pattern.has(Field::kDate)) {
    return wrong("has no time: %t, $time_local, (?P<timestamp>…)");
  }
  if (!pattern.has(Field::kRequest) && !pattern.has(Field::kTarget)) {
    return wrong("has no request: %r, $request, (?P<request>…)");
  }
  if (!pattern.has(Field::kClient) && !pattern.has(Field::kForwarded)) {
    return wrong("has no client address: %h, $remote_addr, (?P<ip>…)");
  }
  return {};
}

Result<LogPattern> parse_notation(const std::string& text) {
  if (text.starts_with('{')) return parse_json(text);
  if (text.find("(?P<") != std::string::npos || text.find("(?<") != std::string::npos) {
    return parse_expression(text);
  }
  const auto notation = notation_of(text);
  if (notation == Notation::kNone) {
    return wrong(
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
  return std::any_of(columns.begin(), columns.end(),
                     [&](const auto& column) { return find_in(kMapped, column.first) == field; });
}

Result<LogPattern> parse_log_pattern(std::string_view text, const TimeForms& times) {
  auto pattern = parse_notation(without_directive(text));
  if (!pattern) return pattern;
  complete_date(*pattern);
  if (auto fine = check(*pattern); !fine) return fail(fine.error());
  pattern->times.zone = times.zone;
  if (!times.date.empty()) pattern->times.date = times.date;
  if (!times.time.empty()) pattern->times.time = times.time;
  return pattern;
}

std::string_view format_of_goaccess(std::string_view name) {
  const auto* found = std::find_if(std::begin(kGoAccessNames), std::end(kGoAccessNames),
                                   [&](const KnownName& row) { return row.from == name; });
  return found == std::end(kGoAccessNames) ? std::string_view() : found->to;
}

}  // namespace analytics::cli
