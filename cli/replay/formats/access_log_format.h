#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/text/time.h"

namespace analytics::cli {

/// A request in an access log. Texts are UTF-8 with escapes resolved; empty if they are missing.
struct AccessLogEntry {
  UnixMillis time{};
  bool is_local = false;  ///< True if `time` is a local time, because the log names no zone.
  std::string address;    ///< The client, as find_log_client() accepts it.
  std::string forwarded;  ///< Value of the X-Forwarded-For header.
  std::string method;
  std::string target;  ///< The requested path and query, or a whole URL.
  std::string host;    ///< Host of the site; empty if `target` contains it.
  std::string referrer;
  std::string user_agent;
  int status = 0;
};

/// Parses the lines of an access log in order; some formats begin with a header that names columns.
class AccessLogFormat {
 public:
  /// kEntry: `entry` is filled. kFiltered: the line is in this format, but logs no request of a
  /// visitor. kNoRecord: a comment or a header. kMalformed: the line is not in this format.
  enum class Parsed { kEntry, kFiltered, kNoRecord, kMalformed };
  virtual ~AccessLogFormat() = default;
  /// Parses a line into `entry`. REQUIRES: `entry` is empty.
  virtual Parsed parse(std::string_view line, AccessLogEntry& entry) = 0;
  // These two functions do what those of LineReader with the same names do.
  virtual void skip(std::string_view) {}
  [[nodiscard]] virtual std::string header() const { return {}; }
};

/// Describes an access log format in the table of all formats.
struct AccessLogFormatRow {
  std::string_view name;  ///< A value of `--format`.
  /// Completes "the first line …" in messages: "is a combined log line".
  std::string_view described;
  std::string_view about;  ///< The servers that write such logs, for the help text.
  bool names_host;         ///< True if each line names its site, so that --site is optional.
  std::unique_ptr<AccessLogFormat> (*make)();
  bool has_header = false;  ///< True if a line can be read only after its header.
};
/// Returns all formats, in the order in which a first line is tried against them.
[[nodiscard]] std::span<const AccessLogFormatRow> access_log_formats();
/// Return the format with that name, and the first format that can read the line; null if there is
/// no such format.
[[nodiscard]] const AccessLogFormatRow* find_log_format(std::string_view name);
[[nodiscard]] const AccessLogFormatRow* guess_log_format(std::string_view line);

// Return new parsers of the formats that are their names.
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
