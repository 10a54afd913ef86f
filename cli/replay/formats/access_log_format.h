#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/text/time.h"

namespace analytics::cli {

/// A request of an access log. Texts are UTF-8 with escapes resolved; a text is empty if the log
/// does not contain it.
struct AccessLogEntry {
  UnixMillis time{};
  bool is_local = false;  ///< True if `time` is a local time: the log has no zone.
  std::string address;    ///< The client, in a form that find_log_client() accepts.
  std::string forwarded;  ///< The logged X-Forwarded-For.
  std::string method;
  std::string target;  ///< Path and query, or a whole URL.
  std::string host;    ///< Empty if `target` contains the host.
  std::string referrer;
  std::string user_agent;
  int status = 0;
};

/// Reads the lines of a format in order; some formats begin with a header that names the columns.
class AccessLogFormat {
 public:
  /// kEntry: `entry` is filled. kFiltered: a line of the format that logs no request. kNoRecord: a
  /// comment or a header. kMalformed: the line is not in this format.
  enum class Parsed { kEntry, kFiltered, kNoRecord, kMalformed };
  virtual ~AccessLogFormat() = default;
  /// Parses a line into `entry`. REQUIRES: `entry` is empty.
  virtual Parsed parse(std::string_view line, AccessLogEntry& entry) = 0;
  // See LineReader for these two functions.
  virtual void skip(std::string_view) {}
  [[nodiscard]] virtual std::string header() const { return {}; }
};

struct AccessLogFormatRow {
  std::string_view name;
  /// Completes "the first line …" in messages: "is a combined log line".
  std::string_view described;
  std::string_view about;  ///< The servers that write such logs, for the help text.
  bool names_host;         ///< True if each line names its site, so that --site is optional.
  std::unique_ptr<AccessLogFormat> (*make)();
  bool has_header = false;  ///< True if a line can be read only after its header.
};
/// Returns all formats, in the order in which a first line is tried against them.
[[nodiscard]] std::span<const AccessLogFormatRow> access_log_formats();
/// Returns the format with that name, or the first format that reads the line; null if there is no
/// such format.
[[nodiscard]] const AccessLogFormatRow* find_log_format(std::string_view name);
[[nodiscard]] const AccessLogFormatRow* guess_log_format(std::string_view line);

// Formats are implemented one family per file.
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

/// Returns the bytes as UTF-8 with spaces in place of control characters. Reads text that is not
/// valid UTF-8 as Latin-1, because old servers log the bytes of old browsers.
[[nodiscard]] std::string log_text(std::string_view bytes);

}  // namespace analytics::cli
