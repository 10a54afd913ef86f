#include "cli/replay/formats/log_notation.h"

#include <utility>

#include "common/text/text.h"

namespace analytics::cli {
namespace {

using Field = LogField;

// nginx's variables and their fields: https://nginx.org/en/docs/varindex.html
constexpr NamedLogField kNginxVariables[] = {{"remote_addr", Field::kClient},
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

// Apache's letters after `%`: https://httpd.apache.org/docs/current/mod/mod_log_config.html
constexpr NamedLogField kApacheLetters[] = {
    {"h", Field::kClient}, {"a", Field::kClient},  {"v", Field::kHost},
    {"V", Field::kHost},   {"m", Field::kMethod},  {"U", Field::kTarget},
    {"q", Field::kQuery},  {"r", Field::kRequest}, {"s", Field::kStatus}};
constexpr NamedLogField kHeaders[] = {
    {"referer", Field::kReferrer},    {"user-agent", Field::kUserAgent},
    {"host", Field::kHost},           {"x-forwarded-for", Field::kForwarded},
    {"x-real-ip", Field::kForwarded}, {"cf-connecting-ip", Field::kForwarded}};

// GoAccess's letters after `%`: https://goaccess.io/man#custom-log
constexpr NamedLogField kGoAccessLetters[] = {
    {"x", Field::kTime},   {"d", Field::kDate},     {"t", Field::kClock},
    {"v", Field::kHost},   {"h", Field::kClient},   {"r", Field::kRequest},
    {"q", Field::kQuery},  {"m", Field::kMethod},   {"U", Field::kTarget},
    {"s", Field::kStatus}, {"R", Field::kReferrer}, {"u", Field::kUserAgent}};
constexpr std::string_view kGoAccessOthers = "eCHbKkMDTLn^";

/// Builds a LogPattern from fields, and the texts between them, in order.
class Builder {
 public:
  void add_text(char c) { text_ += c; }
  [[nodiscard]] Result<void> add_field(LogField field) {
    const auto before = pattern.items.empty() ? Field::kIgnored : pattern.items.back().field;
    const bool is_adjacent = text_.empty() && !pattern.items.empty();
    const bool is_query = field == Field::kQuery || field == Field::kIgnored;
    // The target field already contains the query.
    if (is_adjacent && before == Field::kTarget && is_query) return {};
    if (is_adjacent && !(before == Field::kHost && field == Field::kTarget)) {
      return wrong_log_format("has two fields with nothing between them");
    }
    // GoAccess formats ignore the zone after a time, but the time would be wrong without it.
    const bool follows_clock = (before == Field::kClock || before == Field::kTime) && text_ == " ";
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

/// Returns the character that a backslash and `c` mean in a configuration file: `\"` is a quote,
/// `\t` a tab.
char unescaped(char c) { return c == 't' ? '\t' : c; }

Result<void> add_nginx_variable(std::string_view text, std::size_t& at, Builder& builder) {
  ++at;  // skips the $
  const bool has_braces = at < text.size() && text[at] == '{';
  if (has_braces) ++at;
  const auto begin = at;
  while (at < text.size() && is_word_character(text[at])) ++at;
  const auto name = text.substr(begin, at - begin);
  if (name.empty()) return wrong_log_format("has a $ without a name");
  if (has_braces) ++at;
  return builder.add_field(find_field(kNginxVariables, name).value_or(Field::kIgnored));
}

/// Adds a field such as `%>s`, `%{Referer}i` or `%!200,304{User-Agent}i`.
Result<void> add_apache_field(std::string_view text, std::size_t& at, Builder& builder) {
  ++at;  // skips the %
  while (at < text.size() && std::string_view("!,<>0123456789").find(text[at]) != text.npos) ++at;
  std::string_view argument;
  if (at < text.size() && text[at] == '{') {
    const auto end = text.find('}', at);
    if (end == std::string_view::npos) return wrong_log_format("has a { without its }");
    argument = text.substr(at + 1, end - at - 1);
    at = end + 1;
  }
  if (at == text.size()) return wrong_log_format("ends with a % that names no field");
  const char letter = text[at++];
  auto& times = builder.pattern.times;
  if (letter == 't' && argument.empty()) {  // Apache writes this time in brackets
    builder.add_text('[');
    auto added = builder.add_field(Field::kTime);
    builder.add_text(']');
    return added;
  }
  if (letter == 't') {
    for (const std::string_view prefix : {"begin:", "end:"}) {
      if (argument.starts_with(prefix)) argument.remove_prefix(prefix.size());
    }
    if (argument.find('%') == std::string_view::npos) {  // %{msec}t is a unit, not a pattern
      return builder.add_field(argument.ends_with("_frac") ? Field::kIgnored : Field::kTime);
    }
    if (times.date.empty()) {
      times.date = argument;
      return builder.add_field(Field::kDate);
    }
    if (argument == "%z") return builder.add_field(Field::kZone);
    if (!times.time.empty()) return wrong_log_format("has its time in more than two parts");
    times.time = argument;
    return builder.add_field(Field::kClock);
  }
  if (letter == 'i') {
    return builder.add_field(find_field(kHeaders, ascii_lower(argument)).value_or(Field::kIgnored));
  }
  if (!argument.empty() && letter != 'a') return builder.add_field(Field::kIgnored);
  return builder.add_field(
      find_field(kApacheLetters, std::string_view(&letter, 1)).value_or(Field::kIgnored));
}

Result<void> add_goaccess_field(std::string_view text, std::size_t& at, Builder& builder) {
  if (text[at] == '~') {  // `~h{, }` is a list of addresses with its separators
    const auto end = text.find('}', at);
    if (end == std::string_view::npos) return wrong_log_format("has a ~h{ without its }");
    at = end + 1;
    return builder.add_field(Field::kForwarded);
  }
  ++at;  // skips the %
  if (at == text.size()) return wrong_log_format("ends with a % that names no field");
  const char letter = text[at++];
  if (letter == '~') {
    builder.add_text(' ');
    return {};
  }
  const auto field = find_field(kGoAccessLetters, std::string_view(&letter, 1));
  if (!field && kGoAccessOthers.find(letter) == std::string_view::npos) {
    return wrong_log_format(std::string("has %") + letter + ", which is not a field of GoAccess");
  }
  return builder.add_field(field.value_or(Field::kIgnored));
}

}  // namespace

LogNotation notation_of(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  for (auto at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    if (at + 1 < text.size() && (is_letter(text[at + 1]) || text[at + 1] == '{')) {
      return LogNotation::kNginx;
    }
  }
  if (!has("%")) return LogNotation::kNone;
  const bool is_apache =
      has("%{") || has("%>") || has("%<") || has("%l") || (has("%t") && !has("%d") && !has("%x"));
  return is_apache ? LogNotation::kApache : LogNotation::kGoAccess;
}

Result<LogPattern> parse_fields(std::string_view text, LogNotation notation) {
  Builder builder;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool is_field = notation == LogNotation::kNginx ? c == '$' : c == '%';
    const bool is_list = notation == LogNotation::kGoAccess && text.substr(at).starts_with("~h{");
    if (c == '\\' && at + 1 < text.size()) {
      builder.add_text(unescaped(text[at + 1]));
      at += 2;
    } else if (c == '%' && is_field && text.substr(at).starts_with("%%")) {
      builder.add_text('%');
      at += 2;
    } else if (notation == LogNotation::kNginx && is_field) {
      TRY(add_nginx_variable(text, at, builder));
    } else if (notation == LogNotation::kApache && is_field) {
      TRY(add_apache_field(text, at, builder));
    } else if (is_field || is_list) {
      TRY(add_goaccess_field(text, at, builder));
    } else {
      builder.add_text(c);
      ++at;
    }
  }
  return std::move(builder).finish();
}

}  // namespace analytics::cli
