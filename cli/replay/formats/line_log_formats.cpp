// Log formats of web servers and proxies whose lines are a sequence of fields, some in quotes.
#include <algorithm>
#include <vector>

#include "cli/replay/formats/line_fields.h"
#include "cli/replay/formats/log_client.h"
#include "cli/replay/formats/log_head.h"
#include "cli/replay/formats/log_time.h"
#include "common/text/address.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using Parsed = AccessLogFormat::Parsed;

/// Parses the beginning of the common and combined formats: `[host] client identity user [time]
/// "request" status`.
bool parse_common_part(std::string_view& line, AccessLogEntry& entry) {
  const auto words = take(line, '[');
  const auto stamp = take(line, ']');
  if (!words || !words->ends_with(' ') || !stamp || !line.starts_with(' ')) return false;
  line.remove_prefix(1);
  if (line.starts_with('(')) {  // Gandi's logs have the duration here, "(0 s) "
    if (!take(line, ')') || !take(line, ' ')) return false;
  }
  auto head = parse_log_head(*words);
  const auto time = parse_common_log_time(*stamp);
  const auto request = take_quoted(line);
  const auto status = take(line, ' ');
  if (!head || !time || !request || !status || !parse_status(*status, entry.status)) return false;
  entry.address = std::move(head->client);
  entry.host = std::move(head->host);
  entry.time = *time;
  parse_request(*request, entry);
  return true;
}

Parsed parse_combined(std::string_view line, AccessLogEntry& entry) {
  if (!parse_common_part(line, entry)) return Parsed::kMalformed;
  const auto size = take(line, ' ');
  const auto referrer = take_quoted(line);
  const auto user_agent = take_quoted(line);
  if (!size || !referrer || !user_agent) return Parsed::kMalformed;
  entry.referrer = unescape_field(*referrer);
  entry.user_agent = unescape_field(*user_agent);
  // nginx's usual "main" format adds the X-Forwarded-For; some formats write the header's name
  // before it.
  const auto label = ascii_lower(line.substr(0, line.find('"')));
  const bool is_named = label.ends_with('=') && label.find(' ') == std::string::npos &&
                        (label.find("forwarded") != label.npos || label.find("xff") != label.npos);
  if (is_named) line.remove_prefix(label.size());
  if (const auto more = take_quoted(line); more && !client_of_list(*more).empty()) {
    entry.forwarded = *more;
  }
  return Parsed::kEntry;
}

Parsed parse_common(std::string_view line, AccessLogEntry& entry) {
  if (!parse_common_part(line, entry)) return Parsed::kMalformed;
  const auto size = trim(line);
  return size == "-" || parse_int(size) ? Parsed::kEntry : Parsed::kMalformed;
}

/// Parses a combined line that names its host, which makes `--site` unnecessary.
Parsed parse_combined_vhost(std::string_view line, AccessLogEntry& entry) {
  const auto parsed = parse_combined(line, entry);
  return entry.host.empty() ? Parsed::kMalformed : parsed;
}

Parsed parse_common_vhost(std::string_view line, AccessLogEntry& entry) {
  const auto parsed = parse_common(line, entry);
  return entry.host.empty() ? Parsed::kMalformed : parsed;
}

/// Returns true if the text begins like a User-Agent, as in "Mozilla/5.0 …": a name, `/`, and a
/// version that begins with a digit.
bool looks_like_user_agent(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == text.size()) return false;
  const auto name = text.substr(0, slash);
  return text[slash + 1] >= '0' && text[slash + 1] <= '9' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
         });
}

/// Returns true for a host name in lower case, as browsers send it. Returns false for tokens such
/// as JWTs, which contain dots but also capitals.
bool looks_like_sent_host(std::string_view text) {
  return looks_like_host(text) && ascii_lower(text) == text;
}

/// Reads the headers that HAProxy was configured to capture, such as `{host|user agent|referrer}`.
/// HAProxy does not name them, so only values that are plainly one of these are used.
void read_captured(std::string_view text, AccessLogEntry& entry) {
  const auto open = text.find('{');
  if (open == std::string_view::npos) return;
  const auto block = text.substr(open + 1, text.find('}', open) - open - 1);
  bool is_first = true;
  for (const auto value : split(block, '|')) {
    const bool is_url = value.starts_with("http://") || value.starts_with("https://");
    if (is_url && entry.referrer.empty()) {
      entry.referrer = log_text(value);
    } else if (entry.user_agent.empty() && looks_like_user_agent(value)) {
      entry.user_agent = log_text(value);
    } else if (is_first && looks_like_sent_host(value)) {
      entry.host = std::string(without_port(value));
    } else if (entry.forwarded.empty() && !client_of_list(value).empty()) {
      entry.forwarded = value;
    }
    is_first = false;
  }
}

/// Parses a line of HAProxy's "option httplog", after any syslog prefix:
/// `address:port [time] frontend backend/server times status bytes - - flags …/… …/… "request"`.
Parsed parse_haproxy(std::string_view line, AccessLogEntry& entry) {
  const auto bracket = line.find(" [");
  if (bracket == std::string_view::npos) return Parsed::kMalformed;
  const auto before = line.substr(0, bracket);
  const auto address = without_client_port(before.substr(before.rfind(' ') + 1));
  line.remove_prefix(bracket + 2);
  const auto stamp = take(line, ']');
  // "06/Feb/2009:12:14:14.655": local time without a zone.
  const bool is_stamp =
      stamp && (stamp->size() == 20 || (stamp->size() == 24 && (*stamp)[20] == '.'));
  if (!is_stamp) return Parsed::kMalformed;
  const auto time = parse_common_log_time(std::string(stamp->substr(0, 20)) + " +0000");
  const bool has_client = parse_address(address).has_value();
  const bool is_local = address.starts_with("-:") || address == "-" || address.starts_with("unix:");
  if (!time || !(has_client || is_local) || !line.starts_with(' ')) return Parsed::kMalformed;
  line.remove_prefix(1);
  for (int i = 0; i < 3; ++i) {  // skips frontend, backend, times
    if (!take(line, ' ')) return Parsed::kMalformed;
  }
  const auto status = take(line, ' ');
  const auto quote = std::min(line.find('"'), line.size());
  const auto before_request = line.substr(0, quote);
  line.remove_prefix(quote);
  const auto request = take_quoted(line);
  if (!status || !request) return Parsed::kMalformed;
  if (is_local || *status == "-1") return Parsed::kFiltered;  // no visitor's request, or no reply
  if (!parse_status(*status, entry.status)) return Parsed::kMalformed;
  read_captured(before_request, entry);
  entry.time = *time;
  entry.is_local = true;
  entry.address = address;
  parse_request(*request, entry);
  return Parsed::kEntry;
}

/// Parses the default format of Envoy and Istio: `[time] "request" status flags … "x-forwarded-for"
/// "user agent" "request id" "authority" "upstream"`. Ignores other fields between them.
Parsed parse_envoy(std::string_view line, AccessLogEntry& entry) {
  if (!line.starts_with('[')) return Parsed::kMalformed;
  line.remove_prefix(1);
  const auto stamp = take(line, ']');
  const auto time = stamp ? parse_rfc3339(*stamp) : std::nullopt;
  if (!time || !line.starts_with(" \"")) return Parsed::kMalformed;
  line.remove_prefix(1);
  const auto request = take_quoted(line);
  const auto status = take(line, ' ');
  if (!request || !status) return Parsed::kMalformed;
  if (*request == "- - -" && *status == "0") return Parsed::kFiltered;  // a plain TCP connection
  if (!parse_status(*status, entry.status)) return Parsed::kMalformed;
  std::vector<std::string_view> quoted;
  for (auto at = line.find('"'); at != std::string_view::npos; at = line.find('"')) {
    line.remove_prefix(at);
    const auto text = take_quoted(line);
    if (!text) return Parsed::kMalformed;
    quoted.push_back(*text);
  }
  if (quoted.size() < 5) return Parsed::kMalformed;
  const auto* last = quoted.data() + quoted.size() - 5;
  entry.time = *time;
  entry.forwarded = unescape_field(last[0]);
  entry.user_agent = unescape_field(last[1]);
  entry.host = unescape_field(last[3]);
  parse_request(*request, entry);
  return Parsed::kEntry;
}

}  // namespace

std::unique_ptr<AccessLogFormat> make_combined_format() { return make_line_format(parse_combined); }
std::unique_ptr<AccessLogFormat> make_common_format() { return make_line_format(parse_common); }
std::unique_ptr<AccessLogFormat> make_combined_vhost_format() {
  return make_line_format(parse_combined_vhost);
}
std::unique_ptr<AccessLogFormat> make_common_vhost_format() {
  return make_line_format(parse_common_vhost);
}
std::unique_ptr<AccessLogFormat> make_haproxy_format() { return make_line_format(parse_haproxy); }
std::unique_ptr<AccessLogFormat> make_envoy_format() { return make_line_format(parse_envoy); }

}  // namespace analytics::cli
