// Logs whose fields stand one after another in a line, some in quotes: those of Apache and nginx,
// and of AWS load balancers.
#include <algorithm>
#include <vector>

#include "cli/replay/formats/access_log_format.h"
#include "cli/replay/formats/log_client.h"
#include "cli/replay/formats/log_head.h"
#include "cli/replay/formats/log_time.h"
#include "common/address.h"
#include "common/text.h"
#include "common/url.h"

namespace analytics::cli {
namespace {

using Parsed = AccessLogFormat::Parsed;

/// Takes the text up to `end` off the front, and `end` with it.
std::optional<std::string_view> take(std::string_view& rest, char end) {
  const auto at = rest.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const auto part = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  return part;
}

/// A quoted field, in which \" does not end it.
std::optional<std::string_view> take_quoted(std::string_view& rest) {
  if (!rest.starts_with('"')) return std::nullopt;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == '\\') {
      ++at;
    } else if (rest[at] == '"') {
      const auto part = rest.substr(1, at - 1);
      rest.remove_prefix(at + 1);
      if (rest.starts_with(' ')) rest.remove_prefix(1);
      return part;
    }
  }
  return std::nullopt;
}

/// Resolves \" \\ and \xNN, as Apache and nginx write them.
std::string unescape(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return log_text(text);
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      plain += text[at];
    } else if (text[at + 1] == 'x' && at + 3 < text.size()) {
      const auto byte = percent_decode("%" + std::string(text.substr(at + 2, 2)));
      plain += byte.value_or("\\x");
      at += byte ? 3U : 1U;
    } else {
      plain += text[++at];
    }
  }
  return log_text(plain);
}

std::string unless_dash(std::string_view text) { return text == "-" ? "" : unescape(text); }

bool parse_status(std::string_view text, int& status) {
  const auto code = parse_int(text);
  if (!code || *code < 100 || *code > 599) return false;
  status = static_cast<int>(*code);
  return true;
}

/// "GET /path HTTP/1.1": what is no request of HTTP leaves both empty.
void parse_request(std::string_view request, AccessLogEntry& entry) {
  const auto method = take(request, ' ');
  if (!method) return;
  entry.method = *method;
  entry.target = unescape(request.substr(0, request.rfind(" HTTP/")));
}

/// `[host] client identity user [time] "request" status size`, as all of them begin.
bool parse_common_part(std::string_view& line, AccessLogEntry& entry) {
  const auto words = take(line, '[');
  const auto stamp = take(line, ']');
  if (!words || !words->ends_with(' ') || !stamp || !line.starts_with(' ')) return false;
  line.remove_prefix(1);
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
  entry.referrer = unless_dash(*referrer);
  entry.user_agent = unless_dash(*user_agent);
  // nginx's usual "main" format adds the X-Forwarded-For.
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

/// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
Parsed parse_alb(std::string_view line, AccessLogEntry& entry) {
  constexpr std::array<std::string_view, 6> kTypes = {"http", "https", "h2", "grpcs", "ws", "wss"};
  std::array<std::string_view, 12> fields;
  for (auto& field : fields) {
    const auto part = take(line, ' ');
    if (!part) return Parsed::kMalformed;
    field = *part;
  }
  const auto request = take_quoted(line);
  const auto user_agent = take_quoted(line);
  const auto time = parse_rfc3339(fields[1]);
  const bool known = std::find(kTypes.begin(), kTypes.end(), fields[0]) != kTypes.end();
  if (!known || !request || !user_agent || !time) return Parsed::kMalformed;
  if (fields[8] == "-" ? false : !parse_status(fields[8], entry.status)) return Parsed::kMalformed;
  entry.time = *time;
  entry.address = without_client_port(fields[3]);
  entry.user_agent = unless_dash(*user_agent);
  parse_request(*request, entry);
  if (const auto url = split_url(entry.target)) entry.host = url->host;
  return Parsed::kEntry;
}

/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html: owner, bucket, [time],
/// address, requester, request id, operation, key, "request", status, error, bytes, size, total ms,
/// turn-around ms, "referrer", "user agent", …
Parsed parse_s3(std::string_view line, AccessLogEntry& entry) {
  const auto owner = take(line, ' ');
  const auto bucket = take(line, ' ');
  if (!owner || owner->size() < 32 || !bucket || !line.starts_with('[')) return Parsed::kMalformed;
  line.remove_prefix(1);
  const auto stamp = take(line, ']');
  const auto time = stamp ? parse_common_log_time(*stamp) : std::nullopt;
  if (!time || !line.starts_with(' ')) return Parsed::kMalformed;
  line.remove_prefix(1);
  const auto address = take(line, ' ');
  for (int i = 0; i < 4; ++i) {  // requester, request id, operation, key
    if (!take(line, ' ')) return Parsed::kMalformed;
  }
  const auto request = take_quoted(line);
  const auto status = take(line, ' ');
  for (int i = 0; i < 5; ++i) {
    if (!take(line, ' ')) return Parsed::kMalformed;
  }
  const auto referrer = take_quoted(line);
  const auto user_agent = take_quoted(line);
  if (!address || !request || !status || !referrer || !user_agent) return Parsed::kMalformed;
  if (!parse_status(*status, entry.status)) return Parsed::kMalformed;
  entry.time = *time;
  entry.address = *address == "-" ? std::string_view() : *address;
  entry.host = log_text(*bucket);
  entry.referrer = unless_dash(*referrer);
  entry.user_agent = unless_dash(*user_agent);
  parse_request(*request, entry);
  return Parsed::kEntry;
}

/// HAProxy's "option httplog" behind whatever syslog puts before it:
/// `address:port [time] frontend backend/server times status bytes - - flags …/… …/… "request"`.
Parsed parse_haproxy(std::string_view line, AccessLogEntry& entry) {
  const auto bracket = line.find(" [");
  if (bracket == std::string_view::npos) return Parsed::kMalformed;
  const auto before = line.substr(0, bracket);
  const auto address = without_client_port(before.substr(before.rfind(' ') + 1));
  line.remove_prefix(bracket + 2);
  auto stamp = take(line, ']');
  // "06/Feb/2009:12:14:14.655": local time without a zone, taken for UTC.
  if (!stamp || stamp->size() != 24 || (*stamp)[20] != '.') return Parsed::kMalformed;
  const auto time = parse_common_log_time(std::string(stamp->substr(0, 20)) + " +0000");
  if (!time || !parse_address(address) || !line.starts_with(' ')) return Parsed::kMalformed;
  line.remove_prefix(1);
  for (int i = 0; i < 3; ++i) {  // frontend, backend, times
    if (!take(line, ' ')) return Parsed::kMalformed;
  }
  const auto status = take(line, ' ');
  line.remove_prefix(std::min(line.find('"'), line.size()));
  const auto request = take_quoted(line);
  if (!status || !request || !parse_status(*status, entry.status)) return Parsed::kMalformed;
  entry.time = *time;
  entry.address = address;
  parse_request(*request, entry);
  return Parsed::kEntry;
}

/// Envoy's and Istio's default: `[time] "request" status flags … "x-forwarded-for" "user agent"
/// "request id" "authority" "upstream"`; texts between are passed over.
Parsed parse_envoy(std::string_view line, AccessLogEntry& entry) {
  if (!line.starts_with('[')) return Parsed::kMalformed;
  line.remove_prefix(1);
  const auto stamp = take(line, ']');
  const auto time = stamp ? parse_rfc3339(*stamp) : std::nullopt;
  if (!time || !line.starts_with(" \"")) return Parsed::kMalformed;
  line.remove_prefix(1);
  const auto request = take_quoted(line);
  const auto status = take(line, ' ');
  if (!request || !status || !parse_status(*status, entry.status)) return Parsed::kMalformed;
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
  entry.forwarded = unless_dash(last[0]);
  entry.user_agent = unless_dash(last[1]);
  entry.host = unless_dash(last[3]);
  parse_request(*request, entry);
  return Parsed::kEntry;
}

/// A format whose lines need no memory of others.
class LineFormat final : public AccessLogFormat {
 public:
  using Parse = Parsed (*)(std::string_view, AccessLogEntry&);
  explicit LineFormat(Parse function) : parse_(function) {}
  Parsed parse(std::string_view line, AccessLogEntry& entry) override {
    return parse_(without_transport_prefix(line), entry);
  }

 private:
  Parse parse_;
};

}  // namespace

std::unique_ptr<AccessLogFormat> make_combined_format() {
  return std::make_unique<LineFormat>(parse_combined);
}
std::unique_ptr<AccessLogFormat> make_common_format() {
  return std::make_unique<LineFormat>(parse_common);
}
std::unique_ptr<AccessLogFormat> make_combined_vhost_format() {
  return std::make_unique<LineFormat>(parse_combined_vhost);
}
std::unique_ptr<AccessLogFormat> make_common_vhost_format() {
  return std::make_unique<LineFormat>(parse_common_vhost);
}
std::unique_ptr<AccessLogFormat> make_alb_format() {
  return std::make_unique<LineFormat>(parse_alb);
}
std::unique_ptr<AccessLogFormat> make_s3_format() { return std::make_unique<LineFormat>(parse_s3); }
std::unique_ptr<AccessLogFormat> make_haproxy_format() {
  return std::make_unique<LineFormat>(parse_haproxy);
}
std::unique_ptr<AccessLogFormat> make_envoy_format() {
  return std::make_unique<LineFormat>(parse_envoy);
}

}  // namespace analytics::cli
