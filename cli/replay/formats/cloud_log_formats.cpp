// Log formats of cloud services: AWS's load balancers, S3 and CloudFront, and bunny.net.
#include <algorithm>
#include <array>

#include "cli/replay/formats/line_fields.h"
#include "cli/replay/formats/log_client.h"
#include "cli/replay/formats/log_time.h"
#include "common/text/address.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

using Parsed = AccessLogFormat::Parsed;

/// Parses a line of an AWS Application Load Balancer:
/// https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
Parsed parse_alb(std::string_view line, AccessLogEntry& entry) {
  constexpr std::array<std::string_view, 6> kTypes = {"http", "https", "h2", "grpcs", "ws", "wss"};
  std::array<std::string_view, 12> fields;
  if (!take_fields(line, ' ', fields)) return Parsed::kMalformed;
  const auto request = take_quoted(line);
  const auto user_agent = take_quoted(line);
  const auto time = parse_rfc3339(fields[1]);
  const bool known = std::find(kTypes.begin(), kTypes.end(), fields[0]) != kTypes.end();
  if (!known || !request || !user_agent || !time) return Parsed::kMalformed;
  if (fields[8] == "-" ? false : !parse_status(fields[8], entry.status)) return Parsed::kMalformed;
  entry.time = *time;
  entry.address = without_client_port(fields[3]);
  entry.user_agent = unescape_field(*user_agent);
  parse_request(*request, entry);
  return Parsed::kEntry;
}

/// Parses a line of an S3 access log
/// (https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html): owner, bucket, [time],
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
  for (int i = 0; i < 4; ++i) {  // skips requester, request id, operation, key
    if (!take(line, ' ')) return Parsed::kMalformed;
  }
  if (line.starts_with("- ")) return Parsed::kFiltered;  // S3 made the request itself
  const auto request = take_quoted(line);
  if (request == "-") return Parsed::kFiltered;
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
  entry.referrer = unescape_field(*referrer);
  entry.user_agent = unescape_field(*user_agent);
  parse_request(*request, entry);
  return Parsed::kEntry;
}

/// Parses a line of an AWS Classic Load Balancer
/// (https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html):
/// time, balancer, client:port, backend:port, three durations, two statuses, two sizes, "request",
/// "user agent", …
Parsed parse_elb(std::string_view line, AccessLogEntry& entry) {
  std::array<std::string_view, 11> fields;
  if (!take_fields(line, ' ', fields)) return Parsed::kMalformed;
  const auto request = take_quoted(line);
  const auto user_agent = take_quoted(line);  // missing in the oldest logs
  const auto time = parse_rfc3339(fields[0]);
  const auto address = without_client_port(fields[2]);
  if (!request || !time || !parse_address(address)) return Parsed::kMalformed;
  if (request->starts_with("- ")) return Parsed::kFiltered;  // a connection without HTTP
  if (!parse_status(fields[7], entry.status)) return Parsed::kMalformed;
  entry.time = *time;
  entry.address = address;
  entry.user_agent = unescape_field(user_agent.value_or(""));
  parse_request(*request, entry);
  return Parsed::kEntry;
}

/// Parses a line of a CloudFront real-time log with all fields, in the order of
/// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html.
Parsed parse_cloudfront(std::string_view line, AccessLogEntry& entry) {
  constexpr std::size_t kFields = 40;
  const auto fields = split(line, '\t');
  if (fields.size() < kFields) return Parsed::kMalformed;
  const auto decoded = [&](std::size_t at) {
    return fields[at] == "-" ? std::string() : log_text(percent_decode_lenient(fields[at]));
  };
  const auto time = parse_double(fields[0]) ? parse_log_time(fields[0]) : std::nullopt;
  const bool is_web = fields[6] == "http" || fields[6] == "https";
  if (!time || !is_web || !parse_address(fields[1])) return Parsed::kMalformed;
  if (fields[3] == "000") return Parsed::kFiltered;  // the visitor had disconnected
  if (!parse_status(fields[3], entry.status)) return Parsed::kMalformed;
  entry.time = *time;
  entry.address = fields[1];
  entry.method = fields[5];
  entry.host = log_text(fields[7]);
  entry.target = log_text(fields[8]);
  if (entry.target.find('?') == std::string::npos && fields[19] != "-") {
    entry.target += "?" + log_text(fields[19]);
  }
  entry.user_agent = decoded(16);
  entry.referrer = decoded(17);
  if (fields[21] != "-") entry.forwarded = fields[21];
  return Parsed::kEntry;
}

/// Parses a line of bunny.net (https://docs.bunny.net/docs/cdn-logging): cache, status, time in
/// milliseconds, bytes, zone, client, referrer, URL, edge, user agent, request id, country and
/// more, separated by bars.
Parsed parse_bunny(std::string_view line, AccessLogEntry& entry) {
  constexpr std::size_t kIdSize = 32;
  std::array<std::string_view, 9> fields;
  if (!take_fields(line, '|', fields)) return Parsed::kMalformed;
  // A user agent may contain bars, but the id after it has exactly 32 hexadecimal digits.
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  auto end = line.find('|');
  for (; end != std::string_view::npos; end = line.find('|', end + 1)) {
    const auto id = line.substr(end + 1, kIdSize);
    const auto after = line.substr(end + 1).substr(id.size());
    const bool is_id = id.size() == kIdSize && std::all_of(id.begin(), id.end(), is_digit);
    if (is_id && (after.empty() || after.front() == '|')) break;
  }
  const auto millis = parse_int(fields[2]);
  const bool has_url = split_url(fields[7]).has_value();
  if (end == std::string_view::npos || !millis || !has_url) return Parsed::kMalformed;
  if (!parse_status(fields[1], entry.status)) return Parsed::kMalformed;
  entry.time = UnixMillis(std::chrono::milliseconds(*millis));
  entry.address = fields[5];
  entry.referrer = unescape_field(fields[6]);
  entry.method = "GET";  // the log does not contain the method
  entry.target = log_text(fields[7]);
  entry.user_agent = unescape_field(line.substr(0, end));
  return Parsed::kEntry;
}

}  // namespace

std::unique_ptr<AccessLogFormat> make_alb_format() { return make_line_format(parse_alb); }
std::unique_ptr<AccessLogFormat> make_elb_format() { return make_unprefixed_format(parse_elb); }
std::unique_ptr<AccessLogFormat> make_s3_format() { return make_line_format(parse_s3); }
std::unique_ptr<AccessLogFormat> make_cloudfront_realtime_format() {
  return make_line_format(parse_cloudfront);
}
std::unique_ptr<AccessLogFormat> make_bunny_format() { return make_line_format(parse_bunny); }

}  // namespace analytics::cli
