#include "cli/replay/formats/access_log_format.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics::cli {
namespace {

// The most specific formats come first, because a line may fit several.
constexpr AccessLogFormatRow kFormats[] = {
    {"w3c", "has the header of a W3C extended log (IIS, CloudFront)",
     "W3C extended logs with their header: IIS, CloudFront, Incapsula, Shoutcast", true,
     make_w3c_format, true},
    {"caddy", "is a JSON access log line of Caddy", "Caddy's JSON access log", true,
     make_caddy_format},
    {"alb", "is a line of an AWS load balancer", "AWS application load balancers", true,
     make_alb_format},
    {"elb", "is a line of a classic AWS load balancer", "AWS classic load balancers", true,
     make_elb_format},
    {"s3", "is a line of an S3 server access log", "S3 server access logs", true, make_s3_format},
    {"cloudfront-realtime", "is a line of CloudFront's real-time log",
     "CloudFront's real-time log with all of its fields", true, make_cloudfront_realtime_format},
    {"bunny", "is a line of bunny.net's log", "bunny.net's CDN log, plain or extended", true,
     make_bunny_format},
    {"haproxy", "is a line of HAProxy's httplog", "HAProxy's httplog, its times in --timezone",
     false, make_haproxy_format},
    {"envoy", "is a line of Envoy's default access log", "Envoy's and Istio's default access log",
     true, make_envoy_format},
    {"combined-vhost", "is a combined log line with a host name",
     "combined, with the host's name before or after the address", true,
     make_combined_vhost_format},
    {"combined", "is a combined log line", "access logs of Apache, nginx and Traefik", false,
     make_combined_format},
    {"common-vhost", "is a common log line with a host name",
     "common, with the host's name before or after the address", true, make_common_vhost_format},
    {"common", "is a common log line", "access logs without referrer and User-Agent", false,
     make_common_format},
};

}  // namespace

std::span<const AccessLogFormatRow> access_log_formats() { return kFormats; }

const AccessLogFormatRow* find_log_format(std::string_view name) {
  if (name == "iis" || name == "cloudfront") name = "w3c";
  // Traefik writes the combined format with further fields at the end.
  if (name == "traefik") name = "combined";
  for (const auto& row : kFormats) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const AccessLogFormatRow* guess_log_format(std::string_view first_line) {
  for (const auto& row : kFormats) {
    AccessLogEntry entry;
    const auto parsed = row.make()->parse(first_line, entry);
    if (parsed != AccessLogFormat::Parsed::kMalformed) return &row;
  }
  return nullptr;
}

std::string log_text(std::string_view bytes) {
  std::string text(bytes);
  if (!is_valid_utf8(text)) {
    text.clear();
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80) {
        text += c;
      } else {
        text += static_cast<char>(0xc0 | byte >> 6);
        text += static_cast<char>(0x80 | (byte & 0x3f));
      }
    }
  }
  for (char& c : text) c = is_control(c) ? ' ' : c;
  return text;
}

}  // namespace analytics::cli
