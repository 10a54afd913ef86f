#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/text/time.h"

namespace analytics::cli {

/// A request that a line of an access log describes. Texts are UTF-8 with escapes resolved; a text
/// that the log lacks is empty.
struct AccessLogEntry {
  UnixMillis time{};
  bool is_local = false;  ///< True if `time` is a local time, because the log names no zone.
  std::string address;    ///< The client as logged: an address, several, or a host name.
  std::string forwarded;  ///< Value of the X-Forwarded-For header.
  std::string method;
  std::string target;  ///< The requested path and query, or a whole URL.
  std::string host;    ///< The requested host; empty if the log has no field for it.
  std::string referrer;
  std::string user_agent;
  int status = 0;
};

/// Parser for an access log format. It must get all lines of a log in order, because some formats
/// have a header line that names the columns of later lines.
class AccessLogFormat {
 public:
  /// Result of parse(). kEntry: `entry` is filled. kFiltered: the line is in this format, but logs
  /// no request of a visitor. kNoRecord: the line is a comment or a header. kMalformed: the line
  /// is not in this format.
  enum class Parsed { kEntry, kFiltered, kNoRecord, kMalformed };
  virtual ~AccessLogFormat() = default;
  /// Parses a line into `entry`. REQUIRES: `entry` is empty.
  virtual Parsed parse(std::string_view line, AccessLogEntry& entry) = 0;
  /// Skips a line that an earlier run has read, but remembers it if it is a header.
  virtual void skip(std::string_view) {}
  /// Returns the header line that a parser needs for the lines after it; empty if the format has
  /// no header.
  [[nodiscard]] virtual std::string header() const { return {}; }
};

/// A row of the table of all access log formats.
struct AccessLogFormatRow {
  std::string_view name;  ///< The value of `--format` that selects this format.
  /// Completes "the first line …" in messages: "is a combined log line".
  std::string_view described;
  std::string_view about;  ///< The servers that write such logs, for the help text.
  bool names_host;         ///< True if each line names its site, so that --site is optional.
  std::unique_ptr<AccessLogFormat> (*make)();
  bool has_header = false;  ///< True if lines can be parsed only after a header line.
};
/// Returns all access log formats, in the order in which guess_log_format() tries them.
[[nodiscard]] std::span<const AccessLogFormatRow> access_log_formats();
/// Returns the format with that name, a value of `--format`; null for an unknown name.
[[nodiscard]] const AccessLogFormatRow* find_log_format(std::string_view name);
/// Returns the first format that can parse the line; null if none can.
[[nodiscard]] const AccessLogFormatRow* guess_log_format(std::string_view line);

// Each function returns a new parser of the access log format in its name.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_combined_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_common_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_combined_vhost_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_common_vhost_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_alb_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_elb_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_s3_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_cloudfront_realtime_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_bunny_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_haproxy_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_envoy_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_w3c_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_caddy_format();

/// Returns logged bytes as UTF-8 with spaces in place of control characters. Reads text that is not
/// valid UTF-8 as Latin-1, because old servers log the bytes of old browsers.
[[nodiscard]] std::string log_text(std::string_view bytes);

}  // namespace analytics::cli
