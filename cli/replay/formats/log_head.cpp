#include "cli/replay/formats/log_head.h"

#include <algorithm>
#include <utility>

#include "cli/replay/formats/log_client.h"
#include "common/json/json.h"
#include "common/text/address.h"
#include "common/text/text.h"
#include "common/text/time.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kMaxServiceName = 100;
constexpr std::size_t kMaxHead = 4'096;  // bytes; longer text before the time is not parsed

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_name(std::string_view text) {
  const bool has_letter = std::any_of(text.begin(), text.end(), [](char c) {
    return is_name_character(c) && !(c >= '0' && c <= '9') && c != '.' && c != '-' && c != '_';
  });
  return has_letter && std::all_of(text.begin(), text.end(), is_name_character);
}

/// Removes the first word and the spaces after it from the front of `rest`, and returns the word;
/// empty if no text is left.
std::string_view take_word(std::string_view& rest) {
  const auto word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return word;
}

/// Removes the client from the front of `words` and returns it: one word, or several if it is a
/// list of addresses in quotes or with spaces after its commas.
std::string take_client(std::string_view& words) {
  const auto quote = words.starts_with('"') ? words.find("\" ", 1) : std::string_view::npos;
  if (quote != std::string_view::npos) {
    auto list = std::string(words.substr(1, quote - 1)) + ",";
    words.remove_prefix(quote + 2);
    return list;
  }
  std::string client(take_word(words));
  while (client.ends_with(',') && !words.empty()) client += take_word(words);
  return client;
}

/// Returns the client's address, or its host name if `names` is true; empty if the text is neither.
std::string client_of(const std::string& text, bool names) {
  if (text.find(',') != std::string::npos) return std::string(client_of_list(text));
  return parse_address(text) || (names && is_name(text)) ? text : std::string();
}

/// Returns true for a virtual host field that contains the server's own address or unqualified
/// name, and a usual port of web servers.
bool is_nameless_host(std::string_view text) {
  constexpr std::string_view kPorts[] = {":80", ":443", ":8080", ":8443"};
  const auto host = without_port(text);
  const auto port = text.substr(host.size());
  const bool is_server = std::find(std::begin(kPorts), std::end(kPorts), port) != std::end(kPorts);
  return is_server && (parse_address(host) || is_name(host));
}

/// Removes the time of a syslog line in RFC 3164's form, "May 17 08:05:03 ", from the front of
/// `rest`. Returns false if `rest` begins otherwise.
bool skip_syslog_time(std::string_view& rest) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  auto line = rest;
  const auto month = take_word(line);
  const auto day = take_word(line);
  const auto time = take_word(line);
  const auto at = kMonths.find(month);
  const bool is_month = month.size() == 3 && at != std::string_view::npos && at % 3 == 0;
  const bool is_time =
      is_month && parse_int(day) && time.size() == 8 && time[2] == ':' && time[5] == ':';
  if (is_time) rest = line;
  return is_time;
}

/// Removes the sender in a syslog line, "web1 nginx[12]: ", from the front of `rest`. Returns
/// false if `rest` begins otherwise.
bool skip_syslog_sender(std::string_view& rest) {
  auto line = rest;
  const auto host = take_word(line);
  const auto tag = take_word(line);
  if (host.empty() || host.find('[') != std::string_view::npos) return false;
  if (!tag.ends_with(':') || tag.size() < 2) return false;
  rest = line;
  return true;
}

/// Returns true for an RFC 3339 time, also with a zone such as +0200, as journalctl -o short-iso
/// prints it.
bool is_stamp(std::string_view word) {
  if (word.size() < 20) return false;
  if (parse_rfc3339(word)) return true;
  const auto zone = word.size() - 4;
  return parse_rfc3339(std::string(word.substr(0, zone + 2)) + ":" +
                       std::string(word.substr(zone + 2)))
      .has_value();
}

std::string_view without_time(std::string_view line) {
  auto rest = line;
  return is_stamp(take_word(rest)) ? rest : line;
}

/// Removes the fields after the time of a syslog line in RFC 5424's form, "web1 nginx 12 - - " or
/// with structured data in brackets, from the front of `rest`. Returns false if `rest` begins
/// otherwise.
bool skip_structured_sender(std::string_view& rest) {
  auto line = rest;
  for (int i = 0; i < 4; ++i) {  // skips host, application, process, message id
    if (take_word(line).empty()) return false;
  }
  if (line.starts_with("- ")) {
    line.remove_prefix(2);
  } else if (const auto end = line.find("] "); line.starts_with('[') && end != line.npos) {
    line.remove_prefix(end + 2);
  } else {
    return false;
  }
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  rest = line;
  return true;
}

}  // namespace

bool looks_like_host(std::string_view text) {
  const auto host = without_port(text);
  const bool is_qualified = host.find('.') != std::string_view::npos || iequals(host, "localhost");
  return is_qualified && is_name(host) && !parse_address(text) && !parse_address(host);
}

std::optional<LogHead> parse_log_head(std::string_view words) {
  const auto read = [&](std::string_view rest, LogHead head, bool names) -> std::optional<LogHead> {
    const auto client = take_client(rest);
    head.client = client_of(client, names);
    auto identity = take_word(rest);
    // An address after a list is the address of the proxy that sent the list.
    const bool is_list = client.find(',') != std::string::npos;
    if (is_list && parse_address(identity)) identity = take_word(rest);
    auto user = take_word(rest);
    // `host address user` is an nginx format without the identity.
    const bool has_no_identity = user.empty() && !head.host.empty() && parse_address(head.client);
    if (has_no_identity) user = std::exchange(identity, "-");
    if (head.client.empty() || identity.empty() || user.empty() || !rest.empty()) {
      return std::nullopt;
    }
    // If identity or user is an address, it is a client or a proxy, and the form is unknown.
    if (parse_address(identity) || parse_address(user)) return std::nullopt;
    if (head.host.empty() && looks_like_host(identity)) head.host = without_port(identity);
    return head;
  };
  if (words.size() > kMaxHead) return std::nullopt;
  if (auto head = read(words, {}, true)) return head;
  auto rest = words;
  const auto host = take_word(rest);
  const auto second = rest.substr(0, rest.find(' '));
  if (!looks_like_host(host)) {
    return is_nameless_host(host) && parse_address(second) ? read(rest, {}, false) : std::nullopt;
  }
  return read(rest, {std::string(without_port(host)), {}}, looks_like_host(second));
}

std::string_view without_transport_prefix(std::string_view line) {
  auto rest = line;
  if (rest.starts_with("[pod/")) {  // kubectl logs --prefix writes "[pod/NAME/CONTAINER] "
    const auto end = rest.find("] ");
    return end == std::string_view::npos ? line : without_time(rest.substr(end + 2));
  }
  const auto bar = rest.substr(0, kMaxServiceName).find("| ");
  if (bar != std::string_view::npos && bar > 1) {
    const auto name = trim(rest.substr(0, bar));  // docker compose writes "service | "
    const bool is_service = rest[bar - 1] == ' ' && !name.empty() &&
                            std::all_of(name.begin(), name.end(), is_name_character);
    if (is_service) return without_time(rest.substr(bar + 2));
  }
  bool has_version = false;
  const bool has_priority = rest.starts_with('<');
  if (has_priority) {  // the priority of a syslog line
    const auto end = rest.find('>');
    if (end == std::string_view::npos || !parse_int(rest.substr(1, end - 1))) return line;
    rest.remove_prefix(end + 1);
    has_version = rest.starts_with("1 ");
    if (has_version) rest.remove_prefix(2);
  }
  if (skip_syslog_time(rest)) {
    if (skip_syslog_sender(rest)) return rest;
    // In the syslog format, nginx can be configured to leave out the host.
    const bool has_tag = has_priority && take_word(rest).ends_with(':');
    return has_tag ? rest : line;
  }
  auto timed = rest;
  if (!is_stamp(take_word(timed))) return line;
  if (has_version) return skip_structured_sender(timed) ? timed : line;
  for (const std::string_view stream : {"stdout F ", "stderr F "}) {
    if (timed.starts_with(stream)) return timed.substr(stream.size());
  }
  (void)skip_syslog_sender(timed);
  return timed;
}

std::string_view bare_line(std::string_view line, std::string& buffer) {
  const auto bare = without_transport_prefix(line);
  if (!bare.starts_with('{')) return bare;
  const auto has = [&](const char* name) { return bare.find(name) != std::string_view::npos; };
  if (!has("\"log\"") && !has("\"MESSAGE\"") && !has("\"message\"")) return bare;
  const auto object = json::parse_object(bare);
  if (!object) return bare;
  for (const std::string_view name : {"log", "MESSAGE", "message"}) {
    const auto* text = object->find(name);
    if (text == nullptr || text->kind != json::Kind::kString) continue;
    buffer = text->text;
    while (buffer.ends_with('\n') || buffer.ends_with('\r')) buffer.pop_back();
    return buffer;
  }
  return bare;
}

std::string_view bare_json(std::string_view line, std::string& buffer) {
  const auto bare = trim(bare_line(line, buffer));
  return bare.starts_with('{') ? bare : trim(without_transport_prefix(line));
}

}  // namespace analytics::cli
